import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { emf } from '../../../shared/engine/formats/metafile/index.ts'
import { readWmf } from '../../../shared/engine/formats/metafile/wmf.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { book, row } from './hiding-samples.ts'
import {
  emfFont,
  emfOutlines,
  emfPicture,
  emfRecord,
  emfText,
  makeEmf,
  makeWmf,
  wmfFont,
  wmfRecord,
  wmfText,
} from './metafile-samples.ts'
import { type Link, makeDocx, readZip, relationships } from './package.ts'
import { typedBitmap } from './picture-samples.ts'
import { shownByEmf } from './shown.ts'
import { formatSuite } from './suite.ts'

formatSuite(emf, {
  name: 'sample.emf',
  make: texts => makeEmf([emfFont('Arial'), ...texts.map((text, index) => emfText(text, 10, 10 + 90 * index))]),
  show: shownByEmf,
  untouched: 'text',
  refused: [
    {
      name: 'one that ends in a record',
      bytes: () => makeEmf([emfText('text', 0, 0)]).subarray(0, 150),
      type: 'corrupt_file',
    },
  ],
})

const name = regexRule('name', 'Zacharias\\s+Quorum')
const canary = regexRule('canary', '\\b[Zz]y\\w*')

const run = async (file: string, bytes: Uint8Array, rules = [name, canary]) => {
  const result = await anonymise(call({ input: bufferInput(file, bytes), rules }))
  return { result, bytes: Buffer.from(await result.output.read(0, result.output.size)) }
}

const holds = (bytes: Buffer, text: string) =>
  bytes.includes(Buffer.from(text, 'utf16le')) || bytes.includes(Buffer.from(text, 'latin1'))

const counts = ({ findings }: { findings: { count: number }[] }) => findings.map(({ count }) => count)

describe('texts of metafiles', () => {
  const letters = [...'Zacharias Quorum']
  const cases: [string, Buffer[]][] = [
    ['in one record', [emfText('by Zacharias Quorum', 10, 10)]],
    ['word by word, with no blank between', [emfText('Zacharias', 10, 10), emfText('Quorum', 110, 10)]],
    ['letter by letter', letters.map((letter, index) => emfText(letter, 10 + index * 10, 10))],
    ['in two lines', [emfText('by Zacharias', 10, 10), emfText('Quorum and', 10, 34)]],
    ['upwards', [emfFont('Arial', 900), emfText('Zacharias', 10, 300), emfText('Quorum', 10, 200)]],
    [
      'enlarged',
      [
        emfRecord(35, Buffer.from(Float32Array.of(2, 0, 0, 2, 5, 5).buffer)),
        emfText('Zacharias', 10, 10),
        emfText('Quorum', 110, 10),
      ],
    ],
  ]

  test.each(cases)('are found where they stand %s', async (_, records) => {
    const { result, bytes } = await run('a.emf', makeEmf([emfFont('Arial'), ...records, emfText('stays', 10, 400)]))
    expect(counts(result)).toEqual([1, 0])
    for (const word of ['Zacharias', 'Quorum', 'Zac']) expect(holds(bytes, word)).toBe(false)
    expect(holds(bytes, 'stays')).toBe(true)
  })

  test('that stand apart are none together', async () => {
    const records = [
      emfFont('Arial'),
      emfText('Zacharias', 10, 10),
      emfText('Quorum', 400, 10),
      emfText('Quorum', 10, 300),
    ]
    expect(counts((await run('a.emf', makeEmf(records))).result)).toEqual([0, 0])
  })

  test('keep their place: what stands behind a shorter replacement does not move', async () => {
    const { bytes } = await run('a.emf', makeEmf([emfFont('Arial'), emfText('Zacharias Quorum, lawyer', 10, 10)]))
    const at = bytes.indexOf(Buffer.from('[name], lawyer', 'utf16le')) - 76
    const steps = Array.from({ length: 14 }, (_, index) =>
      bytes.readInt32LE(at + bytes.readUInt32LE(at + 72) + 4 * index),
    )
    expect(steps.slice(0, 6).reduce((sum, step) => sum + step, 0)).toBe(160)
    expect(steps.slice(6)).toEqual(Array(8).fill(10))
  })

  test.each([true, false])('of Windows metafiles are replaced (with steps: %s)', async stepped => {
    const { result, bytes } = await run(
      'a.wmf',
      makeWmf([wmfFont('Arial'), wmfText('by Zacharias Quorum', 10, 10, stepped)]),
    )
    expect(counts(result)).toEqual([1, 0])
    expect(readWmf(bytes).records.flatMap(({ run }) => run?.text ?? [])).toEqual(['by [name]'])
  })

  test('of a font that lacks letters of the replacement take the whole picture along', async () => {
    const rule = regexRule('name', 'Zacharias Quorum', { replacement: { text: 'Имя' } })
    const { result, bytes } = await run('a.wmf', makeWmf([wmfText('by Zacharias Quorum', 10, 10)]), [rule])
    expect(readWmf(bytes).records).toEqual([])
    expect(result.report.dropped).toContainEqual({ what: 'pictures', count: 1 })
  })

  test('are found in packed files, which stay packed', async () => {
    const { bytes } = await run('a.emz', gzipSync(makeEmf([emfText('by Zacharias Quorum', 10, 10)])))
    const file = gunzipSync(bytes)
    expect([holds(file, 'Zacharias'), holds(file, 'by [name]')]).toEqual([false, true])
  })
})

