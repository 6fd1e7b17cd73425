import { createSecretKey, randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { type AnonymisedText, anonymiseTexts, EngineError, type Plan } from 'anonymisation-engine'
import type { LoadModel } from 'anonymisation-engine/models'
import { createPlaceholders } from 'anonymisation-engine/placeholders'
import { anonymiseHere } from '../anonymise/in-process.ts'
import { hasFailed, labelCounts, type Outcome } from '../anonymise/outcome.ts'
import { createOutputs } from '../anonymise/outputs.ts'
import { sharedKeys } from '../anonymise/plan.ts'
import { UserError } from '../lock.ts'
import { type RestoredFile, restoreFile } from './restoring.ts'

/** What was done with a file. Quotes nothing of it. */
export type Told = {
  output?: string
  format: string
  counts: Record<string, number>
  removed: { what: string; count: number }[]
  notes: string[]
}

/** What the tools do: one thing after the other, all with one numbering and one set of keys. Nothing of it is kept. */
export type Work = {
  /** Refuses texts that can't be anonymised. */
  text(text: string, signal: AbortSignal): Promise<AnonymisedText>
  /** Anonymises a file beside itself, or only looks at it; refuses where nothing comes of it. */
  file(path: string, how: { writes: boolean; signal: AbortSignal }): Promise<Told>
  /** Puts the values back in a file; there are none unless placeholders were asked for. */
  restore(path: string): Promise<RestoredFile>
}

const newKey = () => createSecretKey(randomBytes(32))

/** Starts without numbers and placeholders, under keys that nobody has again. */
export function createWork({ plan, models, restores }: { plan: Plan; models: LoadModel; restores: boolean }): Work {
  const keys = sharedKeys()
  const placeholders = createPlaceholders(newKey())
  const replacer = restores ? placeholders.replacer : undefined
  const inTurn = createQueue()
  return {
    text: (text, signal) =>
      inTurn(async () => {
        const own = { numbering: keys.numbering, secrets: { ...keys.secrets, document: newKey() } }
        const [made] = await anonymiseTexts({ texts: [text], plan, models, signal, ...(replacer ? { replacer } : own) })
        return made!
      }),
    file: (file, { writes, signal }) =>
      inTurn(async () => {
        const task = { file, folder: dirname(file), marked: true }
        const target = { to: writes ? ('tree' as const) : ('nowhere' as const) }
        const engine = { plan, models, keys, replacer, list: false }
        return told(await anonymiseHere(engine, task, target, createOutputs(false), { signal, told: () => {} }))
      }),
    restore: file => inTurn(async () => restoreFile(file, placeholders.entries())),
  }
}

/** Does one thing after the other. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}

function told(outcome: Outcome): Told {
  const { output, format = '', dropped = [], warnings = [] } = outcome
  if (hasFailed(outcome)) throw new UserError(outcome.problems.join('; '))
  if (outcome.leftOut) throw new UserError('The output exists already: it must be moved or removed first')
  return { output, format, counts: countsOf(labelCounts(outcome)), removed: dropped, notes: warnings }
}

/** `{ PERSON: 2 }`, the most frequent first. */
export const countsOf = (counts: readonly { label: string; count: number }[]): Record<string, number> =>
  Object.fromEntries(counts.map(({ label, count }) => [label, count]))

/** Why something was refused, without anything of the text. */
export function whyNot(error: unknown): string {
  if (error instanceof UserError) return error.message
  if (error instanceof EngineError) return `${error.type}: ${error.message}`
  return 'The work failed, and nothing was written'
}
