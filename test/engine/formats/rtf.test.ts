import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { rtf } from '../../../shared/engine/formats/rtf/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { shownByRtf } from './shown.ts'
import { formatSuite } from './suite.ts'

const corpus = '../shared/corpus'
const file = (path: string) => () => readFileSync(`${corpus}/${path}`)
const head = '{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset128 MS Mincho;}}'
const escaped = (text: string) =>
  text.replace(/[\\{}]/g, '\\$&').replace(/[^\x20-\x7e]/g, unit => {
    const code = unit.charCodeAt(0)
    return `\\u${code > 32_767 ? code - 65_536 : code}?`
  })

formatSuite(rtf, {
  name: 'letter.rtf',
  make: texts => Buffer.from(`${head}${texts.map(text => `{\\b ${escaped(text)}\\par}\r\n`).join('')}}`),
  show: bytes => shownByRtf(bytes, head),
  untouched: 'bytes',
  files: existsSync(corpus)
    ? [
        { name: 'canary.rtf', bytes: file('synthetic/canary.rtf') },
        {
          name: 'testRTF-ms932.rtf',
          bytes: file('rtf/testRTF-ms932.rtf'),
          rules: [regexRule('word', 'Hello|こんにちは')],
          values: ['Hello', "\\'82\\'b1\\'82\\'f1"],
        },
        {
          name: 'testComment.rtf',
          bytes: file('rtf/testComment.rtf'),
          rules: [regexRule('text', 'Here is a comment')],
          values: ['Here is a comment', 'McCandless'],
        },
      ]
    : [],
  refused: [
    { name: 'a group left open', bytes: () => Buffer.from(`${head}{`), type: 'corrupt_file' },
    { name: 'groups in groups', bytes: () => Buffer.from(`{\\rtf1${'{'.repeat(100_000)}`), type: 'limit_exceeded' },
  ],
})

async function clean(body: string, pattern = '\\b[Zz]y[\\p{L}\\d]*', to = '[X]') {
  const rules = [regexRule('X', pattern, { replacement: { text: to } })]
  const input = bufferInput('x.rtf', Buffer.from(`${head}${body}}`, 'latin1'))
  const { output, report } = await anonymise(call({ input, rules }))
  const text = Buffer.from(await output.read(0, output.size)).toString('latin1')
  expect(text.startsWith(head)).toBe(true)
  return { text: text.slice(head.length, -1), report }
}