describe('what metafiles hide', () => {
  const wide = (text: string) => Buffer.from(text, 'utf16le')
  const long = (value: number) => Buffer.from(Int32Array.of(value).buffer)
  const plus = (dual: boolean) =>
    emfRecord(
      70,
      long(100),
      Buffer.from('EMF+'),
      Buffer.from([0x01, 0x40, Number(dual), 0, 28, 0, 0, 0, 16, 0, 0, 0]),
      Buffer.alloc(16),
      wide('Zyplus'),
    )
  const white = { width: 40, height: 40, data: new Uint8ClampedArray(6400).fill(255) }
  const places: [string, Buffer][] = [
    ['the description', makeEmf([], 'Made by\0Zydescription\0\0')],
    ['a remark', makeEmf([emfRecord(70, long(24), Buffer.from('GDIC'), wide('Zyremark'))])],
    ['EMF+ beside the records', makeEmf([plus(true), emfText('shown', 0, 0)])],
    ['data for a printer', makeEmf([emfRecord(106, long(1), wide('Zyescape'))])],
    ['the name of a font', makeEmf([emfFont('Zyfont Serif')])],
    ['what follows the name of a font', makeEmf([emfFont('Arial', 0, wide('Zytail'))])],
    ['what follows the fields of a record', makeEmf([emfRecord(17, long(1), wide('Zyspare'))])],
    ['what stands before the pixels of a picture', makeEmf([emfPicture(white, 0, 0, wide('Zybetween'))])],
    [
      'what follows a text',
      makeEmf([Buffer.concat([emfRecord(84, emfText('text', 0, 0).subarray(8), wide('Zybehind'))])]),
    ],
    ['what follows the end', Buffer.concat([makeEmf([emfText('text', 0, 0)]), wide('Zyend')])],
    [
      'an escape of a Windows metafile',
      makeWmf([wmfRecord(0x626, Buffer.from([15, 0, 10, 0]), Buffer.from('Zyescape10'))]),
    ],
    [
      'what follows the fields of a record of one',
      makeWmf([wmfRecord(0x103, Buffer.from([8, 0]), Buffer.from('Zyspare0'))]),
    ],
    ['the name of a font of one', makeWmf([wmfFont('Zyfont Serif')])],
  ]

  test.each(places)('%s goes', async (_, file) => {
    expect(holds(file, 'Zy')).toBe(true)
    for (const rules of [[canary], [name]]) {
      const { bytes } = await run('a.emf', file, rules)
      // A font's name is a name, and stays unless a rule finds something in it.
      if (rules[0] === canary || !holds(file, 'Zyfont')) expect(holds(bytes, 'Zy')).toBe(false)
    }
  })

  test.each([
    ['EMF+ alone', makeEmf([plus(false)])],
    ['a text by numbers of glyphs', makeEmf([emfText('text', 0, 0, 0x10)])],
    ['a record that nobody knows', makeEmf([emfRecord(200)])],
    ['a record of a Windows metafile that nobody knows', makeWmf([wmfRecord(0x922, Buffer.alloc(40))])],
  ])('%s is refused', async (_, file) => {
    await expect(run('a.emf', file)).rejects.toMatchObject({ type: 'unsupported_format' })
  })
})

