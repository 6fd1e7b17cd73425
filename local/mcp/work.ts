import { createSecretKey, randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { anonymiseTexts, EngineError, type Plan } from 'anonymisation-engine'
import type { LoadModel } from 'anonymisation-engine/models'
import { createPlaceholders } from 'anonymisation-engine/placeholders'
import { presets } from 'anonymisation-engine/presets'
import { ApiError } from '../../shared/api/client.ts'
import type { Choice, TextWork } from '../../shared/mcp/tools.ts'
import { anonymiseHere, type Target } from '../anonymise/in-process.ts'
import { hasFailed, labelCounts, type Outcome } from '../anonymise/outcome.ts'
import { createOutputs } from '../anonymise/outputs.ts'
import { sharedKeys } from '../anonymise/plan.ts'
import { UserError } from '../lock.ts'
import { type RestoredFile, restoreFile } from './restoring.ts'

/** What was done with a file. Quotes nothing of it. */
export type Told = {
  output?: string
  format?: string
  counts: Record<string, number>
  removed: { what: string; count: number }[]
  notes: string[]
}

/** What the tools do, and keep nothing of. Whatever is not there is not offered. */
export type Work = TextWork & {
  /** Anonymises a file beside itself; refuses where nothing comes of it. */
  file(path: string, choice: Choice, signal: AbortSignal): Promise<Told>
  /** Looks at a file without writing anything. */
  inspect?(path: string, signal: AbortSignal): Promise<Told>
  /** Puts the values back in a file. */
  restore?(path: string): Promise<RestoredFile>
}

const newKey = () => createSecretKey(randomBytes(32))

type Here = { plan: Plan; models: LoadModel; restores: boolean; preset: string | undefined }

/**
 * Works on this machine, on one thing after the other, with one numbering and one set of keys that nobody has again. `preset` is
 * the one that the plan was made of.
 */
export function createWork({ plan, models, restores, preset }: Here): Work {
  const keys = sharedKeys()
  const placeholders = createPlaceholders(newKey())
  const replacer = restores ? placeholders.replacer : undefined
  const inTurn = createQueue()
  const look = (file: string, target: Target, signal: AbortSignal) =>
    inTurn(async () => {
      const task = { file, folder: dirname(file), marked: true }
      const engine = { plan, models, ...keys, replacer, list: false }
      return toldOf(await anonymiseHere(engine, task, target, createOutputs(false), { signal, told: () => {} }))
    })
  return {
    anonymise: ({ text }, signal) =>
      inTurn(async () => {
        const own = { numbering: keys.numbering, secrets: { ...keys.secrets, document: newKey() } }
        const [made] = await anonymiseTexts({ texts: [text], plan, models, signal, ...(replacer ? { replacer } : own) })
        return { text: made!.text, findings: made!.matches }
      }),
    presets: () => presetsFor(preset),
    file: (file, _choice, signal) => look(file, { to: 'tree' }, signal),
    inspect: (file, signal) => look(file, { to: 'nowhere' }, signal),
    ...(restores && { restore: file => inTurn(async () => restoreFile(file, placeholders.entries())) }),
    whyNot,
  }
}

/** All presets, of which one is used unless another is named. */
export const presetsFor = (chosen: string | undefined) =>
  presets.map(({ id, title }) => ({ id, title, chosen: id === chosen }))

/** Does one thing after the other. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}

/** What a model is told of an outcome; refuses where there is no output. */
export function toldOf(outcome: Outcome): Told {
  const { output, format, dropped = [], warnings = [] } = outcome
  if (hasFailed(outcome)) throw new UserError(outcome.problems.join('; '))
  if (outcome.leftOut) throw new UserError('The output exists already: it must be moved or removed first')
  const counts = Object.fromEntries(labelCounts(outcome).map(({ label, count }) => [label, count]))
  return { output, format, counts, removed: dropped, notes: warnings }
}

/** Why something was refused, without anything of the text. */
export function whyNot(error: unknown): string {
  if (error instanceof UserError) return error.message
  if (error instanceof EngineError) return `${error.type}: ${error.message}`
  if (error instanceof ApiError) return error.message
  return 'The work failed, and nothing was written'
}
