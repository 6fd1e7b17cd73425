import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { isDrawing } from '../../../shared/engine/formats/container/whole-drawing.ts'
import { betweenAddresses } from '../../../shared/engine/formats/html/data-addresses.ts'
import type { HtmlReading } from '../../../shared/engine/formats/html/parse-state.ts'
import { registry } from '../../../shared/engine/formats/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

async function clean(name: string, content: string) {
  const input = bufferInput(name, Buffer.from(content))
  const rules = [
    regexRule('X', 'Zyanna Berg', { replacement: { text: '[X]' } }),
    regexRule('N', '\\d{3} \\d{4}', { replacement: { text: '[N]' } }),
  ]
  const { type } = registry.of(Buffer.from(content), name)
  const { output, report } = await anonymise(call({ input, rules, assetType: type }))
  return { text: Buffer.from(await output.read(0, output.size)).toString(), report }
}

const path = '<path d="M 123 4567 L 123 4568"/>'
const drawing = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg">${path}<text x="1" y="2">${text}</text></svg>`
const parted = '<tspan>Zyanna</tspan> <tspan>Berg</tspan>'
const [before, after] = [drawing(parted), drawing('<tspan>[X]</tspan><tspan></tspan>')]
const other = drawing('Bo')
const base64 = (text: string) => `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`

describe('a drawing in base64 within another file is read as one', () => {
  test.each<[string, string, (address: string) => string]>([
    ['a style sheet', 'a.html', address => `<html><style>.a { background: url("${address}") }</style>`],
    ['a style', 'a.html', address => `<html><p style="background:url(${address})">x</p>`],
    ['a set of pictures', 'a.html', address => `<html><img srcset="${address} 1x, b.png 2x">`],
    ['a script', 'a.html', address => `<html><script>a = '${address}'</script>`],
    ['XML', 'a.xml', address => `<a><b c="${address}"/><d>${address}</d></a>`],
    ['the style sheet of a drawing', 'a.svg', address => `<svg><style>.a{fill:url(${address})}</style></svg>`],
    ['Markdown', 'a.md', address => `# A\n\n![x](${address})\n`],
    ['JSON', 'a.json', address => JSON.stringify({ a: address, b: `x ${address} y` })],
  ])('in %s', async (_, name, content) => {
    const { text, report } = await clean(name, content(base64(before)))
    expect(text).toBe(content(base64(after)))
    expect(report.dropped).toEqual([])
    expect((await clean(name, content(base64(other)))).text).toBe(content(base64(other)))
  })
})

describe('what is a drawing only to a browser or a template is a text', () => {
  test.each([
    ['two', '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg><svg viewBox="0 0 1 1"><path d="M1 1"/></svg>'],
    ['without quotation marks', '<svg width=10><path d="M0 0"></path></svg>'],
    ['with braces', '<svg width={size} {...props}><path d="M0 0"/></svg>'],
    ['with a directive', '<svg @click="go"><path d="M0 0"/></svg>'],
    ['with an entity of HTML', '<svg><text>a&nbsp;b</text></svg>'],
    ['with tags that are not closed', '<svg><b>x</svg>'],
  ])('%s', async (_, drawing) => {
    const icon = `data:image/svg+xml,${encodeURIComponent(drawing)}`
    const contents: [string, (name: string, picture: string) => string][] = [
      ['a.json', name => JSON.stringify({ icon: drawing, name })],
      [
        'a.html',
        (name, picture) => `<html><style>.a { b: url("${icon}") }</style><img src="${picture}"><p>${name}</p></html>`,
      ],
    ]
    for (const [name, content] of contents) {
      const { text, report } = await clean(name, content('Zyanna Berg', base64(before)))
      expect(text).toBe(content('[X]', base64(after)))
      expect(report.dropped).toEqual([])
    }
  })

  test('and values in it are found', async () => {
    const { text } = await clean('a.json', JSON.stringify({ a: '<svg width=1><text>Zyanna Berg</text></svg>' }))
    expect(text).toBe(JSON.stringify({ a: '<svg width=1><text>[X]</text></svg>' }))
  })
})

