import type { AnonymiseCall } from './anonymise.ts'
import { sniff } from './formats/index.ts'
import { defaultLimits } from './limits.ts'

/** Chunks of a table that can be anonymised apart and put together again. */
export type Split = {
  /** Byte ranges without gaps, each from the beginning of a record; at least one. */
  ranges: { start: number; end: number }[]
  /** What was detected, to be given to every chunk as its options, so that all of them read the table alike. */
  options: Record<string, unknown>
}

/**
 * Cuts a large table into chunks of about `size` bytes. The outputs of `anonymise` for all ranges, in order, are byte for
 * byte what it gives for the whole. Nothing comes back for files that are anonymised in one piece only.
 */
export async function splitAsset(
  call: Pick<AnonymiseCall, 'input' | 'limits' | 'options' | 'signal'> & { size: number },
): Promise<Split | undefined> {
  const { input, size, signal } = call
  const format = await sniff(input)
  if (!format.split) return undefined
  const context = { limits: { ...defaultLimits, ...call.limits }, signal, options: call.options ?? {} }
  const ranges = await format.split(input, size, context)
  if (!ranges) return undefined
  const file = await format.open(input, context)
  const { columns: _, ...choices } = file.choices ?? {}
  await file.close()
  return { ranges, options: { ...context.options, ...choices } }
}
