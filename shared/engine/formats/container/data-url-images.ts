import { images } from '../image/index.ts'
import { emf, wmf } from '../metafile/index.ts'
import { blankPng } from '../ooxml/blank-image.ts'
import { isDrawn } from './drawn.ts'
import { emptyPicture, type HeldFile, isBase64 } from './file-address.ts'
import type { InlineImage } from './inline-images.ts'

const formats = [...images, emf, wmf]

const formatOf = (bytes: Uint8Array) => formats.find(({ matches }) => matches(bytes, '') > 0)

/** The file in an address, to be read as a picture, or to give way to an empty one; undefined for the empty one itself. */
export function readFileAddress(uri: string, start: number, end: number): InlineImage | undefined {
  const bytes = Buffer.from(percentDecoded(uri.slice(uri.indexOf(',') + 1)), 'base64')
  if (blankPng.equals(bytes)) return undefined
  return readPicture(uri, start, end) ?? { start, end, bytes, encode: () => emptyPicture, blank: emptyPicture }
}

const drawingType = 'image/svg+xml'

/** The picture in an address; undefined where it is of no kind that can be read. */
export function readPicture(uri: string, start: number, end: number): InlineImage | undefined {
  const match = /^\s*data:(image\/[\w.+-]+)(?:;[\w=-]+)*?;base64,/i.exec(uri)
  if (match === null) return undefined
  const bytes = Buffer.from(percentDecoded(uri.slice(match[0].length)), 'base64')
  const isDrawing = match[1]!.toLowerCase() === drawingType && isDrawn(bytes)
  const mediaType = isDrawing ? drawingType : formatOf(bytes)?.mediaType
  if (mediaType === undefined) return undefined
  const encode = (out: Uint8Array) => `data:${mediaType};base64,${Buffer.from(out).toString('base64')}`
  return { start, end, bytes, encode, blank: emptyPicture, ...(isDrawing && { isDrawing }) }
}

/** Characters of the shortest base64 that may be a picture. */
const shortest = 64

/** First bytes of documents and archives: PDF, Office files and others in zip, old ones of Office, RTF, gzip. */
const documents = ['%PDF-', 'PK\x03\x04', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', '{\\rtf', '\x1f\x8b\x08']

const isDocument = (bytes: Buffer) => documents.some(start => bytes.toString('latin1', 0, start.length) === start)

/**
 * The picture in a text that is nothing but its base64, as notebooks and many interfaces store it; or a document, which gives
 * way to an empty picture. One of a kind that can't be read is one only where it `isNamed` so.
 */
export function readBase64Picture(text: string, start: number, end: number, isNamed: boolean): InlineImage | undefined {
  if ((text.length < shortest && !isNamed) || !isBase64(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (blankPng.equals(bytes)) return undefined
  if (formatOf(bytes) === undefined && !isNamed && !isDocument(bytes)) return undefined
  const encode = (out: Uint8Array) => Buffer.from(out).toString('base64')
  return { start, end, bytes, encode, blank: blankPng.toString('base64') }
}

/** A file that was found in a text, which stands in its source between two offsets; undefined for a picture that shows nothing. */
export function readHeldFile(text: string, { empty }: HeldFile, start: number, end: number): InlineImage | undefined {
  if (text === empty) return undefined
  if (empty === emptyPicture) return readFileAddress(text, start, end)
  const blank = blankPng.toString('base64')
  return readBase64Picture(text, start, end, false) ?? { start, end, bytes: none, encode: () => blank, blank }
}

const none = new Uint8Array()

/** A text with its percent signs undone. */
export function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, run => {
    try {
      return decodeURIComponent(run)
    } catch {
      return Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1')
    }
  })
}