describe('RTF', () => {
  const cases: [string, string, string][] = [
    ['a word over formatting', 'a {\\b Zys}{\\i plit} b', 'a {\\b [X]}{\\i } b'],
    ['a word over an escape', "Zy\\'e9b c", '[X] c'],
    ['a word over a Unicode escape and its stand-in', 'Zy\\u233?b c', '[X] c'],
    ['a stand-in of several characters', "{\\uc2 Zy\\u233\\'81\\'40b} c", '{\\uc2 [X]} c'],
    ['a control word that ends at a match', "\\b\\'5ayo\\b0  c", '\\b [X]\\b0  c'],
    ['a control word that ends at removed text', "{\\b Zy}{\\i\\'61b}c d", '{\\b [X]}{\\i } d'],
    ['two paragraphs are two texts', 'Zya\\par b', '[X]\\par b'],
    ['a line break inside of no match', 'Zya\\line b', '[X]\\line b'],
    ['a word over what only some see', 'a Zy{\\v hid}a b', 'a [X]{\\v } b'],
    ['a word over the same without a group', 'Zy\\v hid\\v0 a b', '[X]\\v \\v0  b'],
    ['a word in what only some see', 'a b{\\v Zya}c', 'a b{\\v [X]}c'],
    ['deleted text', 'a{\\deleted Zyb}c', 'a{\\deleted }c'],
    ['comments and what they point to', 'a{\\*\\atnid Zya}{\\*\\annotation Zyb}c', 'a{}{}c'],
    ['properties', '{\\info{\\author Zya}}c', '{}c'],
    ['what nobody knows', '{\\*\\new Zya}c', '{}c'],
    ['a bookmark', '{\\*\\bkmkstart Zya}c', '{\\*\\bkmkstart [X]}c'],
    [
      'the address of a link',
      '{\\field{\\*\\fldinst HYPERLINK "mailto:%5aya@b"}{\\fldrslt c}}',
      '{\\field{\\*\\fldinst HYPERLINK "mailto:[X]@b"}{\\fldrslt c}}'.replace('[X]', '%5BX%5D'),
    ],
    [
      'the address of a link over groups',
      '{\\field{\\*\\fldinst{\\b HYPERLINK "mailto:Zy}{\\i lo{\\b ni}x@x.org"}}{\\fldrslt c}}',
      '{\\field{\\*\\fldinst{\\b HYPERLINK "mailto:[X]}{\\i {\\b }@x.org"}}{\\fldrslt c}}',
    ],
    ['an entry of an index over groups', '{\\xe {\\b Zy}{\\i lo}}c', '{\\xe {\\b [X]}{\\i }}c'],
    ['the mark of a list over groups', '{\\listtext\\pard {Zy}{lo}\\tab}c', '{\\listtext\\pard {[X]}{}\\tab}c'],
    ['the value of a property over groups', '{\\sp{\\sn a}{\\sv {Zy}{lo}}}c', '{\\sp{\\sn a}{\\sv {[X]}{}}}c'],
    [
      'names of styles are each its own',
      '{\\stylesheet{\\s1 Zy;}{\\s2 {Zy}{lo};}}c',
      '{\\stylesheet{\\s1 [X];}{\\s2 {[X]}{};}}c',
    ],
    [
      'a word that a link begins',
      'a {\\field\\fldedit{\\*\\fldinst HYPERLINK "b"}{\\fldrslt {\\b Zy}}}an c {\\field{\\*\\fldinst PAGE}{\\fldrslt 1}}',
      'a {\\field\\fldedit{\\*\\fldinst HYPERLINK "b"}{\\fldrslt {\\b [X]}}} c {\\field{\\*\\fldinst PAGE}{\\fldrslt 1}}',
    ],
    [
      'lines in a field, and a field in the code of another',
      'Zya {\\field{\\*\\fldinst {\\field{\\*\\fldinst x}{\\fldrslt Zyb}}}{\\fldrslt b\\par Zy}}c{\\header {\\field{\\*\\fldinst x}{\\fldrslt Zy}}d}',
      '[X] {\\field{\\*\\fldinst {\\field{\\*\\fldinst x}{\\fldrslt [X]}}}{\\fldrslt b\\par [X]}}{\\header {\\field{\\*\\fldinst x}{\\fldrslt [X]}}}',
    ],
    ['a footnote inside of a word', 'Zy{\\footnote Zyn}ab', '[X]{\\footnote [X]}'],
    [
      'an equation',
      '{\\mmath{\\*\\moMathPara{\\*\\moMathParaPr{\\mjc center}}{\\*\\moMath{\\mf{\\mfPr{\\mtype bar}}{\\mnum{\\mr Zya}}{\\mden{\\mr b}}}}}}c',
      '{\\mmath{\\*\\moMathPara{\\*\\moMathParaPr{\\mjc center}}{\\*\\moMath{\\mf{\\mfPr{\\mtype bar}}{\\mnum{\\mr [X]}}{\\mden{\\mr b}}}}}}c',
    ],
    ['editing sessions go', '\\insrsid123 a\\b\\insrsid4 b', '{}a\\b{}b'],
    ['raw bytes are passed over', '{\\*\\objdata\\bin3 Zy}}c', '{}c'],
    ['line ends in the source are none in the text', 'Zy\r\nab c', '[X]\r\n c'],
  ]
  test.each(cases)('%s', async (_, body, expected) => {
    expect((await clean(body)).text).toBe(expected)
  })

  test.each(['cs5', 'ts5', 'ds5'])('a group that begins with a style (\\%s) is a part of its line', async style => {
    const { text } = await clean(`Ann Zy{\\${style} ann}a writes\\par`)
    expect(text).toBe(`Ann [X]{\\${style} } writes\\par`)
  })

  test('characters of two bytes', async () => {
    const { text } = await clean("\\f1 \\'93\\'fa\\'96\\'7b a", '\u65e5\u672c')
    expect(text).toBe('\\f1 [X] a')
  })

  const fonts = '{\\fonttbl{\\f0\\fcharset134 A;}{\\f1\\fcharset0 B;}{\\f2 C;}}'
  const encoded: [string, string, string, string][] = [
    [
      'characters of several bytes',
      "\\ansicpg65001 Zy\\'c3\\'a5 b\\'e2\\'82\\'ac",
      '\u00e5|\u20ac',
      '\\ansicpg65001 Zy# b#',
    ],
    [
      'bytes without the rest of their character',
      "\\ansicpg65001{\\'e2\\'82}\\'c3\\b\\'c3\\'c3\\'a5",
      '\u00e5',
      "\\ansicpg65001{\\'e2\\'82}\\'c3\\b\\'c3#",
    ],
    [
      'half a character of two bytes',
      `\\ansicpg936${fonts}{\\f0 a\\'ce}\\f0\\'a2 Zya`,
      'Zya',
      `\\ansicpg936${fonts}{\\f0 a\\'ce}\\f0\\'a2 #`,
    ],
    [
      'a Western font beside one of the code page',
      `\\ansicpg936${fonts}{\\f1 Zo\\'e9}{\\f2\\'ce\\'a2}`,
      'Zo\u00e9|\u5fae',
      `\\ansicpg936${fonts}{\\f1 #}{\\f2 #}`,
    ],
    [
      'a Western font for letters of the code page',
      "\\ansicpg1251{\\fonttbl{\\f0\\fcharset0 A;}}\\f0\\'cf\\'d0 b",
      '\u041f\u0420',
      '\\ansicpg1251{\\fonttbl{\\f0\\fcharset0 A;}}\\f0 # b',
    ],
  ]
  test.each(encoded)('%s', async (_, body, pattern, expected) => {
    const rules = [regexRule('X', pattern, { replacement: { text: '#' } })]
    const { output } = await anonymise(call({ input: bufferInput('x.rtf', Buffer.from(`{\\rtf1${body}}`)), rules }))
    expect(Buffer.from(await output.read(0, output.size)).toString('latin1')).toBe(`{\\rtf1${expected}}`)
  })

  test('a replacement beyond the code page and with marks of the format', async () => {
    expect((await clean('Zya', 'Zya', '{\u25a0}\\')).text).toBe('\\{{\\uc1\\u9632?}\\}\\\\')
  })

  test('what is left out is named, unless its kind is unknown', async () => {
    const { report } = await clean(
      '{\\*\\themedata 00}{\\*\\lchars Zy}{\\*\\atnauthor Zy}{\\*\\constructor Zy}{\\*\\zykind Zy}a',
    )
    expect(report.dropped).toEqual([
      { what: 'themes', count: 1 },
      { what: 'rules of line breaks', count: 1 },
      { what: 'comments', count: 1 },
      { what: 'parts of an unknown kind', count: 2 },
    ])
  })

  test('a picture keeps its place and size', async () => {
    const { text, report } = await clean('{\\pict\\picwgoal100\\pichgoal200\\emfblip 5a79}')
    expect(text).toMatch(/^\{\\pict\\picwgoal100\\pichgoal200\\pngblip 89504e47[0-9a-f]+\}$/)
    expect(report.dropped).toEqual([{ what: 'pictures', count: 1 }])
  })
})
