import { readFileSync } from 'node:fs'
import { degrees, PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import type * as Engine from '../../../shared/engine/anonymise.ts'
import { encodePage } from '../../../shared/engine/formats/image/codecs.ts'
import { inflated } from '../../../shared/engine/formats/pdf/verify/decoded-streams.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { mutant as mutated } from '../mutant.ts'
import { fillWithText, showPdf } from './pdf-samples.ts'
import { typedPicture } from './picture-samples.ts'

const canary = readFileSync(new URL('corpus/canary.pdf', import.meta.url))
/** The engine with one place of one source file of this format changed. */
const mutant = (file: string, from: string, to: string) => mutated({ file: `formats/pdf/${file}`, from, to })

/** What the asset came to: `failed` with its code, or how it came out and whether canaries are left in it. */
const outcome = async (engine: typeof Engine, source: Uint8Array = canary) => {
  const rules = [regexRule('canary', '[Zz][Yy]\\w*')]
  try {
    const { output, report } = await engine.anonymise(call({ input: bufferInput('canary.pdf', source), rules }))
    const bytes = await output.read(0, output.size)
    // Pixels form any letters by chance.
    const streams = [...inflated(bytes, 2 ** 28)].filter(({ dict }) => !/\/Subtype\s*\/Image\b/.test(dict))
    const objects = Buffer.from(bytes)
      .toString('latin1')
      .replace(/\bstream\r?\n[\s\S]*?endstream/g, '')
    const raw = [objects, ...streams.map(stream => Buffer.from(stream.bytes).toString('latin1'))].join('\n')
    return {
      escalated: report.escalated.length,
      left: /zy[a-z]{3}/i.test(`${raw}${(await showPdf(bytes)).join('\n')}`),
    }
  } catch (error) {
    return { failed: (error as { type?: string }).type }
  }
}

// Each of these breaks a step on which the promise rests. Verification has to see every one of them.
const mutants: [what: string, file: string, from: string, to: string][] = [
  [
    'no glyph is cut',
    'content/glyph-targets.ts',
    'hit: (x, y, middleX, middleY, em, width) => {\n',
    'hit: (x, y, middleX, middleY, em, width) => {\n      if (em > 0) return false\n',
  ],
  [
    'glyphs are cut but the old string is kept',
    'content/text-state-writer.ts',
    'parts.push(hex(bytes.subarray(kept, end)))',
    'parts.push(hex(bytes))',
  ],
  [
    'one glyph of each string is left',
    'content/text-state-writer.ts',
    'if (isHit(writer.targets, shown, glyph, at)) {',
    'if (start > 0 && isHit(writer.targets, shown, glyph, at)) {',
  ],
  [
    'too many glyphs are cut',
    'content/glyph-targets.ts',
    'const from = distance(own, x, y)\n',
    'const from = distance(own, x, y)\n      if (from <= 30) return true\n',
  ],
  [
    'widths are wrong',
    'content/text-state-writer.ts',
    'const distance = glyph.advance * size + charSpace + (glyph.space ? wordSpace : 0)',
    'const distance = 1.4 * glyph.advance * size',
  ],
  [
    'forms are not entered',
    'content/remove-glyphs.ts',
    "else if (operator === 'Do') {",
    "else if (operator === 'Never') {",
  ],
  ['the transformation is ignored', 'content/state.ts', "case 'cm': {", "case 'never': {"],
  [
    'hidden strings stay',
    'write.ts',
    'if (edits.hidden.has(string.text)) string.set(',
    'if (!edits.hidden.has(string.text)) string.set(',
  ],
  [
    'unreachable objects stay',
    'sanitise.ts',
    'if (!reached.has(ref)) context.delete(ref)',
    'if (reached.size < 0) context.delete(ref)',
  ],
  ['labels are not drawn', 'text/replacement-labels.ts', "if (text !== '') out.push(", "if (text === 'x') out.push("],
]

describe('a broken cutter', () => {
  test('a whole one passes', async () => {
    const engine = await mutant('content/glyph-targets.ts', 'const bucket = 16', 'const bucket = 32')
    expect(await outcome(engine)).toEqual({ escalated: 0, left: false })
  })

  test.each(mutants)('is found out when %s', async (_, file, from, to) => {
    const result = await outcome(await mutant(file, from, to))
    if ('failed' in result) expect(result.failed).toBe('leak_detected')
    else expect(result).toEqual({ escalated: 1, left: false })
  })

  test('is found out when pictures vanish from a page without a match', async () => {
    const document = await PDFDocument.create()
    const photograph = await document.embedJpg(await encodePage(await typedPicture(['Harbour at dawn']), 90))
    document.addPage([420, 300]).drawImage(photograph, { x: 0, y: 0, width: 420, height: 300 })
    const source = await document.save({ useObjectStreams: false })
    const engine = await mutant('objects/allowed-keys.ts', 'Shading:shadings XObject:xobjects\n', 'Shading:shadings\n')
    expect(await outcome(engine, source)).toEqual({ escalated: 1, left: false })
    const worse = await mutant('objects/allowed-keys.ts', 'Rotate\n    Group:group', 'Rotated\n    Group:group')
    document.getPage(0).setRotation(degrees(90))
    expect(await outcome(worse, await document.save({ useObjectStreams: false }))).toEqual({ failed: 'corrupt_file' })
  })

  test('is found out when pictures vanish beside a page whose pattern loses its text', async () => {
    const document = await PDFDocument.create()
    const photograph = await document.embedJpg(await encodePage(await typedPicture(['Harbour at dawn']), 90))
    document.addPage([420, 300]).drawImage(photograph, { x: 0, y: 0, width: 420, height: 300 })
    const font = await document.embedFont('Helvetica')
    const page = document.addPage([420, 300])
    page.drawRectangle({ width: 10, height: 10 })
    fillWithText(page, font, 'Anna')
    const source = await document.save({ useObjectStreams: false })
    const whole = await mutant('content/glyph-targets.ts', 'const bucket = 16', 'const bucket = 32')
    expect(await outcome(whole, source)).toEqual({ escalated: 0, left: false })
    const engine = await mutant('objects/allowed-keys.ts', 'Shading:shadings XObject:xobjects\n', 'Shading:shadings\n')
    expect(await outcome(engine, source)).toEqual({ escalated: 1, left: false })
  })

  test('that leaves words on a picture is made good by boxes where the output shows them', async () => {
    const document = await PDFDocument.create()
    const scan = await document.embedJpg(await encodePage(await typedPicture(['Contract with Zyanne Harbour']), 90))
    document.addPage([420, 300]).drawImage(scan, { x: 0, y: 0, width: 420, height: 300 })
    const source = await document.save({ useObjectStreams: false })
    const engine = await mutant('write.ts', '...labels, ...overPictures]', '...labels]')
    expect(await outcome(engine, source)).toEqual({ escalated: 1, left: false })
  })

  test('is found out when boxes on pictures lie beside the words', async () => {
    const document = await PDFDocument.create()
    const scan = await document.embedJpg(await encodePage(await typedPicture(['Contract with Zyanne Harbour']), 90))
    document.addPage([420, 300]).drawImage(scan, { x: 0, y: 0, width: 420, height: 300 })
    const source = await document.save({ useObjectStreams: false })
    const engine = await mutant(
      'pictures/pictures.ts',
      '0, x, y, point, point + 8',
      '0, x + 500, y + 300, point, point + 8',
    )
    expect(await outcome(engine, source)).toEqual({ failed: 'leak_detected' })
  })
})
