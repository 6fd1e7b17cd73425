import { type PDFDocument, PDFWriter } from '@cantoo/pdf-lib'
import type { Edit, Editor, Escalation, Output, Segment, WriteReport } from '../format.ts'
import type { Cutting } from './cut.ts'
import type { Label } from './labels.ts'
import { renameAll } from './names.ts'
import type { Opened } from './open.ts'
import { editPage } from './page.ts'
import { pruneForms } from './prune.ts'
import { rasterise } from './raster.ts'
import { openReader } from './reader.ts'
import { sweep } from './sanitise.ts'
import { type CharPlace, placeOf, withText } from './text.ts'

type Edits = { pages: Map<number, Edit[]>; hidden: Map<string, Edit[]> }

const apply = (text: string, edits: Edit[]): string => {
  let out = ''
  let from = 0
  for (const edit of edits) {
    out += text.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return out + text.slice(from)
}

const collect = async (segments: AsyncIterable<Segment[]>, edit: Editor): Promise<Edits> => {
  const edits: Edits = { pages: new Map(), hidden: new Map() }
  for await (const batch of segments) {
    const answers = await edit(batch)
    batch.forEach((segment, i) => {
      const own = answers[i] ?? []
      if (own.length === 0) return
      if (segment.visible) edits.pages.set((segment.place.page as number) - 1, own)
      else edits.hidden.set(segment.text, own)
    })
  }
  return edits
}

/** The labels that stand for a page's edits, where the reader sees the characters. */
const labelsOf = (opened: Opened, index: number, edits: Edit[]): Label[] => {
  const { reader } = opened
  const { chars } = opened.text(index)
  return reader.page(index, page =>
    withText(reader, page, text =>
      edits.map(edit => {
        const wanted = new Set<number>()
        for (let unit = edit.start; unit < edit.end; unit++) {
          const char = chars[unit] as number
          if (char >= 0) wanted.add(char)
        }
        const inside = [...wanted]
        // A hyphen at a line's end is no part of the text, but of the word that it breaks.
        const first = inside[0] ?? 0
        const last = inside.at(-1) ?? -1
        const places: CharPlace[] = []
        for (let char = first; char <= last; char++) {
          if (!wanted.has(char) && reader.pdfium.FPDFText_IsGenerated(text, char) === 1) continue
          const place = placeOf(reader, text, char)
          if (place) places.push(place)
        }
        const angle = inside.length > 0 ? reader.pdfium.FPDFText_GetCharAngle(text, first) : 0
        return { places, text: edit.text, angle: Number.isFinite(angle) && angle > 0 ? angle : 0 }
      }),
    ),
  )
}

const picturePages = (escalations: readonly Escalation[], count: number): Set<number> =>
  new Set(
    escalations.flatMap(step =>
      step.kind === 'rasterise' && step.page >= 1 && step.page <= count ? [step.page - 1] : [],
    ),
  )

const save = (document: PDFDocument): Promise<Uint8Array> =>
  PDFWriter.forContext(document.context, Number.POSITIVE_INFINITY).serializeToBuffer()

/** Resolution of pages that become pictures, dots per inch. */
const pictureDpi = 150

const takePictures = async (document: PDFDocument, pages: ReadonlySet<number>): Promise<void> => {
  const reader = await openReader(await save(document))
  try {
    for (const index of pages) rasterise(document, reader, index, pictureDpi)
  } finally {
    reader.close()
  }
}

/** Writes the anonymised document: {@link OpenFile.write}. */
export const writePdf = async (
  opened: Opened,
  segments: AsyncIterable<Segment[]>,
  output: Output,
  edit: Editor,
  escalations: readonly Escalation[],
): Promise<WriteReport> => {
  const edits = await collect(segments, edit)
  const { document, hidden, names, dropped } = await opened.prepare()
  for (const string of hidden.strings) {
    const own = edits.hidden.get(string.text)
    if (own) string.set(apply(string.text, own))
  }
  hidden.flush()
  const renamed = names.flatMap(name => {
    const own = edits.hidden.get(name)
    return own ? [[name, apply(name, own)] as const] : []
  })
  renameAll(document, new Map(renamed))
  const cutting: Cutting = { context: document.context, fonts: new Map(), names: { next: 1 }, replaced: new Set() }
  const pictures = picturePages(escalations, document.getPageCount())
  for (const index of new Set([...edits.pages.keys(), ...pictures])) {
    opened.context.signal.throwIfAborted()
    const page = document.getPages()[index]
    const own = edits.pages.get(index)
    if (page && own) editPage(cutting, page, labelsOf(opened, index, own), pictures.has(index))
  }
  if (pictures.size > 0) await takePictures(document, pictures)
  pruneForms(document, cutting.replaced)
  sweep(document)
  await output.write(await save(document))
  return {
    dropped: [...dropped].map(([what, count]) => ({ what, count })),
    rasterised: [...pictures].map(index => index + 1).sort((a, b) => a - b),
    warnings: [],
  }
}
