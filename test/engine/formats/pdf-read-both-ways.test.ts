import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { readToUnicode } from '../../../shared/engine/formats/pdf/fonts/glyph-names.ts'
import { openSecond, secondText } from '../../../shared/engine/formats/pdf/text/second-reader.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { readFirstPage, showPdf } from './pdf-samples.ts'

/** A page with this content, whose font `F1` is a standard one and `F2` that of signs; the name of `F3` is Chinese. */
const pdfOf = async (content: string): Promise<Uint8Array> => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([600, 800])
  const standard = (BaseFont: string) => ({ Type: 'Font', Subtype: 'Type1', BaseFont })
  const Font = {
    F1: { ...standard('Helvetica'), Encoding: 'WinAnsiEncoding' },
    F2: standard('ZapfDingbats'),
    F3: { Type: 'Font', Subtype: 'TrueType', BaseFont: '#CB#CE#CC#E5', Encoding: 'WinAnsiEncoding' },
  }
  page.node.set(PDFName.of('Resources'), context.obj({ Font }))
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)))
  return document.save()
}

const without = async (bytes: Uint8Array, pattern: string) => {
  const { output, report } = await anonymise(
    call({ input: bufferInput('file.pdf', bytes), rules: [regexRule('name', pattern)] }),
  )
  return { bytes: await output.read(0, output.size), rasterised: report.rasterised }
}

/** A name with the number of a note behind it, which the reader joins to the name. */
const note = 'BT /F1 12 Tf 72 700 Td (By Johnson) Tj 5 Ts /F1 7 Tf (1) Tj 0 Ts /F1 12 Tf ( of Acme) Tj ET'

/** A formula whose exponent stands before its line in the content and above it on the page. */
const formula =
  'BT /F1 7 Tf 1 0 0 1 95.7 705 Tm (itx) Tj /F1 12 Tf 1 0 0 1 72 700 Tm (f = e) Tj /F1 12 Tf 1 0 0 1 103 700 Tm (dt) Tj ET'

test.each(['\\bJohnson\\b', '\\bJohnson1\\b'])(
  'a name with the number of a note goes where %s is looked for',
  async pattern => {
    const { bytes, rasterised } = await without(await pdfOf(note), pattern)
    expect(rasterised).toEqual([])
    expect((await showPdf(bytes)).join(' ')).not.toContain('Johnson')
  },
)

const raised = (mark: string) => `5 Ts /F1 7 Tf (${mark}) Tj 0 Ts /F1 12 Tf`

test.each([
  ['between two words', `(By Ann) Tj ${raised('1')} ( Lee there) Tj`, '\\bAnn Lee\\b', 'By [name] there'],
  ['of several digits', `(By Ann) Tj ${raised('1,2')} ( Lee there) Tj`, '\\bAnn Lee\\b', 'By [name] there'],
  ['within a word', `(By John) Tj ${raised('a')} (son there) Tj`, '\\bJohnson\\b', 'By [name] there'],
  ['at the end of all', `(By Ann Lee) Tj ${raised('12')}`, '\\bAnn Lee\\b$', 'By [name]'],
])('a value goes that the mark of a note stands in: %s', async (_, shown, pattern, left) => {
  const { bytes, rasterised } = await without(await pdfOf(`BT /F1 12 Tf 72 700 Td ${shown} ET`), pattern)
  expect(rasterised).toEqual([])
  expect(
    (await showPdf(bytes))
      .join(' ')
      .replace(/[12\s]+/g, ' ')
      .trim(),
  ).toBe(left)
})

test('a line goes on behind the mark of a note', async () => {
  const text = await readFirstPage(await pdfOf(`BT /F1 12 Tf 72 700 Td (By Ann) Tj ${raised('1')} ( Lee there) Tj ET`))
  expect(text.replaceAll('\ufeff', '')).toBe('By Ann1 Lee there')
})

test('letters of one size on one level are not parted', async () => {
  expect(await readFirstPage(await pdfOf('BT /F1 12 Tf 72 700 Td (John) Tj (son) Tj /F1 7 Tf (SMALL) Tj ET'))).toBe(
    'JohnsonSMALL',
  )
})

test('letters that rise a little with the line are not parted', async () => {
  const letters = Array.from('Johnson', (letter, i) => `1 0 0 1 ${72 + 7 * i} ${700 + i} Tm (${letter}) Tj`)
  expect(await readFirstPage(await pdfOf(`BT /F1 12 Tf ${letters.join(' ')} ET`))).toBe('Johnson')
})

test.each(['eitx', 'itxdt', '\\beitxdt\\b'])('an exponent stands at its letter, joined or not: %s', async pattern => {
  const pdf = await pdfOf(formula)
  expect((await readFirstPage(pdf)).replace(/[\u200b\u2060]/g, '').trim()).toBe('f = e itx dt')
  const { bytes, rasterised } = await without(pdf, pattern)
  expect(rasterised).toEqual([])
  expect((await showPdf(bytes)).join(' ').replace(/\s/g, '')).not.toMatch(/eitx|itxdt/)
})

test('something small within a word leaves the word whole', async () => {
  const content = 'BT /F1 12 Tf 72 700 Td (By Peter Miller) Tj /F1 5 Tf 1 0 0 1 126 704 Tm (2) Tj ET'
  expect(await readFirstPage(await pdfOf(content))).toContain('Miller')
})

