import type { FormatContext, Input } from '../format.ts'
import type { DrawnPage } from '../page-views.ts'
import { decode } from './decode.ts'
import { kindOf } from './kinds.ts'
import { viewOf } from './page-views.ts'

/** Draws one of the pictures of a file of that kind: {@link Format.draw}. */
export const drawImage = async (id: string, input: Input, page: number, context: FormatContext): Promise<DrawnPage> => {
  const { pages } = await decode(kindOf(id), input, context)
  const picture = pages[page - 1]
  return { pages: pages.length, ...(picture && { view: await viewOf(picture) }) }
}
