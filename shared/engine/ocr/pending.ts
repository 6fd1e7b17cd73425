import type { Input } from '../formats/format.ts'
import type { PendingIn } from './cache.ts'

/** Thrown instead of reading more pictures than one run may: nothing of the run counts until they are read. */
export class OcrPending extends Error {
  override readonly name = 'Unread'
  /** Pages, from 0, whose pictures are unread. */
  readonly pages: number[]
  readonly where: PendingIn
  /** The output that they stand in. */
  output: Input | undefined

  constructor(pages: number[], where: PendingIn) {
    super('There are more pictures to read than one run may')
    this.pages = pages
    this.where = where
  }
}
