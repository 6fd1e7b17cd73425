import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** How large the log is, and the root of its tree (C2SP tlog-checkpoint). */
export type Checkpoint = { origin: string; size: number; root: Buffer }

/** What tells signatures of Ed25519 over the text of a note from other kinds (C2SP signed-note). */
const ED25519 = 1
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
function keyId(name: string, key: KeyObject): Buffer {
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), rawKey(key)])
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
export function readVerifierKey(text: string): { name: string; key: KeyObject } {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? []
  const typed = Buffer.from(encoded ?? '', 'base64')
  if (name === undefined || typed[0] !== ED25519 || typed.length !== KEY_BYTES + 1)
    throw new Error('This is no key of a log')
  const key = keyFromRaw(typed.subarray(1))
  if (keyId(name, key).toString('hex') !== id) throw new Error('The key of the log does not fit its number')
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

/** What the text of a checkpoint says; undefined where it is none. Lines behind the third are let pass. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', size = '', encoded = '', ...more] = text.split('\n')
  const root = Buffer.from(encoded, 'base64')
  const whole = origin !== '' && /^(0|[1-9]\d*)$/.test(size) && Number.isSafeInteger(Number(size))
  if (!whole || root.length !== 32 || root.toString('base64') !== encoded || more.at(-1) !== '') return undefined
  return { origin, size: Number(size), root }
}
