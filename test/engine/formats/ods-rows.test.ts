import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBytes, toBytes } from '../../../shared/engine/formats/cells/utf8-cells.ts'
import { readContentFrame, sameStretches, stretches } from '../../../shared/engine/formats/odf/content.ts'
import {
  createTags,
  readOdsRows,
  shownTexts,
  type Tags,
  writeOdsRows,
} from '../../../shared/engine/formats/odf/fast-rows.ts'
import { spreadCells } from '../../../shared/engine/formats/odf/repeats.ts'
import { readSlowRows, type TableContext } from '../../../shared/engine/formats/odf/slow-rows.ts'
import { rereadContent } from '../../../shared/engine/formats/odf/verify-rows.ts'
import { sheetNames } from '../../../shared/engine/formats/office/sheet-names.ts'
import { runs } from '../../runs.ts'

const oasis = 'urn:oasis:names:tc:opendocument:xmlns'
const declarations = ['office', 'table', 'text'].map(name => ` xmlns:${name}="${oasis}:${name}:1.0"`).join('')
const rowsIn = (bytes: string, from: number, after: number, tags: Tags) =>
  readOdsRows(bytes, Buffer.from(bytes, 'latin1'), from, after, tags)
const table = (): TableContext => ({
  part: 'content.xml',
  page: 1,
  prefix: 'table:',
  usual: true,
  declarations,
  depth: 64,
  references: () => undefined,
  sheets: sheetNames(),
  header: [],
  tags: createTags(),
})

const words = fc
  .array(fc.constantFrom('a', 'Zoë', '日本', '😀', '&amp;', '&lt;', ' ', '>', '"', "'", '\u00a0'), { maxLength: 4 })
  .map(parts => parts.join('').replace(/ {2,}/g, ' '))
