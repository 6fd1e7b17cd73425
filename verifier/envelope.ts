import { type Bytes, concat, fromBase64, isObject, Refusal, readObject, sha256, toBase64Url, utf8 } from './bytes.ts'

const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
const EC = { name: 'ECDSA', namedCurve: 'P-256' } as const
/** Bytes of each of the two numbers that a signature on P-256 is made of. */
const NUMBER = 32

type PublicKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>
type Jwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string }

/** The public keys of a JWKS (RFC 7517) by their thumbprints (RFC 7638), which are computed here and not believed. */
async function trustedKeys(jwks: Bytes): Promise<Map<string, PublicKey>> {
  const { keys } = readObject(jwks, 'The file of keys')
  if (!Array.isArray(keys)) throw new Refusal('malformed', 'The file of keys has no list of keys')
  const trusted = new Map<string, PublicKey>()
  for (const key of keys) {
    if (!isObject(key) || key.kty !== 'EC' || key.crv !== 'P-256') continue
    const { x, y, kid } = key
    if (typeof x !== 'string' || typeof y !== 'string') continue
    const jwk: Jwk = { kty: 'EC', crv: 'P-256', x, y }
    const thumbprint = toBase64Url(await sha256(utf8(JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x, y }))))
    if (kid !== undefined && kid !== thumbprint) continue
    const imported = await crypto.subtle.importKey('jwk', jwk, EC, false, ['verify']).catch(() => undefined)
    if (imported) trusted.set(thumbprint, imported)
  }
  return trusted
}

/** A signature in DER as the two numbers of equal length that WebCrypto takes; any other spelling is refused. */
function plainSignature(der: Bytes): Bytes {
  const refused = new Refusal('signature', 'The signature is not written as DER asks for')
  const integer = (at: number): { number: Bytes; end: number } => {
    const length = der[at + 1]!
    const content = der.slice(at + 2, at + 2 + length)
    const padded = content[0] === 0 && content.length > 1
    if (der[at] !== 2 || content.length !== length || length === 0 || content[0]! >= 0x80) throw refused
    if (padded && content[1]! < 0x80) throw refused
    const number = padded ? content.slice(1) : content
    if (number.length > NUMBER) throw refused
    return { number: concat(new Uint8Array(NUMBER - number.length), number), end: at + 2 + length }
  }
  if (der[0] !== 0x30 || der[1] !== der.length - 2) throw refused
  const r = integer(2)
  const s = integer(r.end)
  if (s.end !== der.length) throw refused
  return concat(r.number, s.number)
}

/** What a signature is made over (DSSE 1.0). */
const encoded = (payload: Bytes): Bytes =>
  concat(utf8(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload)

/** The statement that an envelope holds, and the thumbprint of the trusted key that has signed it; throws {@link Refusal}. */
export async function openEnvelope(file: Bytes, jwks: Bytes): Promise<{ payload: Bytes; keyid: string }> {
  const { payloadType, payload: text, signatures } = readObject(file, 'The certificate')
  if (payloadType !== PAYLOAD_TYPE) throw new Refusal('malformed', 'The certificate is not of the type in-toto')
  const payload = fromBase64(text, 'The payload of the certificate')
  if (!Array.isArray(signatures) || signatures.length === 0)
    throw new Refusal('signature', 'The certificate is not signed')
  const trusted = await trustedKeys(jwks)
  let refusal = new Refusal('key', 'The certificate is signed by no key that is trusted')
  for (const signature of signatures) {
    if (!isObject(signature) || typeof signature.keyid !== 'string') continue
    const { keyid, sig } = signature
    const key = trusted.get(keyid)
    if (!key) continue
    const plain = plainSignature(fromBase64(sig, 'The signature'))
    if (await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, plain, encoded(payload)))
      return { payload, keyid }
    refusal = new Refusal('signature', 'The signature does not fit the certificate: one of the two was changed')
  }
  throw refusal
}
