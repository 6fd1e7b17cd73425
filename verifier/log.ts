import { type Bytes, concat, fromBase64, hex, Refusal, readObject, sha256, utf8 } from './bytes.ts'
import { isConsistent, rootByPath } from './tree.ts'

/** What is shown to find a certificate in the log, each file as its bytes. */
export type ShownLog = {
  /** What the certificate came with: a proof as C2SP tlog-proof writes it. */
  receipt: Bytes
  /** The key of the log that is trusted: what `GET /transparency/key` answers. */
  key: Bytes
  /** A checkpoint that was kept from before, and what `GET /transparency/consistency` answers for the two sizes. */
  older?: Bytes
  consistency?: Bytes
  /** Keys of witnesses, as C2SP signed-note writes them, all of which must have seen the checkpoint. */
  witnesses?: readonly string[]
}

/** How large the log was, and its root. */
type Checkpoint = { size: number; root: Bytes; note: Note }

type PublicKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** A key of Ed25519 that signs notes under a name: as the log itself, or as a witness that says when it saw them. */
type NoteKey = { name: string; id: string; witness: boolean; key: PublicKey }

/** A text, and the signatures under it: names, the first four bytes in hexadecimal, the rest. */
type Note = { text: string; signatures: { name: string; id: string; signature: Bytes }[] }

const PROOF = 'c2sp.org/tlog-proof@v1'
/** What tells the two kinds of keys from each other (C2SP signed-note). */
const LOG = 1
const WITNESS = 4
const KEY_BYTES = 32
const HASH_BYTES = 32
const ID_BYTES = 4
const TIME_BYTES = 8
const LONGEST = 64 * 1024

const malformed = (what: string): Refusal => new Refusal('malformed', `${what} is not written as it should be`)

