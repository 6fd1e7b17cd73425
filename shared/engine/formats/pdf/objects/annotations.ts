import { EngineError } from '../../../errors.ts'
import { extentOf } from '../../../lists.ts'
import type { Picture } from '../../../ocr/picture.ts'
import type { Reader } from '../page-reader.ts'
import { borrow, fourFloats, memory, saveDocument } from '../pdfium.ts'
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

/**
 * Annotations and form fields that become content, those that nobody sees, those without an appearance, which viewers draw
 * by rules of their own or not at all, and links that lead where none may lead.
 */
type Annotations = { seen: number; unseen: number; bare: number; links: number }

/** Flags of an annotation (PDF 32000-1, 12.5.3). */
const [invisible, hidden, noView] = [1, 2, 32]

/** Kinds as the reader counts them; a popup is a window that is only shown when a note is opened. */
const kinds = { unknown: 0, link: 2, line: 4, popup: 16, field: 20 }

type Box = { left: number; bottom: number; right: number; top: number }

/** The box of an annotation, whichever of its corners come first. */
const boxOf = ({ pdfium }: Reader, annotation: number): Box =>
  borrow(pdfium, 16, rect => {
    pdfium.FPDFAnnot_GetRect(annotation, rect)
    // FS_RECTF is left, top, right, bottom.
    const [left, top, right, bottom] = fourFloats(pdfium, rect)
    return {
      left: Math.min(left, right),
      bottom: Math.min(bottom, top),
      right: Math.max(left, right),
      top: Math.max(bottom, top),
    }
  })

const isEmpty = ({ left, bottom, right, top }: Box): boolean => !(right > left && top > bottom)

const noLinks: ReadonlySet<string> = new Set()

const placeOf = ({ left, bottom, right, top }: Box): string => [left, bottom, right, top].map(Math.fround).join()

/** Where a page, from 0, has links without an appearance of their own: once it is loaded, PDFium has given them one. */
const bareLinks = (reader: Reader, index: number): Set<string> => {
  const { pdfium, document } = reader
  const found = new Set<string>()
  for (let i = 0; i < pdfium.EPDFPage_GetAnnotCountRaw(document, index); i++) {
    const annotation = pdfium.EPDFPage_GetAnnotRaw(document, index, i)
    if (annotation === 0) continue
    if (pdfium.FPDFAnnot_GetSubtype(annotation) === kinds.link && !pdfium.FPDFAnnot_HasKey(annotation, 'AP'))
      found.add(placeOf(boxOf(reader, annotation)))
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
  return found
}

/** Room around a line for its width and its ends, points. */
const lineRoom = 20

/** Gives a line without an appearance a box to be drawn in where its own is empty, which other readers don't heed. */
const openLine = (reader: Reader, annotation: number): void => {
  const { pdfium } = reader
  if (pdfium.FPDFAnnot_HasKey(annotation, 'AP') || !isEmpty(boxOf(reader, annotation))) return
  borrow(pdfium, 32, scratch => {
    if (!pdfium.FPDFAnnot_GetLine(annotation, scratch, scratch + 8)) return
    const [ax, ay, bx, by] = fourFloats(pdfium, scratch)
    const box = [
      Math.min(ax, bx) - lineRoom,
      Math.max(ay, by) + lineRoom,
      Math.max(ax, bx) + lineRoom,
      Math.min(ay, by) - lineRoom,
    ]
    const rect = memory(pdfium, scratch + 16, 16)
    for (const [i, side] of box.entries()) rect.setFloat32(4 * i, side, true)
    pdfium.FPDFAnnot_SetRect(annotation, scratch + 16)
  })
}

const eachAnnotation = ({ pdfium }: Reader, page: number, use: (annotation: number, kind: number) => void): void => {
  for (let i = 0, count = pdfium.FPDFPage_GetAnnotCount(page); i < count; i++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, i)
    if (annotation === 0) continue
    use(annotation, pdfium.FPDFAnnot_GetSubtype(annotation))
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
}

/** Shows the form fields of a page that was just loaded, and gives annotations without an appearance one where it can. */
const showForms = (reader: Reader, page: number, form: number): void => {
  eachAnnotation(reader, page, (annotation, kind) => {
    if (kind === kinds.line) openLine(reader, annotation)
  })
  reader.pdfium.FORM_OnAfterLoadPage(page, form)
}

/** Whether the appearance of an annotation is cut to an empty box, so that nothing of it shows. */
const isCutAway = ({ pdfium }: Reader, annotation: number): boolean => {
  const clip = pdfium.FPDFPageObj_GetClipPath(pdfium.FPDFAnnot_GetObject(annotation, 0))
  const paths = clip === 0 ? 0 : Math.max(0, pdfium.FPDFClipPath_CountPaths(clip))
  return Array.from({ length: paths }, (_, path) => {
    const count = pdfium.FPDFClipPath_CountPathSegments(clip, path)
    const points = Array.from({ length: count }, (_, at) =>
      borrow(pdfium, 8, point => {
        pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFClipPath_GetPathSegment(clip, path, at), point, point + 4)
        const view = memory(pdfium, point, 8)
        return [view.getFloat32(0, true), view.getFloat32(4, true)] as const
      }),
    )
    const [left, right] = extentOf(points.map(([x]) => x))
    const [bottom, top] = extentOf(points.map(([, y]) => y))
    return isEmpty({ left, right, bottom, top })
  }).some(Boolean)
}

