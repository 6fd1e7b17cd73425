import { PDFDocument } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { splitAsset } from '../../shared/engine/split.ts'
import { call, regexRule } from './call.ts'
import { makeDocx, makeOdf } from './formats/package.ts'

const line = (n: number) =>
  `${n}: Karl of Ulm wrote to karl${n}@example.org about the matter of the day, and soon again.`
const lines = (count: number) => Array.from({ length: count }, (_, n) => line(n))
const wrapped = (count: number, before: string, after: string) =>
  lines(count)
    .map(text => before + text + after)
    .join('')

async function pdf(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont('Helvetica')
  for (let n = 0; n < pages; n++) {
    const page = document.addPage([595, 842])
    lines(75).forEach((text, row) => {
      page.drawText(text, { x: 20, y: 820 - 10 * row, size: 8, font })
    })
  }
  return document.save()
}

const table = Buffer.from(`id,note\n${wrapped(12_000, '1,"', '"\n')}`)

const files: [string, 'TABLE' | 'DOCUMENT', () => Uint8Array | Promise<Uint8Array>][] = [
  ['people.csv', 'TABLE', () => table],
  ['people.ndjson', 'TABLE', () => Buffer.from(wrapped(6000, '{"note":"', '"}\n'))],
  ['letter.txt', 'DOCUMENT', () => Buffer.from(wrapped(6000, '', '\n'))],
  ['letter.md', 'DOCUMENT', () => Buffer.from(wrapped(3000, '', '\n\n'))],
  ['letter.docx', 'DOCUMENT', () => makeDocx(wrapped(3000, '<w:p><w:r><w:t>', '</w:t></w:r></w:p>'))],
  ['letter.odt', 'DOCUMENT', () => makeOdf('text', wrapped(3000, '<text:p>', '</text:p>'))],
  ['letter.pdf', 'DOCUMENT', () => pdf(40)],
]

const rules = [regexRule('mail', '[a-z0-9]+@[a-z]+\\.org')]

test.each(files)(
  '%s: what is told grows, in several steps, and never exceeds its bytes',
  async (name, assetType, make) => {
    const input = bufferInput(name, await make())
    const told: number[] = []
    const result = await anonymise(call({ input, rules, assetType, progress: bytes => told.push(bytes) }))
    expect(result.findings[0]!.count).toBeGreaterThan(1000)
    expect(told).toEqual([...new Set(told)].toSorted((a, b) => a - b))
    expect(told.length).toBeGreaterThanOrEqual(5)
    expect(told[0]).toBeLessThan(input.size / 2)
    expect(told.at(-1)).toBeGreaterThan(input.size * 0.6)
    expect(told.at(-1)).toBeLessThanOrEqual(input.size)
  },
)

test('of a chunk the bytes of its range are told', async () => {
  const input = bufferInput('people.csv', table)
  const all = call({ input, rules, assetType: 'TABLE' })
  const { ranges, options } = (await splitAsset({ ...all, size: 300_000 }))!
  expect(ranges.length).toBeGreaterThan(2)
  for (const range of ranges) {
    const told: number[] = []
    const { bytesIn } = await anonymise({ ...all, range, options, progress: bytes => told.push(bytes) })
    expect(bytesIn).toBe(range.end - range.start)
    expect(told.at(-1)).toBeGreaterThan(bytesIn * 0.6)
    expect(told.at(-1)).toBeLessThanOrEqual(bytesIn)
    expect(told[0]).toBeLessThan(bytesIn / 2)
  }
})

test('nobody has to be told, and the outputs are the same', async () => {
  for (const [name, assetType, make] of files.slice(0, 3)) {
    const input = bufferInput(name, await make())
    const [told, untold] = [{ progress: () => {} }, {}]
    const outputs = []
    for (const more of [told, untold]) {
      const { output } = await anonymise(call({ input, rules, assetType, ...more }))
      outputs.push(Buffer.from(await output.read(0, output.size)).toString('latin1'))
    }
    expect(outputs[0]).toBe(outputs[1])
  }
})
