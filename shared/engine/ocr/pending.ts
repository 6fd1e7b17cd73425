import type { Input } from '../formats/format.ts'
import type { UnreadIn } from './cache.ts'

/** Thrown instead of reading more pictures than one run may: nothing of the run counts until they are read. */
export class Unread extends Error {
  override readonly name = 'Unread'
  /** Pages, from 0, whose pictures are unread. */
  readonly pages: number[]
  readonly where: UnreadIn
  /** The output that they stand in. */
  output: Input | undefined

  constructor(pages: number[], where: UnreadIn) {
    super('There are more pictures to read than one run may')
    this.pages = pages
    this.where = where
  }
}