describe('what metafiles draw', async () => {
  const value = await typedBitmap(['Contract between Zacharias Quorum', 'and the Northern Harbour Bank'])
  const none = await typedBitmap(['and the Northern Harbour Bank'])
  const drawn: [string, (picture: typeof value) => Buffer[]][] = [
    ['a picture', picture => [emfPicture(picture, 0, 0)]],
    ['outlines', picture => emfOutlines(picture)],
  ]

  test.each(drawn)('%s with a value goes, and the report says so', async (_, records) => {
    const { result, bytes } = await run('a.emf', makeEmf([emfText('beside', 10, 900), ...records(value)]))
    expect(counts(result)).toEqual([1, 0])
    expect(bytes.length).toBe(128)
    expect(result.report.dropped).toContainEqual({ what: 'pictures', count: 1 })
    expect(result.report.warnings.join()).toMatch(/emptied/)
  })

  test.each(drawn)('%s without one stays', async (_, records) => {
    const made = records(none)
    const { result, bytes } = await run('a.emf', makeEmf([emfText('beside', 10, 900), ...made]))
    expect(bytes.includes(Buffer.concat(made))).toBe(true)
    expect(result.report.ocr?.pages).toBe(1)
  })
})

describe('metafiles inside of other files', () => {
  const file = makeEmf([emfFont('Arial'), emfText('by Zacharias Quorum', 10, 10)])

  test('are cleaned in Office documents, packed ones too', async () => {
    const parts = { 'word/media/image1.emf': file, 'word/media/image2.emz': gzipSync(file) }
    const links = [
      ['r1', 'image', 'media/image1.emf'],
      ['r2', 'image', 'media/image2.emz'],
    ] as [string, string, string][]
    const { result, bytes } = await run('a.docx', makeDocx('<w:p><w:x r:embed="r1"/></w:p>', parts, links))
    expect(counts(result)).toEqual([2, 0])
    const written = readZip(bytes)
    for (const [name, part] of written) {
      const plain = name.endsWith('.emz') ? gunzipSync(part) : part
      if (/\.em[fz]$/.test(name)) expect([holds(plain, 'Quorum'), holds(plain, 'by [name]')]).toEqual([false, true])
    }
    expect([...written.keys()].filter(name => /\.em[fz]$/.test(name))).toHaveLength(2)
  })

  test('are cleaned in workbooks', async () => {
    const links: Link[] = [['r1', 'drawing', '../drawings/drawing1.xml']]
    const parts = {
      'xl/drawings/drawing1.xml':
        '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>',
      'xl/drawings/_rels/drawing1.xml.rels': relationships([['r1', 'image', '../media/image1.emf']]),
      'xl/media/image1.emf': file,
    }
    const content = `${row('x')}<drawing r:id="r1"/>`
    const { result, bytes } = await run('a.xlsx', book(content, parts, { sheet: links }))
    expect(counts(result)).toEqual([1, 0])
    const written = readZip(bytes).get('xl/media/image1.emf')!
    expect([holds(written, 'Quorum'), holds(written, 'by [name]')]).toEqual([false, true])
  })

  test.each([
    ['emfblip', file],
    ['wmetafile8', makeWmf([wmfText('by Zacharias Quorum', 10, 10)]).subarray(22)],
  ])('are cleaned in RTF (%s)', async (kind, picture) => {
    const source = `{\\rtf1\\ansi text {\\pict\\picwgoal100\\pichgoal200\\${kind} ${picture.toString('hex')}}}`
    const { result, bytes } = await run('a.rtf', Buffer.from(source))
    expect(counts(result)).toEqual([1, 0])
    const [, word, digits] = /\\picwgoal100\\pichgoal200\\(\w+) ([\da-f]+)\}/.exec(bytes.toString('latin1'))!
    expect(word).toBe(kind)
    expect([holds(Buffer.from(digits!, 'hex'), 'Quorum'), holds(Buffer.from(digits!, 'hex'), 'by [name]')]).toEqual([
      false,
      true,
    ])
  })

  const address = (bytes: Buffer) => `data:image/x-emf;base64,${bytes.toString('base64')}`
  test.each([
    ['a.html', (uri: string) => `<p>text <img src="${uri}"></p>`],
    ['a.svg', (uri: string) => `<svg xmlns="http://www.w3.org/2000/svg"><image href="${uri}"/></svg>`],
    ['a.md', (uri: string) => `text ![](${uri})`],
    ['a.json', (uri: string) => JSON.stringify({ picture: uri })],
  ])('are cleaned in addresses (%s)', async (name, around) => {
    const { result, bytes } = await run(name, Buffer.from(around(address(file))))
    expect(counts(result)).toEqual([1, 0])
    const [, base64] = /data:image\/emf;base64,([\w+/=]+)/.exec(bytes.toString())!
    const picture = Buffer.from(base64!, 'base64')
    expect([holds(picture, 'Quorum'), holds(picture, 'by [name]')]).toEqual([false, true])
  })
})
