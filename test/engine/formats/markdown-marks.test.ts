import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { marksOf } from '../../../shared/engine/formats/markdown/marks.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

const name = regexRule('N', '\\bMargaret(?: Johnson)?\\b', { replacement: { text: '[N{{n}}]' } })

async function clean(source: string, rules = [name]): Promise<string> {
  const { output } = await anonymise(call({ input: bufferInput('a.md', Buffer.from(source)), rules }))
  return Buffer.from(await output.read(0, output.size)).toString()
}

describe('Markdown is searched as its readers show it, too', () => {
  test.each([
    ['**Marg**aret', '[N1]'],
    ['Mar*gar*et', '[N1]'],
    ['***M**arga*ret', '[N1]'],
    ['`Marg`aret', '[N1]'],
    ['Mar~~gar~~et', '[N1]'],
    ['Mar==gar==et', '[N1]'],
    ['**Margaret** Johnson', '[N1]'],
    ['Margaret *Johnson*', '[N1]'],
    ['**Margaret** **Johnson**', '[N1]'],
    ['_Margaret Johnson_', '_[N1]_'],
    ['__Margaret__', '__[N1]__'],
    ['**Dear Marg**aret, hello', '**Dear [N1]**, hello'],
    ['Margaret *Johnson is* here', '*[N1] is* here'],
    ['[Marg](https://example.org/a_b)aret', '[[N1]](https://example.org/a_b)'],
    ['[Marg](https://example.org/?q=Margaret)aret', '[[N1]]()'],
    ['Mar[garet there][1]', '[[N1] there][1]'],
    ['[Margaret](https://example.org/%20) Johnson', '[[N1]](https://example.org/%20)'],
    ['M<b>a*rg*</b>aret', '[N1]<b></b>'],
    ['Margaret[^note] Johnson', '[N1][^note]'],
    ['Margaret[^2] *Johnson*', '[N1][^2]'],
    ['Margaret<sup>1</sup> Johnson', '[N1]<sup>1</sup>'],
    ['> - 1. **Marg**aret', '> - 1. [N1]'],
    ['| **Marg**aret | x |', '| [N1] | x |'],
  ])('%s', async (source, expected) => {
    expect(await clean(`One ${source} two\n`)).toBe(`One ${expected} two\n`)
    expect(await clean(source)).toBe(expected)
  })

  test.each([
    'my_Margaret_name x',
    '`*Marg*`aret',
    '```\n*Marg*aret\n```\n',
    '~~~ a\n```\n*Marg*aret\n~~~',
    '---\na: *Marg*aret\n---\n',
    'Marg* a *aret',
    'Marg\\*a\\*ret',
    '*Marg\n\nar*et',
    '![Marg](a.png)aret',
    '[Marg]aret',
    '<a title="*Marg*aret">',
  ])('leaves what they show otherwise: %s', async source => {
    expect(await clean(source)).toBe(source)
  })

  test('a value has the same number with marks and without, and exclusions know it', async () => {
    const source = 'Margaret, Mar*gar*et, **Margaret** Johnson, Margaret Johnson\n'
    expect(await clean(source)).toBe('[N1], [N1], [N2], [N2]\n')
  })

  test('long texts, in which a value may stand where one piece ends', async () => {
    const line = `${'word '.repeat(9)}Mar*gar*et Johnson and **Margaret** Johnson\n`
    const source = `${'x'.repeat(50)}\n${line.repeat(12_000)}`
    const cleaned = await clean(source)
    expect(cleaned.split('[N1] and [N1]').length).toBe(12_001)
    expect(cleaned).not.toMatch(/M|\*/)
  })
})

test.each([
  '*a',
  '_a_ ',
  '*_~a',
  '[',
  '](',
  '[a](',
  '`',
  '`a``',
  '*a _b ~c ',
  '<a',
  '\n*a',
  '> ',
  '```\n',
  '- *',
  '- -x',
  '*a](b)',
])('many marks are read in linear time: %j', unit => {
  const text = unit.repeat(200_000 / unit.length)
  expect(marksOf(text).every(({ start, end }) => start < end && end <= text.length)).toBe(true)
})