describe('a drawing in an address that is not in base64 is read as one', () => {
  const escaped = (text: string) => `data:image/svg+xml,${encodeURIComponent(text)}`
  const plain = (text: string) => `data:image/svg+xml;utf8,${text.replaceAll('#', '%23')}`
  const partly = (text: string) =>
    `data:image/svg+xml,${text.replaceAll('"', "'").replace(/[<>]/g, encodeURIComponent)}`
  const quoted = (text: string) => plain(text).replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  test.each<[string, (text: string) => string, (address: string) => string]>([
    [
      'a style sheet',
      escaped,
      address => `<html><style>.a { background: url(${address}) } .b { c: "${address}" }</style>`,
    ],
    ['a style sheet as it is', plain, address => `<html><style>.a { b: url('${address}') }</style>`],
    ['a style sheet in part', partly, address => `<html><style>.a { b: url("${address}"), url(c.png) }</style>`],
    ['a style', partly, address => `<html><p style='b:url(&quot;${address.replaceAll("'", '&#39;')}&quot;)'>x</p>`],
    ['a style as it is', quoted, address => `<html><p style="b:url('${address}')">x</p>`],
    ['a set of pictures', escaped, address => `<html><img srcset="${address} 1x, b.png 2x, ${address} 3x">`],
    ['a script', partly, address => `<html><script>a = "${address}"</script>`],
  ])('in %s', async (_, write, content) => {
    const { text, report } = await clean('a.html', content(write(before)))
    expect(decodeURIComponent(text).replaceAll("'", '"')).toContain(after)
    expect(text).not.toMatch(/Zyanna|Berg|\[N\]/)
    expect(report.dropped).toEqual([])
    expect((await clean('a.html', content(write(other)))).text).toBe(content(write(other)))
  })

  test.each([
    ['style', (address: string) => `.a { b: url("${address}") }`],
    ['script', (address: string) => `a = "${address}"`],
  ])('behind one without a text in a %s', async (name, content) => {
    const icon = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><path d='M 1 2'/></svg>`
    const page = (picture: string) =>
      `<html><${name}>${content(icon)}${content(icon)}</${name}><img src="${picture}"><${name}>${content(icon)}`
    expect((await clean('a.html', page(base64(before)))).text).toBe(page(base64(after)))
    expect((await clean('a.html', page(base64(other)))).text).toBe(page(base64(other)))
  })

  test('beside one in base64, and what is none is text', async () => {
    const page = (one: string, two: string) =>
      `<html><style>.a { b: url(${one}), url("${two}"), url(${one}) } .c { d: "data:image/svg+xml,Zyanna Berg" }</style>`
    const { text } = await clean('a.html', page(base64(before), partly(drawing(`Bo ${parted}`))))
    expect(text.split(base64(after)).length).toBe(3)
    expect(text).not.toMatch(/Zyanna|Berg/)
  })
})

describe('a drawing that is a string of JSON is read as one', () => {
  const head = '<?xml version="1.0"?>\n<!-- a -->\n<!-- b -->\n'
  const notebook = (data: unknown) =>
    JSON.stringify({ cells: [{ cell_type: 'code', outputs: [{ data: { 'image/svg+xml': data } }] }], nbformat: 4 })

  test.each<[string, string, (text: string) => string]>([
    ['of settings', 'a.json', text => JSON.stringify({ a: 1, icon: text, b: ['x', `${text}\n`] })],
    ['of a notebook', 'a.ipynb', text => notebook(head + text)],
  ])('%s', async (_, name, content) => {
    expect((await clean(name, content(before))).text).toBe(content(after))
    expect((await clean(name, content(other))).text).toBe(content(other))
  })

  test('line by line in a notebook', async () => {
    const lines = (text: string) => (head + text).replaceAll('/><', '/>\n<').split(/(?<=\n)/)
    for (const [from, to] of [
      [before, after],
      [other, other],
    ] as const)
      expect((await clean('a.ipynb', notebook(lines(from)))).text).toBe(notebook([lines(to).join('')]))
  })

  test('and what is none is text', async () => {
    const content = JSON.stringify({ a: `${before} Zyanna Berg`, b: '<svg>Zyanna Berg', c: ['<svg>', 'Zyanna Berg'] })
    expect((await clean('a.json', content)).text).not.toContain('Zyanna Berg')
  })
})

test('very large drawings are read', () => {
  const large = 'x'.repeat(20 * 1024 * 1024)
  expect(isDrawing(`<!--${large}--><svg></svg>`)).toBe(true)
  const html = `a: url("data:image/svg+xml,<svg><text>${large}</text></svg>")`
  const reading = { html, embedded: [] as { isDrawing?: true }[], mayHoldFiles: false }
  const around: string[] = []
  betweenAddresses(reading as unknown as HtmlReading, 0, html.length, (from, to) => {
    around.push(html.slice(from, to))
  })
  expect(around).toEqual(['a: url("', '")'])
  expect(reading.embedded.map(({ isDrawing }) => isDrawing)).toEqual([true])
})