const paragraph = words.map(text => `<text:p>${text}</text:p>`)
const value = fc.constantFrom(
  ' office:value-type="string"',
  ' office:value-type="float" office:value="7"',
  ' office:value-type="float" office:value="12.5" table:style-name="ce1"',
  ' office:value-type="date" office:date-value="1920-01-05"',
  ' office:value-type="currency" office:currency="EUR" office:value="3"',
  ' table:number-columns-spanned="2"',
  '',
)
const cell = fc.oneof(
  fc
    .record({ value, inside: fc.array(paragraph, { maxLength: 4 }), name: fc.constantFrom('', 'covered-') })
    .map(({ value: tag, inside, name }) =>
      inside.length > 0
        ? `<table:${name}table-cell${tag}>${inside.join('')}</table:${name}table-cell>`
        : `<table:${name}table-cell${tag}/>`,
    ),
  fc.constantFrom(
    '<table:table-cell office:value-type="float" office:value="7"><text:p>7</text:p></table:table-cell>',
    '<table:table-cell table:number-columns-repeated="3"/>',
    '<table:table-cell table:number-columns-repeated="2"><text:p>twice</text:p></table:table-cell>',
    '<table:table-cell table:number-columns-repeated="2" office:value="5"/>',
  ),
)
const odd = fc.constantFrom(
  '<table:table-cell><text:p>a<text:s text:c="2"/>b<text:span>c</text:span></text:p></table:table-cell>',
  '<table:table-cell table:formula="of:=&quot;x&quot;"><text:p>x</text:p></table:table-cell>',
  '<table:table-cell><office:annotation><text:p>remark</text:p></office:annotation><text:p>b</text:p></table:table-cell>',
  '<table:table-cell><text:p>a  b\n\tc</text:p></table:table-cell>',
  '<table:table-cell><text:p>&#9;<![CDATA[ </table:table-row> ]]></text:p></table:table-cell>',
  "<table:table-cell office:value='>'><text:p>single</text:p></table:table-cell>",
  '<table:table-cell><!-- </table:table-row><table:table-row> --><text:p>d</text:p></table:table-cell>',
  '<table:table-cell><table:table><table:table-row><table:table-cell><text:p>in</text:p></table:table-cell></table:table-row></table:table></table:table-cell>',
)
const rowsOf = (cells: fc.Arbitrary<string>) =>
  fc
    .array(
      fc.record({
        cells: fc.array(cells, { maxLength: 5 }),
        more: fc.constantFrom('', ' table:style-name="ro1"', ' table:number-rows-repeated="3"'),
        blank: fc.constantFrom('', '\n '),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map(list =>
      list
        .map(({ cells: inside, more, blank }) =>
          inside.length === 0
            ? `<table:table-row${more}/>${blank}`
            : `<table:table-row${more}>${blank}${inside.join(blank)}</table:table-row>${blank}`,
        )
        .join(''),
    )

/** Rows, and behind them the same with other texts and values. */
const likeRows = (cells: fc.Arbitrary<string>, ...unusual: string[]) =>
  fc
    .tuple(
      rowsOf(cells),
      fc.array(fc.constantFrom('a', '7', '12.5', '\u00a0', 'é', 'かな', 'Zoë b ', ' ', '', ...unusual), {
        minLength: 1,
      }),
    )
    .map(([rows, others]) => {
      let next = 0
      const other = () => others[next++ % others.length]!
      const like = () =>
        rows.replace(/(<text:p>)[^<]*(?=<\/)|( office:(?:date-)?value=")[^"]*/g, (_, text, value) =>
          text ? text + other() : value + other().replace(/&.*/, ''),
        )
      return rows + like() + like()
    })

/** Texts of cells with their places, as the reader that any way of writing is left to gives them. */
function slowly(source: string) {
  const { content } = readSlowRows(toBytes(source), 7, table())
  const texts = content.cells.flatMap(({ values, paragraphs }) => [...values, ...paragraphs])
  return { texts: texts.map(({ segment: { text, place } }) => [place.kind, place.row, place.column, text]), content }
}

/** The lines of those texts. */
const linesShown = (source: string) =>
  slowly(source).texts.flatMap(([, , , text]) => (text as string).split('\n').filter(line => /\S/.test(line)))

async function* pieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('rows of spreadsheets read as bytes', () => {
  test('show what the XML reader gives, and are written as they were', () => {
    // Kept from one table to the next, so that tags are guessed by those of other rows.
    const tags = createTags()
    fc.assert(
      fc.property(likeRows(cell, '&amp;', 'a &lt; b'), rows => {
        const source = fromBytes(spreadCells(toBytes(rows), 1e6))
        const found = rowsIn(toBytes(source), 0, 7, tags)
        expect(found.end).toBe(toBytes(source).length)
        const texts = found.texts.map((text, index) => {
          const at = found.cells[index]!
          const kind = found.starts[index]! < 0 ? 'attribute' : 'cell'
          return [kind, found.rows[at], String(found.columns[at]), fromBytes(text)]
        })
        const { texts: expected, content } = slowly(source)
        expect(texts).toEqual(expected)
        expect(found.last).toBe(content.row)
        expect(writeOdsRows(toBytes(source), 0, found, new Map())).toBe(toBytes(source))
      }),
    )
  })

  test('are written with new texts in their places and without the values behind them', () => {
    const by = fc.array(fc.constantFrom('a', 'ß', '&', '<', '>', '"', ' ', '  ', '\t', '\n'), { minLength: 1 })
    fc.assert(
      fc.property(likeRows(cell), fc.array(fc.option(by.map(parts => parts.join('')))), (rows, wanted) => {
        const source = spreadCells(toBytes(rows), 1e6)
        const found = rowsIn(source, 0, 7, createTags())
        const changed = new Map<number, string>()
        found.texts.forEach((_, index) => {
          const text = wanted[index] ?? undefined
          if (text !== undefined) changed.set(index, toBytes(text))
        })
        const written = writeOdsRows(source, 0, found, changed)
        const shown = [...shownTexts(found, changed)].map(([, text]) => fromBytes(text))
        expect(linesShown(fromBytes(written))).toEqual(shown)
      }),
    )
  })

  test('stop before a row that they leave to the XML reader', () => {
    fc.assert(
      fc.property(rowsOf(cell), rowsOf(odd), (usual, unusual) => {
        const bytes = spreadCells(toBytes(usual), 1e6)
        const rest = `<table:table-row><table:table-cell><!----></table:table-cell></table:table-row>${toBytes(unusual)}`
        expect(rowsIn(bytes + rest, 0, 0, createTags()).end).toBe(bytes.length)
      }),
    )
  })
})

const content = (body: string) =>
  Buffer.from(`<office:document-content${declarations}><office:body><office:spreadsheet>${body}</office:spreadsheet>`)

test('the runs of rows do not depend on the pieces in which the content comes', async () => {
  const between = fc.constantFrom(
    '',
    '</table:table-row-group><table:table-row-group>',
    '<!-- <table:table-row> -->',
    '\n',
  )
  const body = fc.array(fc.tuple(rowsOf(fc.oneof(cell, odd)), between), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(body, fc.integer({ min: 1, max: 400 }), async (parts, size) => {
      const bytes = content(`<table:table>${parts.flat().join('')}</table:table>`)
      const whole = await readContentFrame(pieces(bytes, bytes.length))
      const cut = await readContentFrame(pieces(bytes, size))
      expect({ ...cut, lengths: [] }).toEqual({ ...whole, lengths: [] })
      let all = ''
      for await (const { bytes: stretch } of stretches(pieces(bytes, size))) all += stretch
      expect(all).toBe(bytes.toString('latin1'))
      let again = ''
      for await (const { bytes: stretch } of sameStretches(pieces(bytes, size), whole.lengths))
        again += stretch.toString('latin1')
      expect(again).toBe(all)
    }),
    { numRuns: runs(60) },
  )
})

test('rows that end too early are refused', async () => {
  const bytes = content('<table:table><table:table-row><table:table-cell/>')
  await expect(readContentFrame(pieces(bytes, 10))).rejects.toMatchObject({ type: 'corrupt_file' })
})

test('the second reader gives what the first does', async () => {
  await fc.assert(
    fc.asyncProperty(
      likeRows(fc.oneof(cell, odd), '  ', '&#9;', ' &amp;'),
      fc.integer({ min: 1, max: 400 }),
      async (rows, size) => {
        // What the writer leaves out is not there any more.
        const source = fromBytes(spreadCells(toBytes(rows.replace(/<!--[\s\S]*?-->/g, '')), 1e6))
        fc.pre(!source.includes('CDATA'))
        const found: string[] = []
        const end = '</office:spreadsheet></office:body></office:document-content>'
        await rereadContent(
          pieces(Buffer.concat([content(`<table:table>${source}</table:table>`), Buffer.from(end)]), size),
          {
            cell: texts => void found.push(...texts),
            cells: texts =>
              void found.push(...Buffer.from(texts).toString('latin1').split('\u00ff').slice(0, -1).map(fromBytes)),
            hidden() {},
            forbidden: () => expect.unreachable(),
          },
        )
        expect(found).toEqual(linesShown(source))
      },
    ),
  )
})
