import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { EntityModel } from '../../../shared/engine/detect/entity-model.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makePages, type PlacedLine, showPdf } from './pdf-samples.ts'

/** Lines of text that end at the bottom of a page, and lines that begin at its top. */
const bottom = (...lines: string[]): PlacedLine[] =>
  lines.map((text, n) => ({ text, y: 50 + 12 * (lines.length - 1 - n) }))
const top = (...lines: string[]): PlacedLine[] => lines.map((text, n) => ({ text, y: 350 - 12 * n }))
const full = 'and all of this goes on and on until'

const run = async (pages: PlacedLine[][], pattern: string) => {
  const input = bufferInput('file.pdf', await makePages(pages))
  const result = await anonymise(call({ input, rules: [regexRule('X', pattern)] }))
  return { result, shown: await showPdf(await result.output.read(0, result.output.size)) }
}

const header: PlacedLine = { text: 'Annual notes', y: 380 }
const footer = (page: number): PlacedLine => ({ text: `Zeta Ltd - page ${page} of 2`, y: 20 })
const iban = String.raw`\bZZ\d{2}(?: ?\d{4}){4}`
const mail = String.raw`[\w.+-]+@[\w-]+(\.[\w-]+)+`
const name = 'Quirin Zyloph'

describe('a value goes that begins on one page and ends on the next', () => {
  test.each([
    ['a name', name, [...bottom(full, 'as was told of her and of them Quirin')], top('Zyloph was there', full)],
    [
      'a name between headers',
      name,
      [header, ...bottom(full, 'and then it was told of him by Quirin')],
      [header, ...top('Zyloph it was')],
    ],
    [
      'a name between a footer and a header that are shown first',
      name,
      [header, footer(1), ...bottom(full, 'and then it was told of him by Quirin')],
      [header, footer(2), ...top('Zyloph it was')],
    ],
    [
      'a name before a footer that is shown last',
      name,
      [...bottom(full, 'and then it was told of him by Quirin'), footer(1)],
      [...top('Zyloph it was'), footer(2)],
    ],
    [
      'a name before the number of a page',
      name,
      [...bottom(full, 'and then it was told of him by Quirin'), { text: '- 7 -', y: 20, x: 150 }],
      [{ text: '- 8 -', y: 385, x: 150 }, ...top('Zyloph it was')],
    ],
    [
      'a name before a note',
      name,
      [...bottom(full, 'and then it was told of him by Quirin'), { text: '1 As was said before.', y: 30, size: 7 }],
      top('Zyloph it was'),
    ],
    ['a name that is hyphenated', name, bottom(full, 'and then it was told of Quirin Zy-'), top('loph it was')],
    [
      'a day whose year ends its paragraph',
      '12 March 2026',
      bottom(full, 'that she went away on the 12 March'),
      [{ text: '2026.', y: 350 }, ...[325, 313].map(y => ({ text: full, y }))],
    ],
    [
      'an account whose last digits end its paragraph',
      String.raw`\bZZ\d{2}(?: ?\d{4}){3}`,
      bottom(full, 'she has the account ZZ45 5000 0000'),
      [{ text: '8257', y: 350 }, ...[325, 313].map(y => ({ text: full, y }))],
    ],
    ['an account', iban, bottom(full, 'she has the account ZZ45 5000 0000'), top('5839 8257, and', full)],
    ['an address', mail, bottom(full, 'this is for you: write to q.zyloph@'), top('example.org and', full)],
  ])('%s', async (_, pattern, first, second) => {
    const { result, shown } = await run([first, second], pattern)
    expect(result.findings[0]?.count).toBe(2)
    expect(result.report.rasterised).toEqual([])
    expect(shown.filter(line => line.includes('[X]'))).toHaveLength(2)
    expect(shown.join('\n')).not.toMatch(/zy|loph|quirin|march|2026|5000|8257|example/i)
  })

  test('on an output that shows nothing of it', async () => {
    const { result } = await run([bottom(full, 'and it was told of him by Quirin'), top('Zyloph it was')], name)
    expect(result.report.searched).toBe(3)
  })
})

const [japanese, chinese, korean, thai] = [
  'それから話は長く続いていた',
  '后来这件事情一直继续下去',
  '그런데이이야기는계속되었다',
  'เรื่องนี้ยังคงดำเนินต่อไป',
]

/** Pages with a text in full lines without blanks, in which a value is broken: its ends, between a footer or header and another. */
const parted = (text: string, [one, other]: readonly [string, string], marks?: readonly [string, string], y = 0) => {
  const width = 40
  const line = text.repeat(width).slice(0, width)
  const lines = Array.from({ length: 12 }, () => line)
  const first = bottom(...lines, line.slice(0, width - one.length) + one)
  const second = top(other + line.slice(0, width - other.length), ...lines)
  const markOf = (page: 0 | 1): PlacedLine[] => (marks ? [{ text: marks[page], x: 150, y }] : [])
  return y > 200
    ? [
        [...markOf(0), ...first],
        [...markOf(1), ...second],
      ]
    : [
        [...first, ...markOf(0)],
        [...second, ...markOf(1)],
      ]
}

