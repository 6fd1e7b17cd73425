import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import {
  isTellingGlyph,
  meaninglessNames,
  renameGlyphs,
  tellingGlyphs,
} from '../../../shared/engine/formats/pdf/fonts/glyph-renaming.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

const twoBytes = (value: number) => Buffer.from([value >> 8, value & 255])
const index = (...parts: string[]) => {
  let at = 1
  const offsets = [at, ...parts.map(part => (at += part.length))]
  return Buffer.concat([twoBytes(parts.length), Buffer.from([1, ...offsets]), Buffer.from(parts.join(''), 'latin1')])
}

/** The part of a Type 1 font that is encrypted (Adobe Type 1 Font Format, 7.1). */
const encrypted = (text: string): Buffer => {
  let key = 55_665
  return Buffer.from(
    Array.from(Buffer.from(text, 'latin1'), byte => {
      const coded = byte ^ (key >> 8)
      key = ((coded + key) * 52_845 + 22_719) & 0xffff
      return coded
    }),
  )
}
const type1 = (name: string) =>
  Buffer.concat([
    Buffer.from(`%!PS-AdobeFont-1.0: F\ndup 1 /${name} put\ncurrentfile eexec\n`),
    encrypted(`\xff\xff\xff\xff/CharStrings 2 dict /.notdef 3 RD abc ND /${name} 3 RD abc ND end`),
  ])

const compact = (name: string) =>
  Buffer.concat([Buffer.from([1, 0, 4, 1]), index('F'), index('\x8b'), index('Regular', name)])

const trueType = (name: string) => {
  const post = Buffer.concat([
    Buffer.from([0, 2, 0, 0]),
    Buffer.alloc(28),
    twoBytes(2),
    twoBytes(0),
    twoBytes(258),
    Buffer.from([name.length]),
    Buffer.from(name),
  ])
  const entry = Buffer.concat([Buffer.from('post'), Buffer.alloc(4), Buffer.alloc(8)])
  entry.writeUInt32BE(28, 8)
  entry.writeUInt32BE(post.length, 12)
  return Buffer.concat([Buffer.from([0, 1, 0, 0]), twoBytes(1), Buffer.alloc(6), entry, post])
}

test.each([
  ['Type 1', type1],
  ['compact', compact],
  ['TrueType', trueType],
])('the glyphs of a %s font get other names, and nothing else changes', (_, make) => {
  const font = make('Margaret')
  expect(tellingGlyphs(font)).toContain('Margaret')
  const fresh = meaninglessNames(['Margaret'])
  expect(renameGlyphs(font, fresh)).toEqual(make(fresh.get('Margaret')!))
  expect(renameGlyphs(font, meaninglessNames(['Johnson']))).toBeUndefined()
})

test('names of letters and signs tell nothing, words do', () => {
  const harmless = ['quotedblleft', 'seven', 'Lcommaaccent', 'uni00AD', 'glyph123', 'afii10017', 'f_f_i']
  expect(harmless.filter(isTellingGlyph)).toEqual([])
  expect(['Margaret', 'a.Margaret', 'Zqxone'].every(isTellingGlyph)).toBe(true)
  expect(new Set(meaninglessNames(['Margaret', 'Johnsons', 'Samuel']).values()).size).toBe(3)
})

test('a glyph that is called as a replaced value gets another name, and the page looks as before', async () => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([300, 100])
  const glyph = context.register(context.flateStream('600 0 0 0 500 700 d1 0 0 500 700 re f'))
  const square = context.obj({
    Type: 'Font',
    Subtype: 'Type3',
    FontBBox: [0, 0, 600, 700],
    FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
    FirstChar: 65,
    LastChar: 65,
    Widths: [600],
    CharProcs: { Margaret: glyph },
    Encoding: { Type: 'Encoding', Differences: [65, 'Margaret'] },
  })
  const plain = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' })
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: plain, F2: square } }))
  const content = 'BT /F1 12 Tf 20 50 Td (Signed by Margaret today) Tj ET BT /F2 12 Tf 250 50 Td (A) Tj ET'
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)))
  const input = bufferInput('file.pdf', await document.save({ useObjectStreams: false }))
  const { output, report } = await anonymise(call({ input, rules: [regexRule('name', 'Margaret')] }))
  expect(report.rasterised).toEqual([])
  const after = await PDFDocument.load(await output.read(0, output.size), { updateMetadata: false })
  const objects = after.context.enumerateIndirectObjects().map(([, object]) => String(object))
  expect(objects.join('\n')).not.toContain('Margaret')
  expect(objects.join('\n')).toMatch(/\/CharProcs <<\s*\/qqqqqaaa /)
})

test('a replaced word may be part of the name of a standard glyph', async () => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([300, 100])
  const encoding = { Type: 'Encoding', Differences: [39, 'quotesingle', 'parenleft'] }
  const font = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier', Encoding: encoding })
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font } }))
  const content = 'BT /F1 12 Tf 20 50 Td (one single word) Tj ET'
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)))
  const input = bufferInput('file.pdf', await document.save({ useObjectStreams: false }))
  const { findings, report } = await anonymise(call({ input, rules: [regexRule('word', 'single')] }))
  expect(findings[0]?.count).toBe(1)
  expect(report.rasterised).toEqual([])
})
