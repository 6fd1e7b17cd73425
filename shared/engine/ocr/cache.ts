import type { Input } from '../formats/format.ts'
import type { OcrResult } from './ocr.ts'

/** What was read in pictures, by the SHA-256 (hexadecimal) of their size and pixels. */
export type KnownPictures = Map<string, OcrResult>

/** What an asset's pictures are known to show, and how many pages with others one run may read itself. */
export type Readings = { known: KnownPictures; most: number }

/** Which file unread pictures stand in: the asset as it came, or an output that is still to be verified. */
export type UnreadIn = 'input' | 'output'

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
