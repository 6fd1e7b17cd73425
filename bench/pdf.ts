import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { anonymise } from '../shared/engine/anonymise.ts'
import { openReader } from '../shared/engine/formats/pdf/page-reader.ts'
import { readPage } from '../shared/engine/formats/pdf/text/page-text.ts'
import { bufferInput } from '../shared/engine/input.ts'
import { call, regexRule } from '../test/engine/call.ts'
import { peakMegabytes } from './peak.ts'

/** Words of the book: enough of them that names are rare and lines differ. */
const words = `the contract was signed in harbour and the northern bank agreed that all payments shall be made within
  thirty days after delivery of the goods which the buyer accepts without reserve unless otherwise stated`.split(/\s+/)

/** Names of fonts in a book: one for each line, as programs write it that put each text by itself, or one for each page, as most do. */
const kinds = { line: 'a font name for each line', page: 'one font name a page' }

type Kind = keyof typeof kinds

/** A book of text pages with a few names on each, made anew for each run and always the same. */
const book = async (pages: number, kind: Kind): Promise<Uint8Array> => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const font = await document.embedFont(StandardFonts.TimesRoman)
  let seed = 1
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  for (let number = 0; number < pages; number++) {
    const page = document.addPage([595, 842])
    if (kind === 'page') page.setFont(font)
    for (let line = 0; line < 48; line++) {
      const text = Array.from({ length: 12 }, () => words[next(words.length)])
      if (line % 15 === 7) text[4] = `Zybert${next(40)}`
      page.drawText(text.join(' '), { x: 60, y: 780 - 15 * line, size: 11, ...(kind === 'line' && { font }) })
    }
  }
  return document.save({ useObjectStreams: true })
}

/** Seconds of processor time, all threads, that some work takes. */
const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

const run = (bytes: Uint8Array, pattern: string) =>
  anonymise(call({ input: bufferInput('book.pdf', bytes), rules: [regexRule('name', pattern)] }))

const extract = async (bytes: Uint8Array): Promise<string[]> => {
  const reader = await openReader(bytes)
  const texts = Array.from({ length: reader.pages }, (_, page) => readPage(reader, page).text)
  reader.close()
  return texts
}

const count = (texts: string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const word of texts.join(' ').match(/[\p{L}\p{N}]{4,}/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Words of `before` that `after` lacks, but for those that were to go. */
const lost = (before: Map<string, number>, after: Map<string, number>, gone: string[]): [number, number] => {
  let [missing, all] = [0, 0]
  for (const [word, times] of before) {
    if (gone.some(value => word.includes(value))) continue
    all += times
    missing += Math.max(0, times - (after.get(word) ?? 0))
  }
  return [missing, all]
}

/** Measures a book of so many pages and tells what came out. */
const measure = async (pages: number, kind: Kind): Promise<void> => {
  const bytes = await book(pages, kind)
  await run(await book(2, kind), 'Zybert\\w*')
  const reading = await seconds(() => extract(bytes))
  const writing = await seconds(() => run(bytes, 'Zybert\\w*'))
  const memory = Math.round(peakMegabytes())
  console.log(
    `book of ${pages} pages, ${kinds[kind]}: ${(pages / writing).toFixed(0)} pages per second of processor time, largest memory ${memory} MiB`,
  )
  console.log(
    `peer, PDFium reading the same text only: ${(pages / reading).toFixed(0)} pages/s, ${(writing / reading).toFixed(1)} times as many, engine / peer ${(reading / writing).toFixed(2)}`,
  )
}

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '352' },
    book: { type: 'string' },
    corpus: { type: 'string', multiple: true },
  },
})
if (values.book) await measure(Number(values.pages), values.book as Kind)
// A process each: the second of one process would be read and written by code that the first has warmed up.
else
  for (const kind of Object.keys(kinds))
    execFileSync(process.execPath, [import.meta.filename, '--pages', values.pages, '--book', kind], {
      stdio: 'inherit',
    })

const tally = { files: 0, refused: 0, touched: 0, pictures: 0, missing: 0, all: 0 }
for (const folder of values.corpus ?? []) {
  if (!existsSync(folder)) console.log(`skipped: ${folder} is not there`)
  for (const name of existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.pdf')) : []) {
    tally.files++
    const file = readFileSync(`${folder}/${name}`)
    try {
      const before = await extract(file)
      const counts = count(before)
      const frequent = [...counts]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 3)
        .map(([word]) => word)
      if (frequent.length === 0) continue
      const { report, output } = await run(file, frequent.join('|'))
      tally.touched += before.filter(text => frequent.some(word => text.includes(word))).length
      tally.pictures += report.rasterised.length
      if (report.rasterised.length > 0) continue
      const [missing, all] = lost(counts, count(await extract(await output.read(0, output.size))), frequent)
      tally.missing += missing
      tally.all += all
    } catch (error) {
      tally.refused++
      console.log(`refused: ${name} (${(error as { type?: string }).type ?? 'crash'})`)
    }
  }
}
if (tally.files > 0)
  console.log(
    `${tally.files} files, ${tally.refused} refused; ${tally.pictures} of ${tally.touched} touched pages became pictures; ` +
      `${tally.missing} of ${tally.all} other words lost`,
  )
