import { readAll } from '../../input.ts'
import type { FormatContext, Input } from '../format.ts'
import type { DrawnPage } from '../page-views.ts'
import { withForms } from './objects/annotations.ts'
import { resolutionOf, viewOf } from './page-views.ts'
import { drawPage, refuseEndless } from './pictures/raster.ts'
import { openWithin } from './read.ts'

/** Draws a page with its annotations and form fields: {@link Format.draw}. */
export const drawPdf = async (input: Input, number: number, context: FormatContext): Promise<DrawnPage> => {
  const reader = await openWithin(await readAll(input, context.limits.bytes), context)
  try {
    const { pages } = reader
    if (number > pages) return { pages }
    const drawn = withForms(reader, [number - 1], 'shown', (page, form) => {
      const dpi = resolutionOf(reader, page)
      refuseEndless(reader, page, dpi)
      return drawPage(reader, page, dpi, form)
    })
    return { pages, view: await viewOf(drawn.get(number - 1)!) }
  } finally {
    reader.close()
  }
}
