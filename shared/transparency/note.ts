import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** How large the log is, and the root of its tree (C2SP tlog-checkpoint). */
export type Checkpoint = { origin: string; size: number; root: Buffer }

/** What tells the kinds of keys from each other (C2SP signed-note): of Ed25519 both, a log's and a witness's. */
const ED25519 = 1
const COSIGNATURE = 4
/** Bytes of the time that stands before the signature of a witness, seconds since 1970. */
const TIME_BYTES = 8
const KEY_BYTES = 32
const ID_BYTES = 4
/** Longest note that is read, characters: with many signatures of witnesses. */
const LONGEST = 64 * 1024

/** The 32 bytes of a public key of Ed25519 (RFC 8032). */
export const rawKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url')

/** A public key of Ed25519 from its 32 bytes. */
export const keyFromRaw = (raw: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url') },
    format: 'jwk',
  })

/** What tells the key of a note under a name from others: four bytes. */
function keyId(name: string, key: KeyObject, kind = ED25519): Buffer {
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(kind), rawKey(key)])
  return createHash('sha256').update(named).digest().subarray(0, ID_BYTES)
}

/** Digits that name a log in its origin: of its key, so that a new key begins a new log. */
export const logName = (key: KeyObject): string => createHash('sha256').update(rawKey(key)).digest('hex').slice(0, 16)

/** First line of the checkpoints of the log that a key signs. */
export const originOf = (key: KeyObject): string => `anonymisation-service/${logName(key)}`

/** A key with its name, as verifiers of notes are given it. */
export const verifierKey = (name: string, key: KeyObject): string => {
  const typed = Buffer.concat([Buffer.of(ED25519), rawKey(key)])
  return `${name}+${keyId(name, key).toString('hex')}+${typed.toString('base64')}`
}

/** The name and the key of {@link verifierKey}; throws where the text is none. */
export const readVerifierKey = (text: string): NamedKey => readKey(text, ED25519)

/** The name and the key of a witness; throws where the text is none. */
export const readWitnessKey = (text: string): NamedKey => readKey(text, COSIGNATURE)

export type NamedKey = { name: string; key: KeyObject }

function readKey(text: string, kind: number): NamedKey {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? []
  const typed = Buffer.from(encoded ?? '', 'base64')
  if (name === undefined || typed[0] !== kind || typed.length !== KEY_BYTES + 1)
    throw new Error(`This is no key of a ${kind === ED25519 ? 'log' : 'witness'}`)
  const key = keyFromRaw(typed.subarray(1))
  if (keyId(name, key, kind).toString('hex') !== id) throw new Error(`The key of ${name} does not fit its number`)
  return { name, key }
}

/** The text of a checkpoint that is signed. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`

/** A note: the text, and its signature by a key of Ed25519 under a name. */
export function noteOf(text: string, name: string, key: KeyObject, signature: Uint8Array): string {
  const signed = Buffer.concat([keyId(name, key), signature])
  return `${text}\n— ${name} ${signed.toString('base64')}\n`
}

/** The text of a note, once a key has signed it under its name; undefined where it has not. */
export function openNote(note: string, name: string, key: KeyObject): string | undefined {
  const end = note.lastIndexOf('\n\n')
  if (note.length > LONGEST || end < 0 || !note.endsWith('\n') || /[\0-\t\v-\x1f]/.test(note)) return undefined
  const text = note.slice(0, end + 1)
  const id = keyId(name, key)
  let found = false
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, signer, encoded] = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/u.exec(line) ?? []
    const bytes = Buffer.from(encoded ?? '', 'base64')
    if (signer === undefined || bytes.toString('base64') !== encoded) return undefined
    if (signer !== name || !bytes.subarray(0, ID_BYTES).equals(id)) continue
    // One wrong signature of a known key is enough to refuse the whole note.
    if (!verify(null, Buffer.from(text), key, bytes.subarray(ID_BYTES))) return undefined
    found = true
  }
  return found ? text : undefined
}

/** The lines of a note that a witness has signed its text with (C2SP tlog-cosignature); others are let pass. */
export function cosignaturesIn(text: string, lines: readonly string[], { name, key }: NamedKey): string[] {
  const id = keyId(name, key, COSIGNATURE)
  return lines.filter(line => {
    const [, signer, encoded = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/u.exec(line) ?? []
    const bytes = Buffer.from(encoded, 'base64')
    if (signer !== name || !bytes.subarray(0, ID_BYTES).equals(id) || bytes.length < ID_BYTES + TIME_BYTES) return false
    const message = `cosignature/v1\ntime ${bytes.readBigUInt64BE(ID_BYTES)}\n${text}`
    return verify(null, Buffer.from(message), key, bytes.subarray(ID_BYTES + TIME_BYTES))
  })
}

/** The signatures under a note, line by line. */
export const signaturesOf = (note: string): string[] => note.slice(note.lastIndexOf('\n\n') + 2, -1).split('\n')

/** What the text of a checkpoint says; undefined where it is none. Lines behind the third are let pass. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', size = '', encoded = '', ...more] = text.split('\n')
  const root = Buffer.from(encoded, 'base64')
  const whole = origin !== '' && /^(0|[1-9]\d*)$/.test(size) && Number.isSafeInteger(Number(size))
  if (!whole || root.length !== 32 || root.toString('base64') !== encoded || more.at(-1) !== '') return undefined
  return { origin, size: Number(size), root }
}
