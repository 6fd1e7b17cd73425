import { EngineError } from '../../errors.ts'
import { endPdfium, type Pdfium, startPdfium } from './pdfium.ts'

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
  /** The same with a page of which `use` may hide objects; they show again afterwards. */
  hiding<T>(index: number, use: (page: number, hide: (object: number) => void) => T): T
  /** Tells that a page was drawn: it keeps its decoded pictures for the next drawing, and is not held. */
  drawn(page: number): void
  /** Changes each page as it is loaded from now on; those that are loaded are closed. */
  onLoad(change: (page: number) => void): void
  /** Lets the pages go that are held and stand before another one. */
  release(before: number): void
  close(): void
}

const passwordWanted = 4
const unknownProtection = 5

/** Copies a PDF into the memory of PDFium and opens it: its handle. */
const loadDocument = (pdfium: Pdfium, bytes: Uint8Array): number => {
  const pointer = pdfium.pdfium.wasmExports.malloc(bytes.length)
  if (pointer === 0) throw new EngineError('limit_exceeded', 'The document does not fit into memory')
  pdfium.pdfium.HEAPU8.set(bytes, pointer)
  const document = pdfium.FPDF_LoadMemDocument(pointer, bytes.length, '')
  if (document !== 0) return document
  const reason = pdfium.FPDF_GetLastError()
  if (reason === passwordWanted || reason === unknownProtection) throw new EngineError('encrypted_file')
  throw new EngineError('corrupt_file', 'The PDF cannot be opened')
}

const loadPage = (pdfium: Pdfium, document: number, index: number): number => {
  const page = pdfium.FPDF_LoadPage(document, index)
  if (page === 0) throw new EngineError('corrupt_file', 'A page cannot be read', ['pages', String(index + 1)])
  return page
}

/** The loaded pages of a document: the last one, and those held besides, of up to `most` characters in all. */
const createPages = (pdfium: Pdfium, load: (index: number) => number, most: number) => {
  let last: { index: number; page: number } | undefined
  const texts = new Map<number, number>()
  const held = new Map<number, number>()
  const drawn = new Set<number>()
  let room = most
  const closePage = (page: number) => {
    const text = texts.get(page) ?? 0
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
    texts.delete(page)
    drawn.delete(page)
    pdfium.FPDF_ClosePage(page)
  }
  /** Characters of a page whose text was opened. */
  const sizeOf = (page: number): number => {
    const text = texts.get(page) ?? 0
    return text === 0 ? Number.POSITIVE_INFINITY : pdfium.FPDFText_CountChars(text)
  }
  return {
    closePage,
    /** The page that is loaded already, or is loaded now in place of the last one. */
    page(index: number): number {
      const known = held.get(index)
      if (known !== undefined) return known
      if (last?.index !== index) {
        // Before the last one goes, for it may be all that keeps their fonts.
        const page = load(index)
        this.leave()
        last = { index, page }
      }
      return last.page
    },
    text(page: number): number {
      const text = texts.get(page) ?? pdfium.FPDFText_LoadPage(page)
      texts.set(page, text)
      return text
    },
    drawn(page: number): void {
      drawn.add(page)
      const [index] = [...held].find(([, other]) => other === page) ?? []
      if (index === undefined) return
      held.delete(index)
      room += sizeOf(page)
      this.leave()
      last = { index, page }
    },
    /** Holds the last page where there is room for its text and it was not drawn, and closes it otherwise. */
    leave(): void {
      if (!last) return
      const { index, page } = last
      last = undefined
      const size = sizeOf(page)
      if (size > room || drawn.has(page)) closePage(page)
      else {
        room -= size
        held.set(index, page)
      }
    },
    release(before: number): void {
      for (const [index, page] of held) {
        if (index >= before) continue
        room += sizeOf(page)
        closePage(page)
        held.delete(index)
      }
    },
    close(): void {
      this.release(Number.POSITIVE_INFINITY)
      if (last) closePage(last.page)
      last = undefined
    },
  }
}

/**
 * Opens the bytes of a PDF; the empty password is tried. Pages of up to `most` characters in all stay loaded until they
 * are released. Throws `encrypted_file` or `corrupt_file`.
 */
export const openReader = async (bytes: Uint8Array, most = 0): Promise<Reader> => {
  const pdfium = await startPdfium()
  const document = loadDocument(pdfium, bytes)
  let change: (page: number) => void = () => {}
  const load = (index: number) => {
    const page = loadPage(pdfium, document, index)
    change(page)
    return page
  }
  const pages = createPages(pdfium, load, most)
  // PDFium decodes JPEG 2000 only as finely as a drawing asks for: one of a page that was drawn finer looks otherwise.
  const scalable = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('JPXDecode')
  let open = true
  /** Its PDFium may have another document since. */
  const refuseClosed = () => {
    if (!open) throw new Error('The document is closed')
  }
  const page: Reader['page'] = (index, use) => {
    refuseClosed()
    return use(pages.page(index))
  }
  const fresh: Reader['fresh'] = (index, use) => {
    refuseClosed()
    pages.leave()
    const page = load(index)
    try {
      return use(page)
    } finally {
      pages.closePage(page)
    }
  }
  return {
    pdfium,
    document,
    pages: pdfium.FPDF_GetPageCount(document),
    page,
    text: pages.text,
    fresh,
    hiding: (index, use) =>
      (scalable ? fresh : page)(index, page => {
        const hidden: number[] = []
        try {
          return use(page, object => {
            pdfium.FPDFPageObj_SetIsActive(object, false)
            hidden.push(object)
          })
        } finally {
          for (const object of hidden) pdfium.FPDFPageObj_SetIsActive(object, true)
        }
      }),
    drawn: page => pages.drawn(page),
    onLoad: use => {
      refuseClosed()
      pages.close()
      change = use
    },
    release: before => {
      refuseClosed()
      pages.release(before)
    },
    close: () => {
      if (!open) return
      open = false
      try {
        pages.close()
        pdfium.FPDF_CloseDocument(document)
        endPdfium(pdfium)
      } catch {
        // After a trap it can't free anything; its memory goes with it, and the reason for the trap must be heard.
      }
    },
  }
}
