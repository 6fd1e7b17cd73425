import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { isDrawingData } from '../../../shared/engine/formats/xml/drawing-data.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

test.each([
  ['path', 'd', 'M 828 903\nQ1448.5-91 .5.25 836 529 1 2z m-1e-3,2 L3 4 5 6 H7 8 a1 1 0 01.5 2 1 1 0 1 0 3 4'],
  ['path', 'd', ''],
  ['polygon', 'points', '1,2 3-4 5.5,6'],
  ['g', 'transform', 'translate(58.085369 270.917656) scale(0.1 -0.1)'],
  ['svg', 'viewBox', '0 0 432 288'],
  ['svg', 'width', '432pt'],
  ['text', 'x', '10 20.5, 30'],
  ['animate', 'values', '0;5;10'],
  ['animate', 'keyTimes', '0; 0.5; 1'],
  ['stop', 'stop-color', '#12345678'],
  ['rect', 'fill', 'rgb(12, 34, 56)'],
])('<%s %s="%s"> is data of a drawing', (element, attribute, value) => {
  expect(isDrawingData(element, attribute, value)).toBe(true)
})

test.each([
  ['path', 'd', 'Matt'],
  ['path', 'd', 'M 1 2 Zoe'],
  ['path', 'd', 'M 1 2 L 3'],
  ['path', 'd', 'M 5551234567 2'],
  ['path', 'd', '1 2 3 4'],
  ['polygon', 'points', '1,2 Anna'],
  ['g', 'transform', 'anna(1 2)'],
  ['g', 'transform', 'scale(1) Anna'],
  ['rect', 'x', '536-90-4399'],
  ['rect', 'width', '4111111111111111'],
  ['rect', 'fill', 'Anna'],
  ['path', 'id', '12'],
  ['person', 'd', 'M 1 2'],
])('<%s %s="%s"> is text', (element, attribute, value) => {
  expect(isDrawingData(element, attribute, value)).toBe(false)
})

test.each([
  ['base64', (text: string) => `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`],
  ['percent signs', (text: string) => `data:image/svg+xml,${encodeURIComponent(text)}`],
])('a drawing in an address of a page, in %s, is read as a file of its own', async (_, address) => {
  const source = `<svg xmlns="http://www.w3.org/2000/svg"><path id="Zoe" d="M 828 903 1448 95z"/><text>828 903 1448 Zoe</text></svg>`
  const page = (text: string, drawing: string) => `<p>${text}</p><img src="${address(drawing)}">`
  const rules = [regexRule('X', '\\d{3} \\d{3} \\d{4}|Zoe')]
  const input = bufferInput('x.html', Buffer.from(page('828 903 1448', source)))
  const { output } = await anonymise(call({ input, rules }))
  const written = Buffer.from(await output.read(0, output.size)).toString()
  const clean = source.replace('>828 903 1448', '>[X]').replaceAll('Zoe', '[X]')
  expect(written).toBe(page('[X]', clean))
})

test('text that may be drawn as outlines is told of', async () => {
  const told = async (paths: number, texts: number) => {
    const source = `<svg>${'<path d="M1 2"/>'.repeat(paths)}${'<text>one</text>'.repeat(texts)}</svg>`
    const input = bufferInput('x.svg', Buffer.from(source))
    return (await anonymise(call({ input, rules: [regexRule('X', 'Zoe')] }))).report.warnings
  }
  expect(await told(40, 0)).toEqual(['Outlines of a drawing were not looked into: letters may be among them'])
  expect(await told(9, 0)).toEqual([])
  expect(await told(40, 5)).toEqual([])
})

describe('numbers of a drawing stay', () => {
  const rules = [regexRule('X', '\\d{3} \\d{3} \\d{4}|Zoe')]
  const outline = 'M 828 903 1448 95z'
  const drawing = (more: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg"><path d="${outline}"/><text x="1">828 903 1448${more}</text><path d="M1 2 Zoe"/></svg>`
  test.each([
    ['x.svg', drawing('')],
    ['x.html', `<p>one</p>${drawing('')}`],
    ['x.html', `<p>one</p>${drawing('').replace(outline, `${outline}${' M 1 2'.repeat(3000)}`)}`],
  ])('in %s', async (name, source) => {
    const { output } = await anonymise(call({ input: bufferInput(name, Buffer.from(source)), rules }))
    const text = Buffer.from(await output.read(0, output.size)).toString()
    expect(text).toBe(source.replace('>828 903 1448', '>[X]').replace('Zoe', '[X]'))
  })
})
