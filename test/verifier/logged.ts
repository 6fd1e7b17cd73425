import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { certificateEntry } from '../../shared/transparency/entries.ts'
import { checkpointText, noteOf, originOf, rawKey, verifierKey } from '../../shared/transparency/note.ts'
import {
  consistencyPath,
  hashWithin,
  inclusionPath,
  leafHash,
  levelsOf,
  type Range,
} from '../../shared/transparency/tree.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
export const origin = originOf(publicKey)
/** What the service says of the key of its log. */
export const logKey = Buffer.from(JSON.stringify({ origin, verifierKey: verifierKey(origin, publicKey) }))

/** A log that holds the certificate of a job at one of its places, as the service makes it. */
export function loggedAt(index: number, size: number, certificate: Uint8Array) {
  const payload = Buffer.from(JSON.parse(Buffer.from(certificate).toString()).payload, 'base64')
  const own = certificateEntry(JSON.parse(payload.toString()).predicate.job.id, payload)
  const other = (n: number) => certificateEntry(`job ${n}`, Buffer.from(`${n}`))
  const entries = Array.from({ length: size }, (_, n) => (n === index ? own : other(n)))
  const levels = levelsOf(entries.map(leafHash))
  const hashes = (ranges: readonly Range[]) => ranges.map(range => hashWithin(levels, range).toString('base64'))
  const checkpoint = (at: number, key = privateKey): string => {
    const text = checkpointText({ origin, size: at, root: hashWithin(levels, [0, at]) })
    return noteOf(text, origin, publicKey, sign(null, Buffer.from(text), key))
  }
  const receipt = (note = checkpoint(size)): Buffer => {
    const path = hashes(inclusionPath(index, [0, size]))
    return Buffer.from(`${['c2sp.org/tlog-proof@v1', `index ${index}`, ...path].join('\n')}\n\n${note}`)
  }
  const consistency = (first: number, second = size): Buffer =>
    Buffer.from(JSON.stringify({ first, second, path: hashes(consistencyPath(first, second)) }))
  return { checkpoint, receipt, consistency }
}

/** A witness: its key as it is told to verifiers, and a note with its signature (C2SP tlog-cosignature). */
export function witness(name: string) {
  const keys: { privateKey: KeyObject; publicKey: KeyObject } = generateKeyPairSync('ed25519')
  const typed = Buffer.concat([Buffer.of(4), rawKey(keys.publicKey)])
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)
  const cosigned = (note: string, seconds = 1_700_000_000n): string => {
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(seconds)
    const text = note.slice(0, note.indexOf('\n\n') + 1)
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), keys.privateKey)
    return `${note}— ${name} ${Buffer.concat([id, time, signature]).toString('base64')}\n`
  }
  return { key: `${name}+${id.toString('hex')}+${typed.toString('base64')}`, cosigned }
}
