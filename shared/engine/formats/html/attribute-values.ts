import { decodeHTMLAttribute } from 'entities'
import { QuoteType } from 'htmlparser2'
import { emptyPicture, holdsFile } from '../container/file-address.ts'
import type { Segment } from '../format.ts'
import { addressWording } from '../office/wording.ts'
import type { SourceRun } from '../text/text-nodes.ts'
import { cssRuns } from './css.ts'
import { betweenAddresses, betweenFiles, isAddress } from './data-addresses.ts'
import { type HtmlReading, hide, hideStretch, type Stretch } from './parse-state.ts'
import { shifts } from './shifted.ts'
import { attributeWording, isStructural, placing, urlAttributes } from './tags.ts'
import { decodeDataUri, decodeUrl, emptyDataUri, isDrawingAddress } from './values.ts'

type Mark = '"' | "'" | ''

/** A value as it is written, what it says, and the marks around it. */
type Value = { raw: string; text: string; start: number; end: number; mark: Mark }

/** Reads the value of the attribute that ends here, if it has one. */
export function readValue(reading: HtmlReading, quote: QuoteType): void {
  const { html, attribute, valueStart: start, valueEnd: end } = reading
  if (start < 0) return
  reading.valueStart = -1
  const raw = html.slice(start, end)
  if (reading.tag === 'script' && attribute === 'type') reading.scriptType = raw
  if (attribute === 'style' && /display\s*:\s*none/i.test(raw)) reading.isUnseen = true
  reading.isShifted ||= shifts(reading.shifted, attribute, raw)
  if (placing.has(attribute)) reading.placed.set(attribute, raw)
  reading.values.attribute(reading.tag, attribute, reading.attributeStart, end + (quote > QuoteType.Unquoted ? 1 : 0))
  if (isStructural(reading.tag, attribute, raw)) return
  const mark = quote === QuoteType.Double ? '"' : quote === QuoteType.Single ? "'" : ''
  const text = raw.includes('&') ? decodeHTMLAttribute(raw) : raw
  const value = { raw, text, start, end, mark } as const
  if (/data:/i.test(text)) readData(reading, value)
  else if (urlAttributes.has(attribute) && !(reading.mayHoldFiles && holdsFile(raw))) readUrl(reading, value)
  else readPlain(reading, value)
}

/** A value with a file in it, or a text that is written as one. */
function readData(reading: HtmlReading, { raw, text, start, end, mark }: Value) {
  const { html, attribute, encodeValue, cleaning } = reading
  const write = encodeValue[mark]
  // A set of pictures says behind each address how large that picture is.
  const isSet = attribute.endsWith('srcset')
  const data = isSet ? undefined : decodeDataUri(text)
  if (data && isDrawingAddress(attribute, text))
    reading.embedded.push({
      start,
      end,
      bytes: Buffer.from(data.text),
      isDrawing: true,
      encode: bytes => write(data.encode(Buffer.from(bytes).toString())),
      blank: write(emptyPicture),
    })
  else if (data) hide(reading, 'link', { text: data.text, start, end, encode: out => write(data.encode(out)) })
  else if (!isSet && /^\s*data:(?!,)/i.test(text) && !isAddress.test(raw)) {
    reading.blanked++
    cleaning.push({ start, end, text: write(emptyDataUri) })
  } else
    betweenAddresses(
      reading,
      start,
      end,
      (from, to) => {
        const text = decodeHTMLAttribute(html.slice(from, to))
        const wording = attributeWording(attribute, text)
        hideStretch(reading, 'attribute', [from, to], runs(html, encodeValue[mark || '"']), wording)
      },
      decodeHTMLAttribute,
    )
}

/** Makes runs of stretches of a value. */
const runs = (html: string, encode: (out: string) => string) => (start: number, end: number) => ({
  text: decodeHTMLAttribute(html.slice(start, end)),
  start,
  end,
  encode,
})

function readUrl(reading: HtmlReading, { text, start, end, mark }: Value) {
  const write = reading.encodeValue[mark]
  const runOf = (from: number, to: number) => {
    const part = to - from === end - start ? text : decodeHTMLAttribute(reading.html.slice(from, to))
    const url = decodeUrl(part)
    return { text: url.text, start: from, end: to, encode: (out: string) => write(url.encode(out)) }
  }
  hideValue(reading, 'link', [start, end], mark, runOf, addressWording(decodeUrl(text).text))
}

function readPlain(reading: HtmlReading, { raw, text: whole, start, end, mark }: Value) {
  const { html, attribute, encodeValue } = reading
  const encode = encodeValue[mark]
  const isEscaped = attribute === 'style' && mark !== '' && raw.includes('\\') && whole === raw
  const runOf = (from: number, to: number) => {
    if (isEscaped) return cssRuns(html, from, to, encode)
    const text = to - from === end - start ? whole : decodeHTMLAttribute(html.slice(from, to))
    return { text, start: from, end: to, encode }
  }
  betweenFiles(reading, start, end, (from, to) => {
    const text = to - from === end - start ? whole : decodeHTMLAttribute(html.slice(from, to))
    hideValue(reading, 'attribute', [from, to], mark, runOf, attributeWording(attribute, text))
  })
}

/** Hides a value, or a part of it; what has no marks around it is written as a whole, with them. */
function hideValue(
  reading: HtmlReading,
  kind: 'link' | 'attribute',
  at: Stretch,
  mark: Mark,
  runOf: (start: number, end: number) => SourceRun | SourceRun[],
  wording: Segment['wording'],
) {
  if (mark === '') hide(reading, kind, runOf(...at), wording)
  else hideStretch(reading, kind, at, runOf, wording)
}
