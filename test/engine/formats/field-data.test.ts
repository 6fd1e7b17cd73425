import { expect, test } from 'vitest'
import { withoutData } from '../../../shared/engine/formats/ooxml/field-data.ts'

const run = (text: string, start = 0) => ({ text, start, end: start + text.length })
const base64 = (length: number) => Buffer.alloc((length / 4) * 3, 'Ida Weiß').toString('base64')

test.each([200, 260, 400, 8_000_000])('takes %i letters of base64 out of the code of a field', length => {
  const code = `ADDIN EN.CITE.DATA ${base64(length)}== \\h`
  const { runs, cleaning } = withoutData([run(code)])!
  expect(runs.map(({ text }) => text)).toEqual(['ADDIN EN.CITE.DATA ', ' \\h'])
  expect(cleaning).toEqual([{ start: 19, end: 19 + length + 2, text: '' }])
})

test('takes out what several runs hold, with what stands between', () => {
  const [before, after] = [`DATA ${base64(120)}`, `${base64(120)} x ${base64(240)} end`]
  const { runs, cleaning } = withoutData([run(before), run(after, 1000)])!
  expect(runs.map(({ text }) => text)).toEqual(['DATA ', ' end'])
  expect(cleaning.map(({ start, end }) => [start, end])).toEqual([
    [5, 125],
    [1000, 1363],
  ])
})

test('leaves a code without data', () => {
  expect(withoutData([run(`HYPERLINK ${base64(196)}`)])).toBeUndefined()
})
