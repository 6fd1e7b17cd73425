import type { Patch } from './text-nodes.ts'

/** Changes that go with a text, for elements around it from the outermost on. */
export type Entailed = readonly Patch[][]

/** Elements around a text that are told apart. */
const mostLists = 32

/** Adds what goes with the text of an element within others; those within too many share the list of the innermost one. */
export function entailedWithin(around: Entailed | undefined, own: Patch[]): Entailed {
  if (around === undefined || around.length < mostLists) return [...(around ?? []), own]
  const last = around.at(-1)!
  for (const patch of own) last.push(patch)
  return around
}
