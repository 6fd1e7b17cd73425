import type { Readable } from 'node:stream'
import { log as lines } from '../log.ts'
import { type Settings, settings } from '../settings.ts'
import { egressPolicy } from '../sources/addresses.ts'
import { defaultLimits } from '../sources/connector.ts'
import { guardedDial } from '../sources/egress.ts'
import { type Http, openHttp } from '../sources/http.ts'
import { checkpointForChange, currentLog, replaceCheckpoint } from './log.ts'
import { type Checkpoint, cosignaturesIn, type NamedKey, readWitnessKey, signaturesOf } from './note.ts'
import { consistencyOf } from './proofs.ts'

/** Somebody else who signs checkpoints of the log that fit those which they have seen before (C2SP tlog-witness). */
type Witness = NamedKey & { url: string }

/** Settings that say which witnesses there are, and which networks that are not public may be reached. */
type Configured = Pick<Settings, 'WITNESSES' | 'EGRESS_ALLOW'>

/** Time for all witnesses together, milliseconds. */
const PATIENCE = 20_000
/** Longest answer that is read, bytes. */
const LONGEST = 8 * 1024

/** The witnesses of a setting: keys and addresses, `KEY URL,KEY URL`. Throws where a key is none. */
const readWitnesses = (text: string): Witness[] =>
  text.split(',').flatMap(part => {
    const [key, url] = part.trim().split(/\s+/)
    return key && url ? { ...readWitnessKey(key), url: url.replace(/\/*$/, '/add-checkpoint') } : []
  })

/**
 * Has the newest checkpoint signed by the witnesses that have not, and publishes it with their signatures. What goes wrong with
 * a witness is told in the log of the function and holds nothing up: the next run asks again.
 */
export async function cosignLog({ WITNESSES, EGRESS_ALLOW }: Configured = settings()): Promise<void> {
  const witnesses = readWitnesses(WITNESSES)
  if (witnesses.length === 0) return
  const log = await currentLog()
  const { checkpoint, note, etag } = await checkpointForChange(log)
  if (note === undefined) return
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
  const known = signaturesOf(note)
  const missing = witnesses.filter(witness => cosignaturesIn(text, known, witness).length === 0)
  const dial = guardedDial(egressPolicy(EGRESS_ALLOW))
  const http = openHttp({ dial, signal: AbortSignal.timeout(PATIENCE), limits: defaultLimits })
  // The signature of the log is the first one.
  const shown = { checkpoint, text, note: `${text}\n${known[0]}\n` }
  const asked = missing.map(witness =>
    cosigned(http, witness, shown).catch((error: Error) => {
      lines.warn('witness failed', { witness: witness.name, reason: error.message })
      return []
    }),
  )
  const made = (await Promise.all(asked)).flat()
  http.close()
  if (made.length === 0) return
  if (await replaceCheckpoint(log, `${note}${made.map(line => `${line}\n`).join('')}`, etag))
    lines.info('checkpoint cosigned', { size: checkpoint.size, witnesses: made.length })
}

type Shown = { checkpoint: Checkpoint; text: string; note: string }

/** Asks a witness for its signature; throws where it gives none that holds. */
async function cosigned(http: Http, witness: Witness, shown: Shown): Promise<string[]> {
  const { size } = shown.checkpoint
  // Nobody remembers what a witness has seen: it says so itself.
  let answer = await add(http, witness, shown, 0)
  if (answer.status === 409) {
    const seen = /^(?:0|[1-9]\d{0,15})\n?$/.test(answer.body) ? Number(answer.body) : Number.NaN
    if (seen > size) throw new Error('It has seen a larger log: an older checkpoint was put in place, or it lies')
    if (!(seen > 0)) throw new Error('It does not say what it has seen')
    answer = await add(http, witness, shown, seen)
  }
  if (answer.status !== 200) throw new Error(`It answered with status ${answer.status}`)
  const signatures = cosignaturesIn(shown.text, answer.body.split('\n'), witness)
  if (signatures.length === 0) throw new Error('Its signature does not fit the checkpoint')
  return signatures.slice(0, 1)
}

/** Sends a checkpoint with the proof that it grew from one of another size. */
async function add(http: Http, { url }: Witness, { checkpoint, note }: Shown, seen: number) {
  const proof = seen === 0 || seen === checkpoint.size ? [] : await consistencyOf(seen, checkpoint.size)
  const body = [`old ${seen}`, ...proof, '', note].join('\n')
  const answered = { accept: [400, 403, 404, 409, 422], method: 'POST', body } as const
  const { status, body: reply } = await http.request(url, answered)
  return { status, body: await beginningOf(reply) }
}

async function beginningOf(body: Readable): Promise<string> {
  let text = ''
  for await (const piece of body) {
    text += piece
    if (text.length > LONGEST) throw new Error('It answered too much')
  }
  return text
}
