import { readHeldFile, readPicture } from '../container/data-url-images.ts'
import { allFilesIn, emptyPicture } from '../container/file-address.ts'
import { type HtmlReading, hide } from './parse-state.ts'
import { decodeDataUri, emptyDataUri } from './values.ts'

const dataAddress = /data:(?:image|font|audio|video|application|text)\/[\w.+-]+(?:;[\w=-]+)*,[\w+/=%.-]*/gi

/** A whole value that is one address with a file in it. */
export const isAddress = new RegExp(`^\\s*${dataAddress.source}\\s*$`, 'i')

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

/** Reads the files in the addresses of a stretch; `between` is given what stands around them, so that no two changes overlap. */
export function betweenAddresses(
  reading: HtmlReading,
  start: number,
  end: number,
  between: (from: number, to: number) => void,
): void {
  let at = start
  for (const { index, 0: uri } of reading.html.slice(start, end).matchAll(dataAddress)) {
    betweenFiles(reading, at, start + index, between)
    at = start + index + uri.length
    readAddress(reading, uri, start + index, at)
  }
  betweenFiles(reading, at, end, between)
}

function readAddress(reading: HtmlReading, uri: string, start: number, end: number) {
  if (uri === emptyPicture) return
  const picture = readPicture(uri, start, end)
  const data = picture === undefined ? decodeDataUri(uri) : undefined
  if (data !== undefined) hide(reading, 'link', { text: data.text, start, end, encode: data.encode })
  else if (picture !== undefined) reading.embedded.push(picture)
  else {
    reading.blanked++
    reading.cleaning.push({ start, end, text: emptyDataUri })
  }
}
