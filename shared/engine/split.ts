import type { AnonymiseCall } from './anonymise.ts'
import { checkColumns } from './columns/check.ts'
import type { Format, FormatContext } from './formats/format.ts'
import { registry, sniff } from './formats/index.ts'
import { defaultLimits } from './limits.ts'

/** Chunks of a table that can be anonymised apart and put together again. */
export type Split = {
  /** Byte ranges without gaps, each from the beginning of a record; at least one. */
  ranges: { start: number; end: number }[]
  /** What was detected, to be given to every chunk as its options, so that all of them read the table alike. */
  options: Record<string, unknown>
}

/** With a `plan`, a table without the columns that it names is refused before it is cut. */
type SplitCall = Pick<AnonymiseCall, 'input' | 'limits' | 'options' | 'signal'> & Partial<Pick<AnonymiseCall, 'plan'>>

const contextOf = (call: SplitCall) => ({
  registry,
  limits: { ...defaultLimits, ...call.limits },
  signal: call.signal,
  options: call.options ?? {},
})

/** What every chunk must know about the dialect of the table. */
async function choicesOf(format: Format, { input, plan }: SplitCall, context: FormatContext) {
  const file = await format.open(input, context)
  const { columns, ...choices } = file.choices ?? {}
  await file.close()
  if (plan && columns) checkColumns(plan, columns as string[])
  return { ...context.options, ...choices }
}

/**
 * Cuts a large table into chunks of about `size` bytes. The outputs of `anonymise` for all ranges, in order, are byte for
 * byte what it gives for the whole. Nothing comes back for files that are anonymised in one piece only.
 */
export async function splitAsset(call: SplitCall & { size: number }): Promise<Split | undefined> {
  const format = await sniff(call.input)
  const context = contextOf(call)
  if (!format.split) return undefined
  const options = await choicesOf(format, call, context)
  const ranges = await format.split(call.input, call.size, { ...context, options })
  return ranges && { ranges, options }
}

/** How far the cutting of a table by reading has come: the ranges found, the rest of the file not among them. */
export type Cutting = Split & { done: boolean }

/**
 * Cuts a table that can't be cut by looking here and there, by reading it from where `so` far it was read; the chunks are
 * as those of `splitAsset`. Stops when `enough` says so, to be called again. Nothing comes back for other formats.
 */
export async function cutAsset(
  call: SplitCall & { size: number; so?: Cutting; enough(at: number): boolean },
): Promise<Cutting | undefined> {
  const { input, size, enough } = call
  const format = await sniff(input)
  if (!format.borders) return undefined
  const context = contextOf(call)
  const options = call.so?.options ?? (await choicesOf(format, call, context))
  const ranges = [...(call.so?.ranges ?? [])]
  let start = ranges.at(-1)?.end ?? 0
  for await (const at of format.borders(input, start, { ...context, options })) {
    if (at - start < size || at >= input.size) continue
    ranges.push({ start, end: at })
    start = at
    if (enough(at)) return { ranges, options, done: false }
  }
  return { ranges: [...ranges, { start, end: input.size }], options, done: true }
}
