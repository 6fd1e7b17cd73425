import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { machineValues } from '../../../shared/engine/formats/html/machine-values.ts'
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

  test.each([
    ['an element without content', '<input data-date="1"><img data-time="2" src="a.png"><hr data-value="3">'],
    ['a drawn element', '<svg><rect data-value="1"/><g data-value="2"><circle data-value="3" /></g></svg>'],
    ['an item', '<ul><li data-value="1">a<li data-value="2">b</ul>'],
    ['an item beside it', '<ol><li data-value="1">a<li>2004-06/08</ol>'],
    ['a paragraph', '<p data-value="1">a<div>b</div>'],
    ['an option', '<select><option data-value="1">a<option data-value="2">b</select>'],
    ['a description', '<dl><dt data-value="1">a<dd data-value="2">b</dl>'],
    ['a cell', '<table><tr><td data-value="1">a</table>'],
    ['an element in another that ends', '<div><b data-value="1">a</div>'],
    ['a made-up element that is its own end', '<my-chart data-value="1"/>'],
  ])('but not behind %s whose end is left out', async (_, element) => {
    expect(await clean(page(`${element} <i>2004-06/08</i>`))).toBe(
      page(`${element} <i>2004-06/08</i>`).replaceAll('2004-06/08', '[X]'),
    )
  })

  test.each([
    '<td data-order="1"><table><tr><td data-order="2">a<td>b</table>2004-06/08</td>',
    '<td data-order="1"><div></div></div></li></p>2004-06/08</td>',
    '<td data-order="1"><ul><li data-value="2">a</ul>2004-06/08</td>',
  ])('also behind what stands in it: %s', async cell => {
    const table = (content: string) => page(`<div><table><tr>${content}</table></div>`)
    const left = cell.replace('data-order="1"', '').replace('2004-06/08', '[X]')
    expect(await clean(table(cell))).toBe(table(left))
  })

  test('of very many elements that do not end, which are kept few times', () => {
    const values = machineValues()
    for (let n = 0; n < 1000; n++) {
      values.attribute(`x${n}`, 'data-value', n, n + 1)
      values.open(`x${n}`, false)
    }
    expect(values.around()!.length).toBeLessThan(100)
    expect(values.around()!.flat()).toHaveLength(1000)
  })

  test('with tags that end nothing told as soon within many elements as within one', () => {
    const timeWithin = (depth: number) => {
      const values = machineValues()
      for (let n = 0; n < depth; n++) values.open('div', false)
      const start = performance.now()
      for (let n = 0; n < 100_000; n++) values.close('b')
      return performance.now() - start
    }
    const best = (depth: number) => Math.min(...[1, 2, 3, 4, 5].map(() => timeWithin(depth)))
    expect(best(128)).toBeLessThan(best(1) * 8 + 1)
  })
})
