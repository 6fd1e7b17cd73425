import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBytes, toBytes } from '../../../shared/engine/formats/cells/utf8-cells.ts'
import { sheetNames } from '../../../shared/engine/formats/office/sheet-names.ts'
import { dateForms } from '../../../shared/engine/formats/ooxml/date-forms.ts'
import { readByteRows, writeByteRows } from '../../../shared/engine/formats/ooxml/fast-rows.ts'
import { readSharedStrings, roomFor } from '../../../shared/engine/formats/ooxml/shared-strings.ts'
import { readPiece, type SheetContext } from '../../../shared/engine/formats/ooxml/sheet.ts'

async function* items() {
  yield '<sst><si><t>plain</t></si><si><t xml:space="preserve"> ä &amp; b</t></si><si><t></t></si><si><r><t>in</t></r><r><t> two</t></r></si></sst>'
}
const strings = await readSharedStrings(items())

const sheet: SheetContext = {
  place: { kind: 'cell' },
  visible: true,
  ordinal: 1,
  prefix: '',
  strings,
  room: roomFor(2 ** 20, 1),
  sheets: sheetNames(),
  numbers: { dates: [false, true], forms: [[], dateForms('dd\\.mm\\.yyyy')], masks: [] },
  from1904: false,
  header: [],
  withoutFormulas: false,
}

const words = fc
  .array(
    fc.constantFrom('a', 'Zoë', '日本', '😀', '&amp;', '&#228;', '&#31;', '&lt;', ' ', '\r\n', '\n', '>', '"', "'"),
  )
  .map(parts => parts.join(''))
const numbers = fc.constantFrom('0', '-1.5', '45000', '45000.25', '5.550101E+9', '1E300', '')
const cell = fc
  .record({ place: fc.boolean(), style: fc.constantFrom('', ' s="0"', ' s="1"'), more: fc.constantFrom('', ' cm="1"') })
  .chain(({ place, style, more }) => {
    const tag = (type: string) => (column: number, row: number) =>
      `<c${place ? ` r="${'ABCDEFGH'[column]}${row}"` : ''}${style}${more}${type}`
    return fc.oneof(
      numbers.map(value => [tag(''), `><v>${value}</v></c>`] as const),
      fc.constantFrom('0', '1', '2').map(item => [tag(' t="s"'), `><v>${item}</v></c>`] as const),
      words.map(text => [tag(' t="str"'), `><v>${text}</v></c>`] as const),
      words.map(text => [tag(' t="inlineStr"'), `><is><t xml:space="preserve">${text}</t></is></c>`] as const),
      words.map(text => [tag(' t="inlineStr"'), `><is><t>${text}</t></is></c>`] as const),
      fc.constantFrom('1987-05-12', '1987-05-12T10:30:00').map(day => [tag(' t="d"'), `><v>${day}</v></c>`] as const),
      fc.constantFrom('b', 'e').map(type => [tag(` t="${type}"`), '><v>1</v></c>'] as const),
      fc.constantFrom('/>', ' />', '></c>').map(end => [tag(''), end] as const),
    )
  })
const rows = fc
  .array(
    fc.record({ cells: fc.array(cell, { maxLength: 8 }), numbered: fc.boolean(), blank: fc.constantFrom('', '\n ') }),
  )
  .map(list =>
    list
      .map(({ cells, numbered, blank }, index) => {
        const inside = cells.map(([tag, rest], column) => tag(column, index + 8) + rest).join('')
        return `<row${numbered ? ` r="${index + 8}" spans="1:8"` : ''}>${inside}${blank}</row>${blank}`
      })
      .join(''),
  )

/** Texts of cells with their places, as the reader that any way of writing is left to gives them. */
const slowly = (text: string) =>
  readPiece(text, 7, sheet).asked.map(({ segment: { text: shown, place } }) => [place.row, place.column, shown])

const readingsSlowly = (text: string) => readPiece(text, 7, sheet).asked.map(({ segment }) => segment.readings)

describe('rows read as bytes', () => {
  test('show what the other reader gives', () => {
    fc.assert(
      fc.property(rows, text => {
        const found = readByteRows(toBytes(text), 7, sheet)!
        const texts = found.texts.map((shown, n) => [found.rows[n], String(found.columns[n]), fromBytes(shown)])
        expect(texts).toEqual(slowly(text))
        expect(found.texts.map((_, n) => found.readings.get(n))).toEqual(readingsSlowly(text))
        expect(found.last).toBe(readPiece(text, 7, sheet).last)
        expect(writeByteRows(toBytes(text), found, new Map(), sheet)).toBe(toBytes(text))
      }),
    )
  })

  test('are written with new texts in their places and all else as it was', () => {
    const text = fc.array(fc.constantFrom('a', 'ß', '😀', '&', '<', '>', ']]>', '"', '\n', '\r', ' '), { minLength: 1 })
    fc.assert(
      fc.property(rows, fc.array(fc.option(text.map(parts => parts.join('')))), (source, wanted) => {
        const found = readByteRows(toBytes(source), 7, sheet)!
        const changed = new Map<number, string>()
        const expected = slowly(source).map(([row, column, shown], index) => {
          const by = wanted[index] ?? undefined
          if (by !== undefined) changed.set(index, toBytes(by))
          return [row, column, by ?? shown]
        })
        const written = fromBytes(writeByteRows(toBytes(source), found, changed, sheet))
        expect(slowly(written)).toEqual(expected)
      }),
    )
  })

  test.each([
    ['a formula', '<row><c><f>A1</f><v>1</v></c></row>'],
    ['a string of several runs', '<row><c t="s"><v>3</v></c></row>'],
    ['a text of several runs', '<row><c t="inlineStr"><is><r><t>a</t></r></is></c></row>'],
    ['a phonetic guide', '<row><c t="inlineStr"><is><t>a</t><rPh sb="0" eb="1"><t>b</t></rPh></is></c></row>'],
    ['an attribute in other quotes', "<row><c t='s'><v>1</v></c></row>"],
    ['a reference in an attribute', '<row><c t="&#115;"><v>1</v></c></row>'],
    ['attributes without a blank between them', '<row><c r="A1"t="s"><v>1</v></c></row>'],
    ['an element after a value', '<row><c><v>1</v><extLst/></c></row>'],
    ['a section of characters', '<row><c t="str"><v><![CDATA[a]]></v></c></row>'],
    ['a comment', '<row><!-- a --><c><v>1</v></c></row>'],
    ['text between cells', '<row>a<c><v>1</v></c></row>'],
    ['text between rows', '<row/>a<row/>'],
    ['an unfinished row', '<row><c><v>1</v></c>'],
    ['an unfinished cell', '<row><c t="str"><v>a'],
    ['an unfinished tag', '<row><c t="s'],
  ])('are left to the other reader: %s', (_, text) => {
    expect(readByteRows(text, 0, sheet)).toBeUndefined()
  })

  test('a changed cell keeps its style and loses its type and what made its formula dynamic', () => {
    const text = '<row><c r="A1" s="1" t="str" cm="1" vm="2"><v>a</v></c></row>'
    const found = readByteRows(text, 0, sheet)!
    expect(writeByteRows(text, found, new Map([[0, 'b']]), sheet)).toBe(
      '<row><c r="A1" s="1" t="inlineStr"><is><t xml:space="preserve">b</t></is></c></row>',
    )
  })

  test('a shared string that is not there is an error', () => {
    for (const item of ['4', '-1', 'x'])
      expect(() => readByteRows(`<row><c t="s"><v>${item}</v></c></row>`, 0, sheet)).toThrow('is not there')
  })
})
