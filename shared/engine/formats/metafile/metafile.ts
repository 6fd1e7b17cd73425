import type { Drawing, Run } from './drawing.ts'

/** A record as it is written again: its known fields and nothing else. */
export type Kept = {
  bytes: Buffer
  /** A text that the record draws, or the name of a font. */
  run?: Run
  font?: string
  /** The record with another text in it. */
  write?(text: string): Buffer
}

/** A metafile as it was read. */
export type Metafile = {
  records: Kept[]
  drawing: Drawing
  /** Whether it has a description, records that draw nothing, or anything behind its end, none of which is written again. */
  holdsMore: boolean
  /** The whole file around records. */
  assemble(records: readonly Buffer[]): Buffer
}

/** A metafile with something in it of which nobody can say what it shows. */
export class UnknownRecord extends Error {}

/** A name without what may stand behind its end, in so many bytes. */
export function nameField(text: string, bytes: number, encoding: 'utf16le' | 'latin1'): Buffer {
  const field = Buffer.alloc(bytes)
  field.write(text, 0, bytes - (encoding === 'utf16le' ? 2 : 1), encoding)
  return field
}

/** Letters that two texts begin and end with alike. */
function alike(before: string, after: string): { start: number; end: number } {
  const most = Math.min(before.length, after.length)
  let [start, end] = [0, 0]
  while (start < most && before[start] === after[start]) start++
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return { start, end }
}

/**
 * Steps from letter to letter of a text that takes the place of another: letters that stay keep theirs, and what is new
 * takes as much room as what was there where that leaves it legible.
 */
export function newSteps(steps: readonly number[], before: string, after: string): number[] {
  const { start, end } = alike(before, after)
  const [old, count] = [steps.slice(start, steps.length - end), after.length - start - end]
  const usual = steps.reduce((sum, step) => sum + step, 0) / Math.max(1, steps.length)
  const room = old.reduce((sum, step) => sum + step, 0)
  const step = Math.round(Math.max(0.7 * usual, Math.min(usual, count === 0 ? 0 : room / count)))
  const made = Array.from({ length: count }, () => step)
  // Where less is written than was there, the letter before the rest moves it to its place.
  if (count > 0 && count * step < room) made[count - 1] = room - (count - 1) * step
  return [...steps.slice(0, start), ...made, ...steps.slice(steps.length - end)]
}
