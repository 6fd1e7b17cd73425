import type { FormatContext, Input } from '../format.ts'
import type { DrawnPage } from '../page-views.ts'
import { openPictures } from './decode.ts'
import { kindOf } from './kinds.ts'
import { viewIn } from './page-views.ts'

/** Draws one of the pictures of a file of that kind: {@link Format.draw}. */
export const drawImage = async (id: string, input: Input, page: number, context: FormatContext): Promise<DrawnPage> => {
  const { sizes, pages } = await openPictures(kindOf(id), input, context)
  const view = await viewIn(pages(), page)
  return { pages: sizes.length, ...(view && { view }) }
}
