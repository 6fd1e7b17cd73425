import { PDFDocument } from '@cantoo/pdf-lib'
import { EngineError } from '../../errors.ts'
import type { FormatContext, Segment, SegmentSeam } from '../format.ts'
import type { Flattened } from './objects/annotations.ts'
import { complete } from './objects/complete.ts'
import type { HiddenStrings } from './objects/hidden-strings.ts'
import type { Reader } from './page-reader.ts'
import type { PictureText } from './pictures/pictures.ts'
import type { keptStretches } from './text/char-boxes.ts'
import type { PageText } from './text/page-text.ts'

/** What an opened PDF knows of itself. */
export type Opened = {
  reader: Reader
  flattened: Flattened
  /** Whether viewers may show it otherwise, as its table of objects, its tree of pages or the parts of its content are broken. */
  isDamaged: boolean
  /** Pages (from 0) whose annotations look otherwise since they are content. */
  changed: number[]
  /** The bytes of the file. */
  input(): Promise<Uint8Array>
  context: FormatContext
  /** Text of a page, counted from 0. */
  text(page: number): PageText
  /** Where stretches of a page's text stand. */
  stretches: ReturnType<typeof keptStretches>
  /** What pictures on a page show, as far as it can be read. */
  pictures(page: number, next?: number): Promise<PictureText | undefined>
  /** The same, of a page that has been asked for it. */
  seen(page: number): PictureText | undefined
  /** Where the texts of a page go on from the one before and on the next one, which have been read. */
  seams: Record<'body' | 'ocr', (page: number) => SegmentSeam[] | undefined>
  /** The texts outside of the pages' flow. */
  hidden(): Promise<Segment[]>
  /** A fresh copy of the objects, to be changed. */
  prepare(): Promise<Prepared>
}

/**
 * A document as PDFium wrote it, without the table of its objects' places: the library reads all objects in their order and
 * takes a minute for a table with many gaps.
 */
const withoutTable = (bytes: Uint8Array): Uint8Array => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const table = file.lastIndexOf('\nxref')
  const trailer = file.indexOf('trailer', table)
  return table < 0 || trailer < 0 ? bytes : Buffer.concat([file.subarray(0, table + 1), file.subarray(trailer)])
}

/** Reads the objects of a document of so many pages. Throws `corrupt_file`. */
export const loadDocument = async (bytes: Uint8Array, pages: number): Promise<PDFDocument> => {
  const load = async () => {
    const document = await PDFDocument.load(withoutTable(bytes), {
      updateMetadata: false,
      parseSpeed: Number.POSITIVE_INFINITY,
    })
    complete(document)
    document.getPages()
    return document
  }
  const document = await load().catch(() => {
    // The library's own messages may quote the file.
    throw new EngineError('corrupt_file', 'The objects of the PDF cannot be read')
  })
  if (document.getPageCount() !== pages)
    throw new EngineError('corrupt_file', 'The pages of the PDF are not what its page tree says')
  return document
}

/** The writer's view of a document: its objects, cleaned, with the texts that stand outside the pages' flow. */
export type Prepared = {
  document: PDFDocument
  hidden: HiddenStrings
  names: string[]
  dropped: Map<string, number>
  /** Layers that are switched off at first. */
  layersOff: number
}
