import { EngineError } from '../../errors.ts'
import type { Picture } from '../../ocr/ocr.ts'
import { borrow, memory, type Pdfium, saveDocument, startPdfium } from './pdfium.ts'

/** A document opened by PDFium. */
export type Reader = {
  pdfium: Pdfium
  document: number
  pages: number
  /**
   * Runs `use` with a loaded page, counted from 0. The page stays loaded until another one is asked for; where the reader
   * holds pages, until it lets them go.
   */
  page<T>(index: number, use: (page: number) => T): T
  /** The text of a page that {@link Reader.page} handed out, opened once; 0 where there is none. */
  text(page: number): number
  /** The same with a page of its own, which `use` may change. */
  fresh<T>(index: number, use: (page: number) => T): T
  /** Lets the pages go that are held. */
  release(): void
  close(): void
}

const passwordWanted = 4
const unknownProtection = 5

/**
 * Opens the bytes of a PDF; the empty password is tried. Pages of up to `most` characters in all stay loaded until they
 * are released. Throws `encrypted_file` or `corrupt_file`.
 */
export const openReader = async (bytes: Uint8Array, most = 0): Promise<Reader> => {
  const pdfium = await startPdfium()
  const { malloc } = pdfium.pdfium.wasmExports
  const pointer = malloc(bytes.length)
  if (pointer === 0) throw new EngineError('limit_exceeded', 'The document does not fit into memory')
  pdfium.pdfium.HEAPU8.set(bytes, pointer)
  const document = pdfium.FPDF_LoadMemDocument(pointer, bytes.length, '')
  if (document === 0) {
    const reason = pdfium.FPDF_GetLastError()
    if (reason === passwordWanted || reason === unknownProtection) throw new EngineError('encrypted_file')
    throw new EngineError('corrupt_file', 'The PDF cannot be opened')
  }
  const load = (index: number): number => {
    const page = pdfium.FPDF_LoadPage(document, index)
    if (page === 0) throw new EngineError('corrupt_file', 'A page cannot be read', ['pages', String(index + 1)])
    return page
  }
  let open = true
  let last: { index: number; page: number } | undefined
  const texts = new Map<number, number>()
  const held = new Map<number, number>()
  let room = most
  const closePage = (page: number) => {
    const text = texts.get(page) ?? 0
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
    texts.delete(page)
    pdfium.FPDF_ClosePage(page)
  }
  const leave = () => {
    if (!last) return
    const { index, page } = last
    last = undefined
    const text = texts.get(page) ?? 0
    const size = text === 0 ? Number.POSITIVE_INFINITY : pdfium.FPDFText_CountChars(text)
    if (size > room) return closePage(page)
    room -= size
    held.set(index, page)
  }
  const release = () => {
    for (const page of held.values()) closePage(page)
    held.clear()
    room = most
  }
  return {
    pdfium,
    document,
    pages: pdfium.FPDF_GetPageCount(document),
    page: (index, use) => {
      const known = held.get(index)
      if (known !== undefined) return use(known)
      if (last?.index !== index) {
        // Before the last one goes, for it may be all that keeps their fonts.
        const page = load(index)
        leave()
        last = { index, page }
      }
      return use(last.page)
    },
    text: page => {
      const text = texts.get(page) ?? pdfium.FPDFText_LoadPage(page)
      texts.set(page, text)
      return text
    },
    fresh: (index, use) => {
      leave()
      const page = load(index)
      try {
        return use(page)
      } finally {
        pdfium.FPDF_ClosePage(page)
      }
    },
    release,
    close: () => {
      release()
      if (last) closePage(last.page)
      last = undefined
      if (open) pdfium.FPDF_CloseDocument(document)
      open = false
    },
  }
}

/** What a link draws around itself, as its annotation writes it; what it leaves out is left to viewers. */
type LinkLook = { Border?: number[]; BS?: { W: number; S: string; D?: number[] }; C?: number[] }

/** A place on a page that leads elsewhere: a web address, or a page (from 0) of the same document. */
export type Link = { rect: [number, number, number, number]; look: LinkLook } & ({ uri: string } | { page: number })

/** Styles of borders by the numbers that the reader gives them. */
const borderStyles = ['S', 'S', 'D', 'B', 'I', 'U']

