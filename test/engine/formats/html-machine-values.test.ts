import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

async function clean(html: string): Promise<string> {
  const input = bufferInput('a.html', Buffer.from(html))
  const { output } = await anonymise(call({ input, rules: [regexRule('X', '2004-06/08')] }))
  return Buffer.from(await output.read(0, output.size)).toString()
}

const page = (body: string) => `<!DOCTYPE html><html><body>${body}</body></html>`

describe('what an element holds for programs goes with the text that it shows', () => {
  test.each([
    ['Excel', '<td class=a x:num="20040608">2004-06/08</td>', '<td class=a >[X]</td>'],
    [
      'Calc',
      '<td sdval="20040608" sdnum="1033;0;0"><font>2004-06/08</font></td>',
      '<td  sdnum="1033;0;0"><font>[X]</font></td>',
    ],
    ['Google', `<td data-sheets-value='{"1":3,"3":20040608}'>2004-06/08</td>`, '<td >[X]</td>'],
    ['a cell without an end', '<td x:num=20040608>2004-06/08<td x:num=7>7', '<td >[X]<td x:num=7>7'],
  ])('of a table from %s', async (_, cell, left) => {
    const table = (cells: string) => page(`<table><tr><td x:num="1">1</td>${cells}<td x:num="2">2</td></tr></table>`)
    expect(await clean(table(cell))).toBe(table(left))
    const other = cell.replace('2004-06/08', 'eight')
    expect(await clean(table(other))).toBe(table(other))
  })

  test.each([
    ['<time datetime="2004-06-08">2004-06/08</time>', '<time >[X]</time>'],
    ['<data value="20040608"><b>2004-06/08</b></data>', '<data ><b>[X]</b></data>'],
    ['<meter value="20040608" max="9">2004-06/08</meter>', '<meter  max="9">[X]</meter>'],
    ['<div data-date="a"><div data-date="b">2004-06/08</div>c</div>', '<div ><div >[X]</div>c</div>'],
    ['<ruby><data value="1">2004-06/08</data><rt>r</rt></ruby>', '<ruby><data >[X]</data><rt></rt></ruby>'],
  ])('%s', async (element, left) => {
    const around = (inner: string) =>
      page(`<p>On <time datetime="1">1</time> ${inner} and <time datetime="2">2</time></p>`)
    expect(await clean(around(element))).toBe(around(left))
    const other = element.replace('2004-06/08', 'eight')
    expect(await clean(around(other))).toBe(around(other))
  })
})