/** What becomes of an annotation that is no link. */
const fateOf = (reader: Reader, annotation: number, kind: number, flags: number): 'seen' | 'unseen' | 'bare' => {
  const { pdfium } = reader
  if (kind === kinds.popup || (flags & (hidden | noView)) !== 0) return 'unseen'
  if (!pdfium.EPDFAnnot_HasAppearanceStream(annotation, 0))
    return kind === kinds.field || kind === kinds.unknown ? 'unseen' : 'bare'
  if (pdfium.FPDFAnnot_GetObjectCount(annotation) === 0 || isEmpty(boxOf(reader, annotation))) return 'unseen'
  return isCutAway(reader, annotation) ? 'unseen' : 'seen'
}

/** Hides links that are made anew, at places that are `bare`: viewers draw their borders, and must not find them in the content too. */
const hideBorders = (reader: Reader, page: number, links: readonly Link[], bare: ReadonlySet<string>): void => {
  const { pdfium } = reader
  const made = new Set(links.map(({ rect: [left, bottom, right, top] }) => placeOf({ left, bottom, right, top })))
  eachAnnotation(reader, page, (annotation, kind) => {
    const place = placeOf(boxOf(reader, annotation))
    if (kind === kinds.link && made.has(place) && bare.has(place))
      pdfium.FPDFAnnot_SetFlags(annotation, pdfium.FPDFAnnot_GetFlags(annotation) | hidden)
  })
}

/**
 * Takes the annotations of a loaded page apart: those that nobody sees are hidden, so that flattening leaves them out, and
 * those that the reader draws are told to show, though they are of no use without a program for their kind. Returns how
 * many there are of each sort; of popups those that have an appearance, which some viewers draw.
 */
const hideUnseen = (reader: Reader, page: number): Annotations => {
  const { pdfium } = reader
  const found = { seen: 0, unseen: 0, bare: 0, links: 0 }
  eachAnnotation(reader, page, (annotation, kind) => {
    const flags = pdfium.FPDFAnnot_GetFlags(annotation)
    if ((flags & noView) !== 0) pdfium.FPDFAnnot_SetFlags(annotation, flags | hidden)
    else if ((flags & invisible) !== 0) pdfium.FPDFAnnot_SetFlags(annotation, flags & ~invisible)
    if (kind === kinds.link) found.links++
    else if (kind !== kinds.popup || pdfium.EPDFAnnot_HasAppearanceStream(annotation, 0))
      found[fateOf(reader, annotation, kind, flags)]++
  })
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

/**
 * Uses pages of a document with their annotations and form fields; `borders` says whether those of links are shown too,
 * which viewers draw around links that are made anew.
 */
export const withForms = <T>(
  reader: Reader,
  pages: readonly number[],
  borders: 'shown' | 'hidden',
  use: (page: number, form: number) => T,
): Map<number, T> => {
  const { form, close } = openForms(reader)
  const used = pages.map(index => {
    const bare = borders === 'hidden' ? bareLinks(reader, index) : noLinks
    return reader.fresh(index, page => {
      showForms(reader, page, form)
      if (bare.size > 0) hideBorders(reader, page, readLinks(reader, page), bare)
      const made = use(page, form)
      reader.pdfium.FORM_OnBeforeClosePage(page, form)
      return [index, made] as const
    })
  })
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
  const annotations: Annotations = { seen: 0, unseen: 0, bare: 0, links: 0 }
  for (let index = 0; index < reader.pages; index++) {
    // Looked up without loading the page, which costs as much as reading its text.
    if (pdfium.EPDFPage_GetAnnotCountRaw(document, index) === 0) {
      links.push([])
      continue
    }
    const bare = bareLinks(reader, index)
    reader.fresh(index, page => {
      showForms(reader, page, form)
      const count = pdfium.FPDFPage_GetAnnotCount(page)
      links.push(count > 0 ? readLinks(reader, page) : [])
      if (count > 0) {
        hideBorders(reader, page, links[index] ?? [], bare)
        looks.set(index, look(page, form))
        combs.set(index, combFields(reader, page, form))
        const { links: all, ...fates } = hideUnseen(reader, page)
        for (const fate of ['seen', 'unseen', 'bare'] as const) annotations[fate] += fates[fate]
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