const lookOf = ({ pdfium }: Reader, page: number, link: number): LinkLook => {
  const annotation = pdfium.FPDFLink_GetAnnot(page, link)
  if (annotation === 0) return {}
  const has = (key: string) => pdfium.FPDFAnnot_HasKey(annotation, key)
  const look: LinkLook = {}
  const floats = (count: number, read: (pointer: number) => unknown): number[] =>
    borrow(pdfium, 4 * count, pointer => {
      read(pointer)
      const view = memory(pdfium, pointer, 4 * count)
      return Array.from({ length: count }, (_, i) => view.getFloat32(4 * i, true))
    })
  if (has('Border')) look.Border = floats(3, at => pdfium.FPDFAnnot_GetBorder(annotation, at, at + 4, at + 8))
  if (has('BS')) {
    let style = 0
    const [width = 1] = floats(1, at => {
      style = pdfium.EPDFAnnot_GetBorderStyle(annotation, at)
    })
    look.BS = { W: width, S: borderStyles[style] ?? 'S' }
    const count = Math.min(16, pdfium.EPDFAnnot_GetBorderDashPatternCount(annotation))
    if (count > 0) look.BS.D = floats(count, at => pdfium.EPDFAnnot_GetBorderDashPattern(annotation, at, count))
  }
  if (has('C'))
    look.C = borrow(pdfium, 12, at => {
      if (!pdfium.EPDFAnnot_GetColor(annotation, 0, at, at + 4, at + 8)) return []
      const view = memory(pdfium, at, 12)
      return [0, 4, 8].map(part => view.getUint32(part, true) / 255)
    })
  pdfium.FPDFPage_CloseAnnot(annotation)
  return look
}

const readLinks = (reader: Reader, page: number): Link[] => {
  const { pdfium, document } = reader
  return borrow(pdfium, 8, scratch => {
    const links: Link[] = []
    memory(pdfium, scratch, 4).setInt32(0, 0, true)
    while (pdfium.FPDFLink_Enumerate(page, scratch, scratch + 4)) {
      const link = memory(pdfium, scratch + 4, 4).getUint32(0, true)
      const found = borrow(pdfium, 16, rect => {
        if (!pdfium.FPDFLink_GetAnnotRect(link, rect)) return
        const view = memory(pdfium, rect, 16)
        // FS_RECTF is left, top, right, bottom.
        const at = (i: number) => view.getFloat32(i * 4, true)
        const box: [number, number, number, number] = [at(0), at(3), at(2), at(1)]
        const look = lookOf(reader, page, link)
        const action = pdfium.FPDFLink_GetAction(link)
        const size = action === 0 ? 0 : pdfium.FPDFAction_GetURIPath(document, action, 0, 0)
        if (size > 1) {
          const uri = borrow(pdfium, size, text => {
            pdfium.FPDFAction_GetURIPath(document, action, text, size)
            return Buffer.from(pdfium.pdfium.HEAPU8.subarray(text, text + size - 1)).toString('latin1')
          })
          return { rect: box, look, uri }
        }
        const own = pdfium.FPDFLink_GetDest(document, link)
        const destination = own === 0 && action !== 0 ? pdfium.FPDFAction_GetDest(document, action) : own
        const target = destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(document, destination)
        return target < 0 ? undefined : { rect: box, look, page: target }
      })
      if (found) links.push(found)
    }
    return links
  })
}

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

/** Flags of an annotation (PDF 32000-1, 12.5.3), and the kind that is only shown when another is opened. */
const [hidden, noView, popup] = [2, 32, 16]

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

/** A link among the kinds of annotations, as the reader counts them. */
const linkKind = 2

/** A document whose annotations and form fields have become content of their pages. */
export type Flattened = {
  bytes: Uint8Array
  links: Link[][]
  annotations: Annotations
  /** Pages with annotations, with how some of them looked before. */
  looks: Map<number, Picture | undefined>
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
  const looks: Flattened['looks'] = new Map()
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
  pdfium.EPDF_RemoveEncryption(document)
  const bytes = saveDocument(pdfium, document)
  close()
  return { bytes, links, annotations, looks }
}
