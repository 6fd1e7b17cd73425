import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { jointOf } from '../../../shared/engine/formats/pdf/text/unspaced.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makePages, showPdf } from './pdf-samples.ts'

/** Lines of a paragraph without blanks, in the middle of which a value is broken. */
const run = async (one: string, other: string, pattern: string) => {
  const line = 'それから話は長く続いていた'.repeat(4).slice(0, 40)
  const lines = [line, line.slice(0, 40 - one.length) + one, other + line.slice(0, 40 - other.length), line]
  const pages = [lines.map((text, n) => ({ text, y: 350 - 12 * n }))]
  const result = await anonymise(
    call({ input: bufferInput('file.pdf', await makePages(pages)), rules: [regexRule('X', pattern)] }),
  )
  return { result, shown: (await showPdf(await result.output.read(0, result.output.size))).join('\n') }
}

describe('a value goes that goes on in the next line, in a script without blanks', () => {
  test.each([
    ['a name', '架空', '太郎'],
    ['a name behind a long vowel', 'ゼタロー', 'リエ'],
    ['a name behind a dot', 'ゼタ・', 'ローリエ'],
    ['a name behind a rare sign', '\u{20bb7}', '野架空'],
    ['a Korean name', '가', '공인'],
    ['an address before its number', '虚构市无名路', '12号'],
    ['an address behind its number', '虚构市无名路12', '号3楼'],
  ])('%s', async (_, one, other) => {
    const { result, shown } = await run(one, other, one + other)
    expect(result.findings[0]?.count).toBe(1)
    expect(result.report.rasterised).toEqual([])
    expect(shown).not.toContain(one)
    expect(shown).not.toContain(other)
  })

  test('a number that is a word of its own', async () => {
    const { result, shown } = await run('無名路', '5839号', String.raw`(?<=\s)5839`)
    expect(result.findings[0]?.count).toBe(1)
    expect(shown).not.toContain('5839')
  })
})

test.each([
  ['工资 3800', '元大都', ' '],
  ['编号 AB12', '京东', ' '],
  ['无名路', '2 李娜', ' '],
  ['无名路', '12号', ' \u2060'],
  ['无名路12', '号3楼', ' \u2060'],
  ['无名路', '12', ' \u2060'],
  ['架空', '太郎', ''],
  ['Anna', 'Berg', ' '],
])('«%s» and «%s» are joined by «%s»', (line, next, joint) => expect(jointOf(line, next)).toBe(joint))

test.each([
  ['that ends with a mark', 'กา', 'มุติ', 'เรื่อง'],
  ['behind a mark', 'กิ', 'มุต', 'เรื่อง'],
  ['between marks', 'กิ', 'มุติ', 'กิน'],
])('a value %s goes alone', async (_, before, value, behind) => {
  const pages = [[{ text: before + value + behind, y: 350 }]]
  const input = bufferInput('file.pdf', await makePages(pages))
  const result = await anonymise(call({ input, rules: [regexRule('X', value)] }))
  expect(result.report.rasterised).toEqual([])
  expect((await showPdf(await result.output.read(0, result.output.size))).join(' ')).toBe(`${before} [X] ${behind}`)
})
