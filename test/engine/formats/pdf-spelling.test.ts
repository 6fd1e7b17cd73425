import { PDFDocument, PDFName, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { EntityModel } from '../../../shared/engine/detect/entity-model.ts'
import { accented, spelling, unaccented } from '../../../shared/engine/formats/pdf/text/normalise-text.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { makePdf, showPdf } from './pdf-samples.ts'

const run = async (texts: string[], pattern: string) => {
  const input = bufferInput('file.pdf', await makePdf(texts))
  const result = await anonymise(call({ input, rules: [regexRule('name', pattern)] }))
  return { result, shown: (await showPdf(await result.output.read(0, result.output.size))).join('\n') }
}

describe('a word is found however the page spells it', () => {
  test.each([
    ['a ligature', 'Sta\ufb03ng o\ufb03cer Gri\ufb03n', 'Griffin', /Gri/],
    ['wide letters', 'Ｓｉｇｎｅｄ ｂｙ Ｓｍｉｔｈ', 'Smith', /Ｓｍ|Smith/],
    ['wide digits', 'Tel. ０３０１２３４５６', '\\d{6,}', /[０0]３|345/],
    ['a letter and its accent', 'Signed by Jose\u0301 today', 'Jos\u00e9', /Jos/],
    [
      'a letter that is spelt twice',
      'Greek \u1f00\u03b3\u03b5\u03bb\u03b5\u1f77\u03b1',
      '\u1f00\u03b3\u03b5\u03bb\u03b5\u03af\u03b1',
      /γελ/,
    ],
    ['a soft hyphen', 'Signed by Smi\u00adthers today', 'Smithers', /Smi|thers/],
    ['a space that does not break', 'Signed by John\u00a0Smith', 'John Smith', /John|Smith/],
    [
      'a vowel that is drawn behind a space',
      'Thai \u0e04 \u0e33\u0e41\u0e1b\u0e25 too',
      '\u0e04\u0e33\u0e41\u0e1b\u0e25',
      /\u0e41|\u0e1b/,
    ],
    ['a hyphen that does not break', 'Call 030\u2011123\u2011456 now', '030-123-456', /123/],
    [
      'shapes of Arabic letters',
      '\ufeaa\ufee4\ufea4\ufee3 \ufee2\ufeb3\ufe8d',
      '\u0645\u062d\u0645\u062f',
      /[\u0645\ufee3]/,
    ],
  ])('%s', async (_, text, pattern, gone) => {
    const { result, shown } = await run([text, 'Nothing else goes'], pattern)
    expect(result.findings[0]?.count).toBe(1)
    expect(result.report.rasterised).toEqual([])
    expect(shown).not.toMatch(gone)
    expect(shown).toContain('Nothing else goes')
  })

  test('over two lines, where only a hyphen says so', async () => {
    const { result, shown } = await run(['Signed in the presence of Mr Smi-', 'thers and others'], 'Smithers')
    expect(result.findings[0]?.count).toBe(1)
    expect(shown).not.toMatch(/Smi|\bthers/)
    expect(shown).toContain('and others')
  })
})

describe('a value goes where a line ends at its hyphen, and so does a word that is hyphenated there', () => {
  const broken = [
    'By the anony-',
    'mous Anna Meyer-',
    'Landau and Jean-',
    'luc of case ZX-',
    '48213 with key a56f-',
    '0e02b2c3 and MAC 3A-',
    'b7 here',
  ]
  test.each([
    ['Anna Meyer-Landau', /Anna|Meyer|Landau/],
    ['Anna MeyerLandau', /Anna|Meyer|Landau/],
    ['ZX-48213', /ZX|48213/],
    ['a56f-0e02b2c3', /a56f|0e02/],
    ['3A-b7', /3A|b7/],
    ['Jean-luc', /Jean|luc/],
    ['anonymous', /anony|mous/],
  ])('%s', async (value, gone) => {
    const { result, shown } = await run(broken, `\\b${value}\\b`)
    expect(result.findings[0]?.count).toBe(1)
    expect(result.report.rasterised).toEqual([])
    expect(shown).not.toMatch(gone)
    expect(shown).toMatch(/\bhere/)
  })

  test('where a line ends at several hyphens of a word', async () => {
    const { result, shown } = await run(
      ['Sabine Leut-', 'heusser-', 'Schnarren-', 'berger came'],
      'Leutheusser-Schnarrenberger',
    )
    expect(result.findings[0]?.count).toBe(1)
    expect(shown).not.toMatch(/Leut|heus|Schnar|berger/)
  })

  const modelFinding = (names: RegExp) => {
    const asked: string[] = []
    const model: EntityModel = {
      find: async texts =>
        texts.map(text => {
          asked.push(text)
          return [...text.matchAll(names)].map(({ 0: name, index: start }) => ({
            ...{ label: 'PERSON', score: 0.9, start, end: start + name.length },
          }))
        }),
    }
    return { model, asked }
  }
  const person: PlannedRule = {
    ruleId: 'person',
    name: 'person',
    detection: { type: 'AIMODEL', modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 },
    replacement: { hash: {} },
  }

  test('where it is found elsewhere alone', async () => {
    const names = [
      'Mrs. Quorum-Landau and Mrs. Schnarrenberger',
      'met Quorum-',
      'Landau, Schnarren-',
      'berger and others',
    ]
    const { model } = modelFinding(/(?<=Mrs\. )[\p{L}-]+/gu)
    const input = bufferInput('file.pdf', await makePdf(names))
    const { output, findings } = await anonymise(
      call({ input, rules: [{ ...person, replacement: { text: '<P>' } }], models: async () => model }),
    )
    expect(findings[0]?.count).toBe(4)
    const shown = (await showPdf(await output.read(0, output.size))).join(' ')
    expect(shown).not.toMatch(/Quorum|Landau|Schnarren|berger/)
    expect(shown).toContain('and others')
  })

  test('models are shown the word, once, and its value is the same', async () => {
    const { model, asked } = modelFinding(/Quorum-Landau|Schnarrenberger/g)
    const names = ['Quorum-Landau and Schnarrenberger', 'met Quorum-', 'Landau, Schnarren-', 'berger and others']
    const input = bufferInput('file.pdf', await makePdf(names))
    const { output } = await anonymise(call({ input, rules: [person], models: async () => model }))
    expect(new Set(asked.filter(text => text.includes('others')))).toEqual(
      new Set([expect.stringContaining('met Quorum-Landau, Schnarrenberger and others')]),
    )
    const shown = (await showPdf(await output.read(0, output.size))).join(' ')
    const hashes = shown.match(/[0-9a-f]{16,}/g) ?? []
    expect(hashes).toHaveLength(4)
    expect(new Set(hashes).size).toBe(2)
  })
})

test('a name that runs over a hill, each letter a step higher or lower, is one line', async () => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([400, 100])
  const font = await document.embedFont(StandardFonts.Courier)
  const [size, width] = [10, 6]
  ;[...'Berg und Talbahn'].forEach((letter, i) => {
    if (letter !== ' ') page.drawText(letter, { x: 50 + width * i, y: 60 - 1.4 * Math.abs(i - 7), size, font })
  })
  const input = bufferInput('file.pdf', await document.save({ useObjectStreams: false }))
  const { output, findings, report } = await anonymise(
    call({ input, rules: [regexRule('name', 'Berg und', { replacement: { text: '-' } })] }),
  )
  expect(findings[0]?.count).toBe(1)
  expect(report.rasterised).toEqual([])
  expect((await showPdf(await output.read(0, output.size))).join('')).toMatch(/^-\s*Talbahn$/)
})

