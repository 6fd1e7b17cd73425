import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

/** What a drawing shows in place of some texts, each `<text>` behind a stroke, its tags aside. */
async function shown(texts: string, pattern: string): Promise<string> {
  const source = `<svg xmlns="http://www.w3.org/2000/svg"><style>.a{font-size:12px}</style>${texts}</svg>`
  const rules = [regexRule('X', pattern)]
  const { output } = await anonymise(call({ input: bufferInput('a.svg', Buffer.from(source)), rules }))
  const written = Buffer.from(await output.read(0, output.size)).toString()
  return [...written.matchAll(/<text[\s\S]*?<\/text>/g)].map(([text]) => text.replace(/<[^>]*>|\n */g, '')).join('|')
}

const letters = (word: string, xs: number[], attributes = '', gap = '') =>
  `<text${attributes}>${[...word].map((letter, index) => `<tspan x="${xs[index]}" y="9">${letter}</tspan>${gap}`).join('')}</text>`
const zebulon = [0, 7.3, 14, 20.6, 27.2, 29.9, 36.6]
const together = [...zebulon, 47, 56.3, 60.3, 63.6, 66.3, 69, 75.7]
const apart = (text: string, x: number, more = '') => `<text x="${x}" y="9" font-size="10"${more}>${text}</text>`

describe('a value that a drawing cuts', () => {
  test.each([
    ['into letters', letters('Zebulon', zebulon, ' class="a"'), 'Zebulon', '[X]'],
    ['into letters on lines of the source', letters('Zebulon', zebulon, '', '\n  '), '\\bZebulon\\b', '[X]'],
    ['into letters of words without blanks', letters('ZebulonOrtlieb', together), '\\bZebulon Ortlieb\\b', '[X]'],
    ['into letters of a fixed width', letters('Quilted', [0, 8, 16, 24, 32, 40, 48]), 'Quilted', '[X]'],
    ['at each letter', `<text y="9" x="${together.join(' ')}">ZebulonOrtlieb b</text>`, 'Zebulon Ortlieb', '[X] b'],
    [
      'at kerned letters',
      '<text class="a" transform="matrix(1 0 0 1 10 20)"><tspan x="0" y="0">Z</tspan><tspan x="7.3" y="0">e</tspan><tspan x="14" y="0">bulon </tspan><tspan x="48" y="0">Ortlieb</tspan></text>',
      '\\bZebulon Ortlieb\\b',
      '[X]',
    ],
    [
      'at letters above it',
      '<text y="9">Ze<tspan dy="-.2">bu</tspan><tspan dy="0">lon</tspan></text>',
      'Zebulon',
      '[X]',
    ],
    ['into words', apart('Zebulon', 10) + apart('Ortlieb', 51), 'Zebulon\\sOrtlieb', '[X]|'],
    ['into words', apart('Zebulon', 10) + apart('Ortlieb', 51), '\\bOrtlieb', 'Zebulon|[X]'],
    ['into parts of a word', apart('Zebu', 10) + apart('lon', 33), '\\bZebulon\\b', '[X]|'],
    [
      'into parts that are shifted',
      '<g font-size="10"><text transform="translate(10 9)">Zebu</text><text transform="translate(33 9)">lon</text></g>',
      'Zebulon',
      '[X]|',
    ],
  ])('%s', async (_, texts, pattern, expected) => {
    expect(await shown(texts, pattern)).toBe(expected)
  })
})

test.each([
  ['columns', apart('Zebu', 10) + apart('lon', 90)],
  ['lines', `<text x="10" y="9"><tspan x="10">Zebu</tspan><tspan x="10" dy="12">lon</tspan></text>`],
  ['lines at places', `<text><tspan x="10" y="9">Zebu</tspan><tspan x="33" y="21">lon</tspan></text>`],
  ['ends at one place', apart('Zebu', 90, ' text-anchor="end"') + apart('lon', 113, ' text-anchor="end"')],
  ['other axes', apart('Zebu', 10) + apart('lon', 33, ' transform="rotate(90)"')],
  ['other elements', `<g>${apart('Zebu', 10)}</g><g>${apart('lon', 33)}</g>`],
  ['labels in a row', letters('Zebulon', [0, 40, 80, 120, 160, 200, 240], ' font-size="10"')],
])('texts in %s are no word', async (_, texts) => {
  expect((await shown(texts, 'Zebulon')).replaceAll('|', '')).toBe('Zebulon')
})

test('a text of a drawing that has text of its own is read as that', async () => {
  const stray = `x<text x="1" y="9">Zebulon</text>`
  expect(await shown(stray, 'Zebulon')).toBe('[X]')
  expect(await shown(`${apart('a', 1)}<g>${stray}</g>`, 'Zebulon')).toBe('a|[X]')
})
