import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { readFirstPage, showPdf } from './pdf-samples.ts'

/** A page that shows a line of Courier, each letter in its place, but by one operator and in another order. */
const pdfOf = async (line: string, order: readonly number[]): Promise<Uint8Array> => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([500, 200])
  const Font = { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier', Encoding: 'WinAnsiEncoding' } }
  let pen = 0
  const shown = order.map(at => {
    const move = (pen - at) * 600
    pen = at + 1
    return `${move} (${line[at]})`
  })
  const content = `BT /F1 20 Tf 40 150 Td (Dear Sir,) Tj 0 -40 Td [${shown.join(' ')}] TJ 0 -40 Td (Yours) Tj ET`
  page.node.set(PDFName.of('Resources'), context.obj({ Font }))
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)))
  return document.save()
}

const read = async (bytes: Uint8Array) => (await readFirstPage(bytes)).replace(/\s+/g, ' ')

const line = 'Ann Zybert met us'
const places = Array.from(line, (_, at) => at)

test.each<[string, number[]]>([
  ['from right to left', places.toReversed()],
  ['the even ones first', [...places.filter(at => at % 2 === 0), ...places.filter(at => at % 2 === 1)]],
  ['the second word before the first', [...places.slice(4, 10), ...places.slice(0, 4), ...places.slice(10)]],
  ['the first and the last in their places', [0, ...places.slice(1, -1).toReversed(), places.length - 1]],
  ['in order', places],
])('letters that one operator shows are read in the order of their places: %s', async (_, order) => {
  expect(await read(await pdfOf(line, order))).toBe(`Dear Sir, ${line} Yours`)
})

test('blanks that are not shown are read between words', async () => {
  const order = places.filter(at => line[at] !== ' ').toReversed()
  expect(await read(await pdfOf(line, order))).toBe(`Dear Sir, ${line} Yours`)
})

test('a name that is shown backwards goes', async () => {
  const rules = [regexRule('name', 'Zybert')]
  const input = bufferInput('file.pdf', await pdfOf(line, places.toReversed()))
  const { output, report } = await anonymise(call({ input, rules }))
  const shown = (await showPdf(await output.read(0, output.size))).join(' ')
  expect(report.rasterised).toEqual([])
  expect(shown).toContain('[name]')
  expect(shown.replace(/\s/g, '')).not.toMatch(/Zybert|trebyZ/)
})
