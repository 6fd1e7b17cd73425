import { readFileSync } from 'node:fs'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { pdf } from '../../../shared/engine/formats/pdf/index.ts'
import { inflated } from '../../../shared/engine/formats/pdf/verify/decoded-streams.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { makePdf, showPdf } from './pdf-samples.ts'
import { formatSuite } from './suite.ts'

const corpus = (name: string) => readFileSync(new URL(`corpus/${name}`, import.meta.url))
const canaryRule = regexRule('canary', '[Zz][Yy]\\w*')

const run = async (bytes: Uint8Array, rules: PlannedRule[]) => {
  const result = await anonymise(call({ input: bufferInput('file.pdf', bytes), rules }))
  return { result, bytes: await result.output.read(0, result.output.size) }
}

/** All of a PDF that can be read without a reader: its bytes and its streams, strings of UTF-16 and hex resolved. */
const everything = (bytes: Uint8Array): string => {
  const parts = [Buffer.from(bytes).toString('latin1')]
  for (const stream of inflated(bytes, 2 ** 28)) parts.push(Buffer.from(stream.bytes).toString('latin1'))
  const text = parts.join('\n')
  const hex = [...text.matchAll(/<([0-9A-Fa-f\s]{4,})>/g)].map(match =>
    Buffer.from(match[1]!.replace(/\s/g, ''), 'hex'),
  )
  const strings = hex.map(string => string.toString('latin1')).join('\n')
  return `${text}\n${strings}\n${(text + strings).replaceAll('\0', '')}`.toLowerCase()
}

formatSuite(pdf, {
  name: 'sample.pdf',
  make: makePdf,
  show: showPdf,
  untouched: 'text',
  refused: [
    { name: 'no PDF behind the header', bytes: () => Buffer.from('%PDF-1.7\nnothing'), type: 'corrupt_file' },
    {
      name: 'a protected PDF',
      bytes: async () => {
        const document = await PDFDocument.create()
        document.addPage()
        document.encrypt({ userPassword: 'secret', ownerPassword: 'owner' })
        return document.save({ useObjectStreams: false })
      },
      type: 'encrypted_file',
    },
  ],
})

describe('hiding places of a PDF', async () => {
  const source = corpus('canary.pdf')
  const { bytes, result } = await run(source, [canaryRule])
  const text = everything(bytes)
  test.each(
    `visible kerned splitrun hyphenated double rotated white invisible offpage spaced comment actual hiddenlayer form
     clipped covered note author richtext freetext link fieldvalue default tooltip xfa bookmark title infoauthor xmp label
     structtitle alt filename attachment attdesc jsname javascript ocgname piece`.split(/\s+/),
  )('zy%s is gone', word => {
    expect(text).not.toContain(`zy${word}`)
  })
  test('no other canary is left', () => {
    // The shortest canary has five letters; fewer stand in compressed bytes by chance.
    expect(text.match(/zy[a-z]{3,}/g)).toBeNull()
  })
  test('says what was left out', () => {
    expect(result.report.dropped.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['document information', 'XMP metadata', 'XFA form', 'attachments', 'scripts']),
    )
    expect(result.report.rasterised).toEqual([])
  })
  test('history is gone', async () => {
    const { bytes: flat } = await run(corpus('canary-incremental.pdf'), [canaryRule])
    expect(everything(flat)).not.toContain('zy')
    expect(Buffer.from(flat).toString('latin1').match(/%%EOF/g)).toHaveLength(1)
  })
})

test('what is not replaced stays byte for byte', async () => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage([300, 200])
  page.drawText('Mr Smithers went home', { x: 20, y: 100, size: 12, font })
  page.drawLine({ start: { x: 1, y: 2 }, end: { x: 33.125, y: 44 }, thickness: 2 })
  const { bytes } = await run(await document.save({ useObjectStreams: false }), [regexRule('name', 'Smithers')])
  const content = [...inflated(bytes, 2 ** 20)].map(stream => Buffer.from(stream.bytes).toString('latin1')).join('\n')
  expect(content).toContain('1 2 m\n33.125 44 l\nS')
  expect(content).toContain(Buffer.from(' went home').toString('hex'))
})

test('a value that the map of a font holds among the words of its syntax is no leak', async () => {
  const { bytes, result } = await run(await makePdf(['Name of the current resource', 'Adobe with Identity']), [
    regexRule('word', 'Name|current|resource|Adobe|Identity', { replacement: { text: '-' } }),
  ])
  expect(result.report.rasterised).toEqual([])
  expect(await showPdf(bytes)).toEqual(['- of the - -', '- with -'])
})

test('a form that several pages show loses the value on all of them', async () => {
  const inner = await PDFDocument.create()
  const font = await inner.embedFont(StandardFonts.Helvetica)
  inner.addPage([200, 50]).drawText('Letter of Zyletterhead', { x: 5, y: 20, size: 10, font })
  const document = await PDFDocument.create()
  const [form] = await document.embedPdf(await inner.save())
  for (const x of [0, 50]) document.addPage([300, 100]).drawPage(form!, { x, y: 10 })
  document.addPage([300, 100])
  const { bytes, result } = await run(await document.save({ useObjectStreams: false }), [canaryRule])
  expect(everything(bytes)).not.toContain('zyletterhead')
  expect(result.report.rasterised).toEqual([])
  expect((await showPdf(bytes)).filter(line => line.includes('Letter of'))).toHaveLength(2)
})
