import * as z from 'zod'
import { ProblemError } from '../api/problems.ts'

/** Where a page begins: how many records come before it, and the place in the order of the last of them. */
export type Position = { skip: number; after?: string }

const Written = z.tuple([z.int().min(0), z.string().max(100).optional()])

/** A position as text that clients hand back as it is. */
export const writeCursor = ({ skip, after }: Position): string =>
  Buffer.from(JSON.stringify(after === undefined ? [skip] : [skip, after])).toString('base64url')

/** The position that a cursor stands for; refuses what is none (422). */
export function readCursor(cursor: string): Position {
  try {
    const [skip, after] = Written.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { skip, after }
  } catch {
    throw new ProblemError({
      type: 'invalid_format',
      msg: 'Must be the cursor of a page before',
      loc: ['query', 'cursor'],
    })
  }
}