const textOf = (bytes: Bytes, what: string): string => {
  try {
    if (bytes.length <= LONGEST) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {}
  throw malformed(what)
}

/** A key with its name: the name, four bytes that are computed here and not believed, and the key behind its kind. */
async function readKey(text: string): Promise<NoteKey> {
  const what = 'The key of the log or of a witness'
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  if (name === undefined) throw malformed(what)
  const typed = fromBase64(encoded, what)
  const witness = typed[0] === WITNESS
  if ((typed[0] !== LOG && !witness) || typed.length !== KEY_BYTES + 1) throw malformed(what)
  if (hex((await sha256(concat(utf8(`${name}\n`), typed))).slice(0, ID_BYTES)) !== id) throw malformed(what)
  const key = await crypto.subtle.importKey('raw', typed.slice(1), { name: 'Ed25519' }, false, ['verify'])
  return { name, id: id!, witness, key }
}

function readNote(text: string): Note {
  const what = 'The checkpoint'
  const end = text.lastIndexOf('\n\n')
  if (end < 0 || !text.endsWith('\n') || /[\0-\t\v-\x1f]/.test(text)) throw malformed(what)
  const lines = text.slice(end + 2, -1).split('\n')
  const signatures = lines.map(line => {
    const [, name, encoded] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? []
    if (name === undefined) throw malformed(what)
    const bytes = fromBase64(encoded, 'A signature of the checkpoint')
    return { name, id: hex(bytes.slice(0, ID_BYTES)), signature: bytes.slice(ID_BYTES) }
  })
  return { text: text.slice(0, end + 1), signatures }
}

/** Whether a key has signed a note; throws where a signature under its name does not hold. */
async function hasSigned({ text, signatures }: Note, { name, id, witness, key }: NoteKey): Promise<boolean> {
  const own = signatures.filter(one => one.name === name && one.id === id)
  for (const { signature } of own) {
    const time = witness ? signature.slice(0, TIME_BYTES) : new Uint8Array()
    const seconds = time.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
    const message = utf8(witness ? `cosignature/v1\ntime ${seconds}\n${text}` : text)
    if (!(await crypto.subtle.verify('Ed25519', key, signature.slice(time.length), message)))
      throw new Refusal(witness ? 'witness' : 'log', `The signature of ${name} does not fit the checkpoint`)
  }
  return own.length > 0
}

/** What a checkpoint says, once the log has signed it. */
async function openCheckpoint(text: string, key: NoteKey): Promise<Checkpoint> {
  const note = readNote(text)
  if (!(await hasSigned(note, key))) throw new Refusal('log', 'The checkpoint is not signed by the key of the log')
  const [origin, size = '', root, ...more] = note.text.split('\n')
  const counted = /^(0|[1-9]\d*)$/.test(size) && Number.isSafeInteger(Number(size))
  if (origin !== key.name || !counted || more.at(-1) !== '') throw malformed('The checkpoint')
  return { size: Number(size), root: readHash(root), note }
}

function readHash(text: unknown): Bytes {
  const hash = fromBase64(text, 'A hash of the log')
  if (hash.length !== HASH_BYTES) throw malformed('A hash of the log')
  return hash
}

/** A proof: the number of the entry, the hashes beside its way up, and a checkpoint. */
function readReceipt(bytes: Bytes): { index: number; path: Bytes[]; checkpoint: string } {
  const text = textOf(bytes, 'The receipt')
  const end = text.indexOf('\n\n')
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  const [line = '', ...path] = lines[0]?.startsWith('extra ') ? lines.slice(1) : lines
  const [, digits] = /^index (0|[1-9]\d*)$/.exec(line) ?? []
  if (first !== PROOF || digits === undefined) throw malformed('The receipt')
  return { index: Number(digits), path: path.map(readHash), checkpoint: text.slice(end + 2) }
}

/** Number of an entry, counted from 0, and how large the log was that held it. */
export type Logged = { index: number; size: number }

/** What stands in the log for the certificate of a job. */
export const entryOf = async (jobId: string, payload: Bytes): Promise<string> =>
  `certificate:${hex(await sha256(utf8(jobId)))}:${hex(await sha256(payload))}`

/** Answers where the log holds an entry; throws {@link Refusal} where it is not shown to. */
export async function checkLog(entry: string, shown: ShownLog): Promise<Logged> {
  const { verifierKey } = readObject(shown.key, 'The key of the log')
  const key = await readKey(typeof verifierKey === 'string' ? verifierKey : '')
  const { index, path, checkpoint: text } = readReceipt(shown.receipt)
  const checkpoint = await openCheckpoint(text, key)
  if ((await rootByPath(entry, index, checkpoint.size, path)) !== hex(checkpoint.root))
    throw new Refusal('receipt', 'The receipt does not lead from this certificate to the root of the log')
  if (shown.older) await checkOlder(await openCheckpoint(textOf(shown.older, 'The checkpoint'), key), checkpoint, shown)
  for (const witness of shown.witnesses ?? []) {
    const witnessKey = await readKey(witness)
    if (!witnessKey.witness || !(await hasSigned(checkpoint.note, witnessKey)))
      throw new Refusal('witness', `The witness ${witnessKey.name} has not signed the checkpoint`)
  }
  return { index, size: checkpoint.size }
}

/** Throws where the log of a checkpoint is not the one of an older one with more behind it. */
async function checkOlder(older: Checkpoint, newer: Checkpoint, { consistency }: ShownLog): Promise<void> {
  const shown = consistency ? readObject(consistency, 'What shows that the log only grew') : { path: [] }
  if (!Array.isArray(shown.path)) throw malformed('What shows that the log only grew')
  // A checkpoint that is kept may be newer than the receipt.
  const [first, second] = older.size <= newer.size ? [older, newer] : [newer, older]
  const path = shown.path.map(readHash)
  if (!(await isConsistent([first.size, first.root], [second.size, second.root], path)))
    throw new Refusal('log', 'The log of the receipt and that of the checkpoint are not shown to be one')
}
