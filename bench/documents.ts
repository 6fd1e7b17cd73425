/**
 * Speed of the document formats, each against a plain pass of the same bytes through a well-known parser in the same run:
 *
 *     node local/setup.mjs node bench/documents.ts [megabytes] [typographic]
 *
 * `typographic`: with the quotation marks and dashes that word processors write, which are beyond Latin-1.
 */
import { Parser } from 'htmlparser2'
import { SaxesParser } from 'saxes'
import { anonymise } from '../shared/engine/anonymise.ts'
import { rgba } from '../shared/engine/formats/image/bitmap.ts'
import { forReading } from '../shared/engine/formats/image/ocr-bitmap.ts'
import { registry, sniff } from '../shared/engine/formats/index.ts'
import { bufferInput, bufferOutput } from '../shared/engine/input.ts'
import { startOcr } from '../shared/engine/ocr/ocr.ts'
import { call, regexRule } from '../test/engine/call.ts'
import { makeDocx } from '../test/engine/formats/package.ts'
import { densePage, encoded, usualPage } from './dense-page.ts'

const megabytes = Number(process.argv[2] ?? 8)
const rules = [regexRule('mail', '[\\w.]+@[\\w.]+\\.com'), regexRule('name', '\\b(?:Anna|Bert) [A-Z]\\w+')]
const ascii =
  'Anna Smith wrote to bert.miller@example.com about the contract of May and its annex; nobody answered her letter. '
const sentence =
  process.argv[3] === 'typographic'
    ? ascii.replace('the contract of May and its annex', '“the contract” of May – and Müller’s annex')
    : ascii

function repeated(unit: (n: number) => string): string {
  const parts: string[] = []
  for (let size = 0, n = 0; size < megabytes * 1e6; n++) size += parts[parts.push(unit(n)) - 1]!.length
  return parts.join('')
}

/** Processor time, which other programs on the machine change least. */
async function seconds(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

/** The median of three passes behind one that nobody counts: a service is warm but for its first file. */
async function median(work: () => unknown): Promise<number> {
  await work()
  const times = [await seconds(work), await seconds(work), await seconds(work)].sort((a, b) => a - b)
  return times[1]!
}

/** Reads every segment and writes the file again, with no rule run. */
async function handled(file: string, bytes: Uint8Array): Promise<void> {
  const input = bufferInput(file, bytes)
  const { limits, signal } = call({ input, rules: [] })
  const opened = await (await sniff(input)).open(input, { registry, limits, signal, options: {} })
  await opened.write(bufferOutput(), async batch => batch.map(() => []), [])
  await opened.close()
}

async function report(name: string, file: string, bytes: Uint8Array, text: string, peer: string, parse: () => void) {
  const size = text.length / 1e6
  const alone = await median(() => handled(file, bytes))
  const whole = await median(() => anonymise(call({ input: bufferInput(file, bytes), rules })))
  const theirs = await median(parse)
  const speed = (time: number) => `${(size / time).toFixed(1)} MB/s`
  const figures = `read and written ${speed(alone)}, with two rules and verification ${speed(whole)}`
  console.log(
    `${name.padEnd(6)} ${size.toFixed(1)} MB: ${figures}; ${peer} ${speed(theirs)}, ratio ${(theirs / alone).toFixed(2)}`,
  )
}

function sax(source: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('text', () => {})
  parser.write(source).close()
}

const body = repeated(
  n =>
    `<w:p><w:pPr><w:pStyle w:val="Body"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>${n}. </w:t></w:r><w:r><w:t>${sentence}</w:t></w:r></w:p>`,
)
const wrapped = `<w:d xmlns:w="urn:w">${body}</w:d>`
await report('docx', 'a.docx', makeDocx(body), body, 'saxes', () => sax(wrapped))

const page = `<!DOCTYPE html><html><body>${repeated(n => `<p class="c" title="t${n}">${sentence}<b>${n}</b> ${sentence}</p>\n`)}</body></html>`
await report('html', 'a.html', Buffer.from(page), page, 'htmlparser2', () => new Parser({ ontext() {} }).end(page))

const data = `<?xml version="1.0"?>\n<r>${repeated(n => `<i n="${n}"><t>${sentence}</t></i>`)}</r>`
await report('xml', 'a.xml', Buffer.from(data), data, 'saxes', () => sax(data))

const list = JSON.stringify(Array.from({ length: (megabytes * 1e6) / 150 }, (_, n) => ({ n, text: sentence })))
await report('json', 'a.json', Buffer.from(list), list, 'JSON.parse', () => void JSON.parse(list))

const lines = repeated(n => `${JSON.stringify({ n, text: sentence })}\n`)
await report('ndjson', 'a.ndjson', Buffer.from(lines), lines, 'JSON.parse', () => {
  for (const line of lines.split('\n')) if (line !== '') JSON.parse(line)
})

const mail = `From: a@example.com\r\nTo: b@example.com\r\nSubject: c\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${repeated(() => `${sentence}\r\n`)}`
await report('eml', 'a.eml', Buffer.from(mail), mail, 'a search for line ends', () => void mail.split('\r\n').length)

// Letters beyond Latin-1, and signs that escapes begin with, as nearly every longer text has some.
const plain = repeated(n => `${sentence.replace('contract', n % 50 ? 'contract' : '“R&D” contract')}\n`)
await report('txt', 'a.txt', Buffer.from(plain), plain, 'a search for line ends', () => void plain.split('\n').length)

const richSentence = sentence.replace(/[^\0-\x7f]/g, letter => `\\u${letter.charCodeAt(0)}?`)
const rich = `{\\rtf1\\ansi ${repeated(n => `{\\b ${n}.} ${richSentence}\\par\n`)}}`
await report('rtf', 'a.rtf', Buffer.from(rich), rich, 'a regular expression over control words', () => {
  for (const _ of rich.matchAll(/\\[a-z]+-?\d* ?|[{}]|[^\\{}]+/g));
})

/** Seconds by the clock and of the processor: two threads share a page where there are two processors. */
async function both(work: () => unknown): Promise<string> {
  const start = performance.now()
  const processor = await seconds(work)
  return `${((performance.now() - start) / 1000).toFixed(1)} s by the clock, ${processor.toFixed(1)} s of the processor`
}

const ocr = await startOcr(['eng'], new AbortController().signal)
await ocr.read(forReading(rgba(await usualPage()), 300))
for (const [what, scan] of [
  ['a dense page', await densePage()],
  ['a letter', await usualPage()],
] as const) {
  let read = 0
  const once = await both(async () => {
    read = (await ocr.read(forReading(rgba(scan), 300))).lines.flat().length
  })
  console.log(`${what} of ${scan.words.length} words at 300 dots per inch: read alone (${read} words) ${once}`)
  for (const id of ['png', 'jpg', 'tiff']) {
    const input = bufferInput(`a.${id}`, await encoded(id, scan))
    let count = 0
    const whole = await both(async () => {
      const { findings } = await anonymise(call({ input, rules: [regexRule('name', 'Anna [A-Z]\\w+|tenant')] }))
      count = findings[0]!.count
    })
    console.log(`${id.padEnd(6)} read, ${count} values painted over, read there again: ${whole}`)
  }
}
await ocr.close()