test.each(['\\bAnn Lee\\b', '\\bAnnLee\\b'])(
  'a gap that some readers take for none is read as a space and as none: %s',
  async pattern => {
    const { bytes, rasterised } = await without(
      await pdfOf('BT /F1 20 Tf 72 700 Td [(met Ann) -145 (Lee there)] TJ ET'),
      pattern,
    )
    expect(rasterised).toEqual([])
    expect((await showPdf(bytes)).join(' ')).not.toMatch(/Ann|Lee/)
  },
)

test.each(['\\bClara- Ann\\b', '\\bClaraAnn\\b'])('a hyphen before a gap may join words or not: %s', async pattern => {
  const content = 'BT /F1 12 Tf 72 700 Td (met Clara-) Tj 80 0 Td (Ann there) Tj ET'
  const { bytes, rasterised } = await without(await pdfOf(content), pattern)
  expect(rasterised).toEqual([])
  expect((await showPdf(bytes)).join(' ')).not.toMatch(/Ann|Clara/)
})

test.each(['\\bAnn Lee\\b', '\\bAnnLee\\b'])(
  'a space that a letter is shown over is one and none: %s',
  async pattern => {
    const content = 'BT /F1 20 Tf 72 700 Td (met ) Tj 50 0 Td (Ann ) Tj 35.58 0 Td (Lee there) Tj ET'
    const { bytes, rasterised } = await without(await pdfOf(content), pattern)
    expect(rasterised).toEqual([])
    expect((await showPdf(bytes)).join(' ')).not.toMatch(/Ann|Lee/)
  },
)

test.each(['红军', 'Müller'])(
  'a font with a Chinese name is read by pairs of bytes and by bytes: %s',
  async pattern => {
    const content = 'BT /F3 20 Tf 72 700 Td <BAECBEFC> Tj 0 -40 Td <4DFC6C6C6572> Tj ET'
    const { bytes, rasterised } = await without(await pdfOf(content), pattern)
    expect(rasterised).toEqual(pattern === 'Müller' ? [1] : [])
    expect((await showPdf(bytes)).join(' ')).not.toMatch(/红|軍|er$/)
  },
)

test.each([
  ['By L i n d q v i s t there', 'Lindqvist', 'By [name] there'],
  ['By A n n a L i n d q v i s t', 'Anna Lindqvist', 'By [name]'],
  ['Ask a n n @ e x a m p l e . o r g', 'ann@example\\.org', 'Ask [name]'],
  ['By L i n d q v i s t there', '\\bBy L i n d', '[name] q v i s t there'],
  ['Digits 1 0 0 1 1 0 here', '\\d{3,}', 'Digits 1 0 0 1 1 0 here'],
  ['Either a b c d here', 'abcd', 'Either a b c d here'],
])('letters that are spaced out by hand are read as a word, too: %s, %s', async (text, pattern, left) => {
  const { bytes, rasterised } = await without(await pdfOf(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`), pattern)
  expect(rasterised).toEqual([])
  expect((await showPdf(bytes)).join(' ').replace(/\s+/g, ' ').trim()).toBe(left)
})

test('a space is one', async () => {
  expect(await readFirstPage(await pdfOf('BT /F1 20 Tf 72 700 Td [(Ann) -300 (Lee) ( met)] TJ ET'))).toBe('Ann Lee met')
})

const mirror = '-1 0 0 1 500 0 cm BT /F1 20 Tf 72 700 Td (Ann Lee met us) Tj ET'

test.each(['Lee', 'eeL', 'eeL nnA'])('text in a mirror is read forwards and backwards: %s', async pattern => {
  for (const content of [mirror, `0 1 -1 0 700 0 cm ${mirror}`]) {
    const { bytes, rasterised } = await without(await pdfOf(content), pattern)
    const shown = (await showPdf(bytes)).join(' ')
    expect(shown).not.toMatch(/Lee/)
    expect(rasterised).toEqual(pattern === 'Lee' ? [] : [1])
  }
})

test('text that is only turned is read forwards', async () => {
  const { rasterised } = await without(await pdfOf(`0 1 -1 0 600 0 cm BT /F1 20 Tf 72 100 Td (Ann Lee) Tj ET`), 'eeL')
  expect(rasterised).toEqual([])
})

test('the second reader hands out each of many lines once', async () => {
  const lines = Array.from({ length: 70 }, (_, line) => `Line ${line}`)
  const shown = lines.map(line => `(${line}) Tj 0 -10 Td`).join(' ')
  const second = await openSecond(await pdfOf(`BT /F1 9 Tf 72 780 Td ${shown} ET`))
  const read = secondText(await second.read(0)).split('\n')
  await second.close()
  expect(read.map(line => line.trim())).toEqual(lines)
})

test('signs of the standard font of signs are letters to no reader', async () => {
  const { bytes } = await without(await pdfOf('BT /F2 20 Tf 72 700 Td (jumps 4) Tj ET'), 'nothing')
  const second = await openSecond(bytes)
  expect(secondText(await second.read(0)).trim()).toBe('❊◆❍❐▲ ✔')
  await second.close()
  expect(await readFirstPage(bytes)).toBe('❊◆❍❐▲ ✔')
})

test('a map whose codes are letters in UTF-8 is one that the reader leaves out', () => {
  const map = (code: string) => Buffer.from(`2 beginbfrange <D080> <D0BF> <0400> <${code}> <${code}> <0800> endbfrange`)
  expect([...readToUnicode(map('E0A080')).leftOut]).toContain(0xd09c)
  expect([...readToUnicode(map('D180')).leftOut]).toEqual([])
})
