import { longRun } from '../../long-runs.ts'
import { readHeldFile, readPicture } from '../container/data-url-images.ts'
import { allFilesIn, emptyPicture } from '../container/file-address.ts'
import type { InlineImage } from '../container/inline-images.ts'
import { isDrawing } from '../container/whole-drawing.ts'
import { type HtmlReading, hide, same } from './parse-state.ts'
import { decodeDataUri, emptyDataUri, isDrawingAddress } from './values.ts'

const dataAddress = new RegExp(
  String.raw`data:(?:image|font|audio|video|application|text)/[\w.+-]+(?:;[\w=-]+)*,${longRun(String.raw`[\w+/=%.-]`, 'content')}`,
  'gi',
)

/** A whole value that is one address with a file in it. */
export const isAddress = new RegExp(`^\\s*${dataAddress.source}\\s*$`, 'i')

const drawingHead = /^data:image\/svg\+xml(?:;[\w=-]+)*,/i
/** Quotation marks as a style sheet or an attribute writes them. */
const mark = /("|'|&quot;|&#3[49];|&apos;)\s*$/i
/** Characters in front of an address among which such a mark stands. */
const beforeAddress = 64

/** Where a drawing ends that is not in base64 and stands between quotation marks; nothing where an address is none. */
function endOfDrawing(text: string, start: number, address: string): number | undefined {
  const head = drawingHead.exec(address)?.[0]
  const quoted = head === undefined ? null : mark.exec(text.slice(Math.max(0, start - beforeAddress), start))
  if (head === undefined || quoted === null) return undefined
  const from = start + head.length
  const end = text.indexOf(quoted[1]!, from)
  return end <= from || text.slice(from, end).includes('\\') ? undefined : end
}

function* addressesIn(text: string): Generator<{ start: number; end: number }> {
  const next = new RegExp(dataAddress)
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const end = endOfDrawing(text, found.index, found[0]) ?? next.lastIndex
    yield { start: found.index, end }
    next.lastIndex = end
  }
}

/** Reads the files that a stretch holds in base64; `between` is given what stands around them. */
export function betweenFiles(
  { html, embedded, mayHoldFiles }: HtmlReading,
  start: number,
  end: number,
  between: (from: number, to: number) => void,
): void {
  let at = start
  for (const held of mayHoldFiles ? allFilesIn(html.slice(start, end)) : []) {
    const from = start + held.start
    between(at, from)
    at = start + held.end
    const file = readHeldFile(html.slice(from, at), held, from, at)
    if (file) embedded.push(file)
  }
  between(at, end)
}

/**
 * Reads the files in the addresses of a stretch; `between` is given what stands around them, so that no two changes overlap.
 * `decode` undoes how the stretch is written.
 */
export function betweenAddresses(
  reading: HtmlReading,
  start: number,
  end: number,
  between: (from: number, to: number) => void,
  decode = same,
): void {
  let at = start
  for (const address of addressesIn(reading.html.slice(start, end))) {
    const from = start + address.start
    betweenFiles(reading, at, from, between)
    at = start + address.end
    const uri = reading.html.slice(from, at)
    readAddress(reading, uri, decode(uri), from, at)
  }
  betweenFiles(reading, at, end, between)
}

/** How a drawing is written in an address, whatever marks stand around that. */
const encodeDrawing = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16)}`)

/** The drawing that an address holds as a text, which stays as it is written where nothing in it changes. */
function readDrawing(raw: string, uri: string, start: number, end: number): InlineImage | undefined {
  const text = isDrawingAddress('', uri) ? decodeDataUri(uri)?.text : undefined
  if (text === undefined || !isDrawing(text)) return undefined
  const encode = (bytes: Uint8Array) => {
    const out = Buffer.from(bytes).toString()
    return out === text ? raw : `data:image/svg+xml,${encodeDrawing(out)}`
  }
  return { start, end, bytes: Buffer.from(text), isDrawing: true, encode, blank: emptyPicture }
}

function readAddress(reading: HtmlReading, raw: string, uri: string, start: number, end: number) {
  if (uri === emptyPicture) return
  const picture = readPicture(uri, start, end) ?? readDrawing(raw, uri, start, end)
  const data = picture === undefined ? decodeDataUri(uri) : undefined
  if (data !== undefined) hide(reading, 'link', { text: data.text, start, end, encode: data.encode })
  else if (picture !== undefined) reading.embedded.push(picture)
  else {
    reading.blanked++
    reading.cleaning.push({ start, end, text: emptyDataUri })
  }
}
