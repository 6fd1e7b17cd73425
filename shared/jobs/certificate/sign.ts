import { createHash } from 'node:crypto'
import { type Envelope, PAYLOAD_TYPE, PublicJwk } from '../../api/certificates.ts'
import { publishedKeys, publishKey } from '../../store/certificates.ts'
import { publicKeyOf, signDigestWith } from '../../store/keys.ts'

/** The public key that certificates are signed with now, named by its thumbprint (RFC 7638). */
async function currentKey(): Promise<PublicJwk> {
  const { crv, kty, x, y } = (await publicKeyOf('certificates')).export({ format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return PublicJwk.parse({ kty, crv, x, y, kid, alg: 'ES256', use: 'sig' })
}

/** What a signature is made over (DSSE 1.0, pre-authentication encoding). */
const encoded = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload])

/** The key that this sandbox has published: what is published stays. */
let published: string | undefined

/** Signs a statement. The key is published first, so that nothing signed is without its key. */
export async function signStatement(statement: object): Promise<Envelope> {
  const key = await currentKey()
  if (published !== key.kid) await publishKey(key)
  published = key.kid
  const payload = Buffer.from(JSON.stringify(statement))
  const signature = await signDigestWith('certificates', createHash('sha256').update(encoded(payload)).digest())
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.kid, sig: Buffer.from(signature).toString('base64') }],
  }
}

/** The keys that certificates were ever signed with, and the one that they are signed with now. */
export async function certificateKeys(): Promise<PublicJwk[]> {
  const [current, published] = await Promise.all([currentKey(), publishedKeys()])
  return [current, ...published.filter(({ kid }) => kid !== current.kid)]
}