describe('a value goes that is parted by a page in a text without blanks', () => {
  test.each([
    ['a Japanese name', japanese, '架空', '太郎'],
    ['a Japanese name behind a long vowel', japanese, 'ゼタロー', 'リエ'],
    ['a Japanese name behind a dot', japanese, 'ゼタ・', 'ローリエ'],
    ['a Japanese name behind a rare sign', japanese, '\u{20bb7}', '野架空'],
    ['a Chinese name', chinese, '虚', '构明'],
    ['a Chinese address', chinese, '虚构市无', '名路12号'],
    ['a Chinese address before its number', chinese, '虚构市无名路', '12号'],
    ['a Chinese address behind its number', chinese, '虚构市无名路12', '号3楼'],
    ['a Korean name', korean, '가', '공인'],
    ['a Thai name', thai, 'สมม', 'ติกร'],
    ['a number with hyphens', japanese, '03-4567-', '8901'],
  ])('%s', async (_, text, one, other) => {
    const { result, shown } = await run(parted(text, [one, other]), one + other)
    expect(result.findings[0]?.count).toBe(2)
    expect(result.report.rasterised).toEqual([])
    expect(shown.filter(line => line.includes('[X]'))).toHaveLength(2)
    expect(shown.join('\n')).not.toContain(one)
    expect(shown.join('\n')).not.toContain(other)
  })

  test('an account', async () => {
    const { result } = await run(parted(chinese, ['ZZ45 5000 0000', '5839 8257']), iban)
    expect(result.findings[0]?.count).toBe(2)
  })

  test.each([
    ['第1页', '第2页'],
    ['第一页', '第二页'],
    ['- 9 -', '- 10 -'],
    ['3 / 10 ページ', '4 / 10 ページ'],
    ['第 3 页，共 10 页', '第 4 页，共 10 页'],
    ['九', '十'],
    ['หน้า 9', 'หน้า ๑๐'],
    ['架空年報 9', '架空年報 10'],
    ['第十章　架空年報の補遺と索引', '第十章　架空年報の補遺と索引'],
  ])('between footers and headers that say %s', async (one, other) => {
    for (const y of [20, 380]) {
      const { result } = await run(parted(japanese, ['架空', '太郎'], [one, other], y), '架空太郎')
      expect(result.findings[0]?.count).toBe(2)
    }
  })
})

test('a header of which only the third page tells that it is one', async () => {
  const pages = [bottom(full, 'and then it was told of him by Quirin'), [header, ...top('Zyloph it was')], [header]]
  const { result, shown } = await run(pages, name)
  expect(result.findings[0]?.count).toBe(2)
  expect(shown).toContain('[X] it was')
})

describe('what stands on two pages is not taken for one value', () => {
  test.each([
    ['where a page ends early', name, [{ text: `${full} Quirin`, y: 300 }], top('Zyloph it was')],
    [
      'where a heading begins the next',
      name,
      bottom(full, 'and then told Quirin'),
      [{ text: 'Zyloph', y: 350, size: 16 }],
    ],
    ['where a page begins low', name, bottom(full, `and then it was of Quirin`), [{ text: 'Zyloph it was', y: 150 }]],
    ['where a text would begin or end', String.raw`^\w+ zz|aa \w+$`, bottom('aa', full), top(full, 'zz')],
  ])('%s', async (_, pattern, first, second) => {
    const { result } = await run([first, second], pattern)
    expect(result.findings[0]?.count).toBe(0)
  })
})

test('a name that a model finds over two pages goes', async () => {
  const model: EntityModel = {
    find: async texts =>
      texts.map(text =>
        [...text.matchAll(/Quirin\s+Zyloph/g)].map(({ 0: { length }, index: start }) => ({
          ...{ label: 'PERSON', score: 0.9, start, end: start + length },
        })),
      ),
  }
  const detection = { type: 'AIMODEL' as const, modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 }
  const rule = { ruleId: 'm', name: 'm', detection, replacement: { text: '<P>' } }
  const pages = [bottom(full, 'as was told by them all of Quirin'), top('Zyloph, and of others')]
  const input = bufferInput('file.pdf', await makePages(pages))
  const { output } = await anonymise(call({ input, rules: [rule], models: async () => model }))
  const shown = await showPdf(await output.read(0, output.size))
  expect(shown).toContain('as was told by them all of <P>')
  expect(shown).toContain('<P>, and of others')
})

test('a line that another page has too but for a numeral of a name is no header', async () => {
  const line = '話は長く続いていた'.repeat(3)
  const page = (first: string, last: string) => [...top(first, line), ...bottom(line, last)]
  const ending = `${line.slice(0, -5)}虚构市无名`
  const pages = [page(line, ending), page('路三号', line), page('路九号', line)]
  const input = bufferInput('file.pdf', await makePages(pages))
  const { findings } = await anonymise(call({ input, rules: [regexRule('X', '虚构市无名路三号')] }))
  expect(findings[0]?.count).toBe(2)
})