/** A page that shows pieces of text, each by itself, in a font of drawings whose units are `unit` of the usual ones. */
const makeDrawn = async (unit: number, box: number[], pieces: [x: number, text: string][]): Promise<Uint8Array> => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([400, 100])
  const [scale, size] = [0.001 * unit, 20 / unit]
  const glyph = context.register(context.flateStream('500 0 50 0 450 700 d1 50 0 400 700 re f'))
  const letters = [...new Set(pieces.flatMap(([, text]) => [...text]))].sort()
  const first = letters[0]!.charCodeAt(0)
  const codes = Array.from({ length: letters.at(-1)!.charCodeAt(0) - first + 1 }, (_, i) =>
    String.fromCharCode(first + i),
  )
  const font = context.obj({
    Type: 'Font',
    Subtype: 'Type3',
    FontBBox: box,
    FontMatrix: [scale, 0, 0, scale, 0, 0],
    FirstChar: first,
    LastChar: first + codes.length - 1,
    Widths: codes.map(() => 500),
    CharProcs: Object.fromEntries(letters.map(letter => [letter, glyph])),
    Encoding: { Type: 'Encoding', Differences: [first, ...codes] },
  })
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font } }))
  const shown = pieces.map(([x, text]) => `BT /F1 ${size} Tf ${x} 50 Td (${text}) Tj ET`)
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(shown.join('\n'))))
  return document.save({ useObjectStreams: false })
}

describe('where words of drawn letters end is told by the letters, whatever the units of their font', () => {
  const usual = [0, -200, 500, 800]
  test.each([
    ['usual', 1, usual],
    ['fifty times as large', 50, usual],
    ['ten times as small', 0.1, usual],
    ['large, and no box', 50, [0, 0, 0, 0]],
  ])('%s', async (_, unit, box) => {
    // A letter is 10 wide: the first two stand 1 apart, as in one word, the others 3.
    const pieces: [number, string][] = [
      [20, 'Insu'],
      [61, 'rance'],
      [114, 'Smith'],
    ]
    const input = bufferInput('file.pdf', await makeDrawn(unit, box, pieces))
    const rules = ['Insurance', '\\bSmith'].map(pattern => regexRule(pattern, pattern))
    const { findings } = await anonymise(call({ input, rules }))
    expect(findings.map(({ count }) => count)).toEqual([1, 1])
  })
})

test('spelling leaves plain text and other signs as they are', () => {
  expect(spelling('naïve – 10² m, 50 %')).toBe('naïve – 10² m, 50 %')
  expect(spelling('\ufb01ne \u200bwork')).toBe('fine work')
  expect(accented('ı', '\u0301')).toBe('í')
  expect(unaccented('Jos´e').replace(' ', '')).toBe(unaccented('José'))
})
