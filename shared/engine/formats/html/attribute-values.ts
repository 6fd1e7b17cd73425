import { decodeHTMLAttribute } from 'entities'
import { QuoteType } from 'htmlparser2'
import { holdsFile } from '../container/file-address.ts'
import { addressWording } from '../office/wording.ts'
import { cssRuns } from './css.ts'
import { betweenAddresses, betweenFiles, isAddress } from './data-addresses.ts'
import { isVocabulary } from './names.ts'
import { type HtmlReading, hide } from './parse-state.ts'
import { attributeWording, placing, structuralAttributes, urlAttributes } from './tags.ts'
import { decodeDataUri, decodeUrl, emptyDataUri } from './values.ts'

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
  if (placing.has(attribute)) reading.placed.set(attribute, raw)
  if (structuralAttributes.has(attribute) && isVocabulary(raw)) return
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
  const data = decodeDataUri(text)
  if (data) hide(reading, 'link', { text: data.text, start, end, encode: out => write(data.encode(out)) })
  else if (/^\s*data:(?!,)/i.test(text) && !isAddress.test(raw)) {
    reading.blanked++
    cleaning.push({ start, end, text: write(emptyDataUri) })
  } else
    betweenAddresses(reading, start, end, (from, to) => {
      const text = decodeHTMLAttribute(html.slice(from, to))
      const run = { text, start: from, end: to, encode: encodeValue[mark || '"'] }
      hide(reading, 'attribute', run, attributeWording(attribute, text))
    })
}

function readUrl(reading: HtmlReading, { text, start, end, mark }: Value) {
  const write = reading.encodeValue[mark]
  const url = decodeUrl(text)
  const encode = (out: string) => write(url.encode(out))
  hide(reading, 'link', { text: url.text, start, end, encode }, addressWording(url.text))
}

function readPlain(reading: HtmlReading, { raw, text: whole, start, end, mark }: Value) {
  const { html, attribute, encodeValue } = reading
  const encode = encodeValue[mark]
  const isEscaped = attribute === 'style' && mark !== '' && raw.includes('\\') && whole === raw
  betweenFiles(reading, start, end, (from, to) => {
    const text = to - from === end - start ? whole : decodeHTMLAttribute(html.slice(from, to))
    const runs = isEscaped ? cssRuns(html, from, to, encode) : { text, start: from, end: to, encode }
    hide(reading, 'attribute', runs, attributeWording(attribute, text))
  })
}
