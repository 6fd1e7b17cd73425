import { EngineError } from '../../../errors.ts'
import type { Picture } from '../../../ocr/picture.ts'
import type { Reader } from '../page-reader.ts'
import { borrow, memory, saveDocument } from '../pdfium.ts'
import { combFields, type FieldBox } from './comb-fields.ts'
import { type Link, readLinks } from './links.ts'

/** The boxes of a page, to be set again: flattening forgets those that a page inherits. */
const keepBoxes = ({ pdfium }: Reader, page: number): (() => void) =>
  borrow(pdfium, 32, scratch => {
    pdfium.FPDF_GetPageBoundingBox(page, scratch)
    const shown = memory(pdfium, scratch, 16)
    const at = (i: number) => shown.getFloat32(i * 4, true)
    // FS_RECTF is left, top, right, bottom.
    const crop = [at(0), at(3), at(2), at(1)] as const
    const own = pdfium.FPDFPage_GetMediaBox(page, scratch + 16, scratch + 20, scratch + 24, scratch + 28)
    const box = memory(pdfium, scratch + 16, 16)
    const media = own ? ([0, 4, 8, 12].map(i => box.getFloat32(i, true)) as unknown as typeof crop) : crop
    return () => {
      pdfium.FPDFPage_SetMediaBox(page, ...media)
      pdfium.FPDFPage_SetCropBox(page, ...crop)
    }
  })

/** Annotations and form fields that become content, those that nobody sees, and links that lead where none may lead. */
type Annotations = { seen: number; unseen: number; links: number }

/** Flags of an annotation (PDF 32000-1, 12.5.3). */
const [hidden, noView] = [2, 32]

/** Links, and windows that are only shown when a note is opened, among the kinds that the reader counts. */
const [linkKind, popup] = [2, 16]

/**
 * Takes the annotations of a loaded page apart: those that nobody sees are hidden, so that flattening, which heeds no other
 * flag, leaves them out. Returns how many there are of each kind, windows of notes aside.
 */
const hideUnseen = ({ pdfium }: Reader, page: number): Annotations => {
  const found = { seen: 0, unseen: 0, links: 0 }
  for (let i = 0, count = pdfium.FPDFPage_GetAnnotCount(page); i < count; i++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, i)
    if (annotation === 0) continue
    const flags = pdfium.FPDFAnnot_GetFlags(annotation)
    const kind = pdfium.FPDFAnnot_GetSubtype(annotation)
    if ((flags & noView) !== 0) pdfium.FPDFAnnot_SetFlags(annotation, flags | hidden)
    if (kind === linkKind) found.links++
    else if (kind !== popup) {
      if ((flags & (hidden | noView)) === 0 && pdfium.EPDFAnnot_HasAppearanceStream(annotation, 0)) found.seen++
      else found.unseen++
    }
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
  return found
}

/** A document whose annotations and form fields have become content of their pages. */
export type Flattened = {
  bytes: Uint8Array
  links: Link[][]
  annotations: Annotations
  /** Pages with annotations, with how some of them looked before. */
  looks: Map<number, Picture | undefined>
  /** Where pages showed form fields with a cell for each letter. */
  combs: Map<number, FieldBox[]>
}

/** Loads the form fields of a document. */
const openForms = ({ pdfium, document }: Reader) => {
  const info = pdfium.PDFiumExt_OpenFormFillInfo()
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info)
  return {
    form,
    close: () => {
      pdfium.PDFiumExt_ExitFormFillEnvironment(form)
      pdfium.PDFiumExt_CloseFormFillInfo(info)
    },
  }
}

/** Uses pages of a document with their annotations and form fields. */
export const withForms = <T>(
  reader: Reader,
  pages: readonly number[],
  use: (page: number, form: number) => T,
): Map<number, T> => {
  const { form, close } = openForms(reader)
  const used = pages.map(index =>
    reader.fresh(index, page => {
      reader.pdfium.FORM_OnAfterLoadPage(page, form)
      const made = use(page, form)
      reader.pdfium.FORM_OnBeforeClosePage(page, form)
      return [index, made] as const
    }),
  )
  close()
  return new Map(used)
}

/** The bytes of a document as it is now, without its encryption. */
export const unprotected = ({ pdfium, document }: Reader): Uint8Array => {
  pdfium.EPDF_RemoveEncryption(document)
  return saveDocument(pdfium, document)
}

/**
 * Makes annotations and form fields ordinary content, so that one cutter reaches all that a page shows. `look` may draw
 * each page that has some as it was.
 */
export const flatten = (
  reader: Reader,
  look: (page: number, form: number) => Picture | undefined = () => undefined,
): Flattened => {
  const { pdfium, document } = reader
  const { form, close } = openForms(reader)
  const links: Link[][] = []
  const [looks, combs]: [Flattened['looks'], Flattened['combs']] = [new Map(), new Map()]
  const annotations: Annotations = { seen: 0, unseen: 0, links: 0 }
  for (let index = 0; index < reader.pages; index++) {
    // Looked up without loading the page, which costs as much as reading its text.
    if (pdfium.EPDFPage_GetAnnotCountRaw(document, index) === 0) {
      links.push([])
      continue
    }
    reader.fresh(index, page => {
      pdfium.FORM_OnAfterLoadPage(page, form)
      const count = pdfium.FPDFPage_GetAnnotCount(page)
      links.push(count > 0 ? readLinks(reader, page) : [])
      if (count > 0) {
        looks.set(index, look(page, form))
        combs.set(index, combFields(reader, page, form))
        const { seen, unseen, links: all } = hideUnseen(reader, page)
        annotations.seen += seen
        annotations.unseen += unseen
        annotations.links += Math.max(0, all - (links[index]?.length ?? 0))
        const restore = keepBoxes(reader, page)
        const flattened = pdfium.FPDFPage_Flatten(page, 0)
        restore()
        if (flattened === 0)
          throw new EngineError('corrupt_file', 'The annotations of a page cannot be read', [
            'pages',
            String(index + 1),
          ])
      }
      pdfium.FORM_OnBeforeClosePage(page, form)
    })
  }
  const bytes = unprotected(reader)
  close()
  return { bytes, links, annotations, looks, combs }
}
