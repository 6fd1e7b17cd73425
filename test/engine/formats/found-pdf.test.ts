import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { afterAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { decode } from '../../../shared/engine/formats/pdf/objects/objects.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { differing, drawnByPoppler, hasPoppler } from './pdf-poppler.ts'
import { outsiders, shared } from './pdf-redacted.ts'

const folder = join(shared, 'corpus/found')
const there = existsSync(folder)
const found = (name: string) => readFileSync(join(folder, name))

const run = async (bytes: Uint8Array, pattern: string) => {
  const { output, report } = await anonymise(
    call({ input: bufferInput('file.pdf', bytes), rules: [regexRule('x', pattern)] }),
  )
  return { after: await output.read(0, output.size), report }
}

describe.skipIf(!there)('files that showed a fault', () => {
  describe.skipIf(!hasPoppler)('look as before without a match', () => {
    test.each([
      '01-pdf-resource-named-B.pdf',
      '01-pdf-xobject-named-B.pdf',
      '01-pdf-gs-named-B.pdf',
      '01-pdf-fonts-S-P.pdf',
      '01-real-PDFBOX-3053.pdf',
      '13-pdf-noview.pdf',
      '19-pdf-no-pages.pdf',
    ])('%s', { timeout: 60_000 }, async name => {
      const before = found(name)
      const { after, report } = await run(before, 'nothing at all')
      expect(report.rasterised).toEqual([])
      const old = drawnByPoppler(before, 72)
      const fresh = drawnByPoppler(after, 72)
      expect(fresh.length).toBe(old.length)
      expect(old.map((page, i) => differing(page, fresh[i])).filter(share => share > 0)).toEqual([])
    })
  })

  test('fields that nothing showed are left out and counted', async () => {
    const { report } = await run(found('13-pdf-noview.pdf'), 'nothing at all')
    expect(report.dropped).toContainEqual({ what: 'annotations and form fields (kept as page content)', count: 1 })
    expect(report.dropped).toContainEqual({ what: 'annotations and form fields that nothing showed', count: 2 })
  })

  describe('hold nothing that nobody sees', () => {
    test.each([
      '12-pdf-function-comment.pdf',
      '12-pdf-mc-private.pdf',
      '12-pdf-ps-xobject.pdf',
      '12-pdf-tounicode-unused.pdf',
      '12-pdf-unused-form.pdf',
      '12-pdf-unused-form-a85.pdf',
      '12-pdf-unused-form-flate.pdf',
      '12-pdf-unused-form-lzw.pdf',
    ])('%s', { timeout: 60_000 }, async name => {
      const before = found(name)
      // With the rule that finds the value, and with none that does.
      for (const pattern of ['Zqx[a-z]+', 'nothing at all']) {
        const { after, report } = await run(before, pattern)
        expect(report.rasterised).toEqual([])
        const document = await PDFDocument.load(after, { updateMetadata: false })
        const texts = document.context.enumerateIndirectObjects().map(([, object]) => {
          const text = object.toString()
          return text + Buffer.from(decode(object) ?? []).toString('latin1')
        })
        const words = new Set(texts.join('\n').match(/Zqx[a-z]+/g))
        if (pattern !== 'nothing at all') expect([...words]).toEqual([])
        else expect([...words].filter(word => /form|private|comment|ps$/.test(word))).toEqual([])
      }
    })

    test('11-pdf-image-unused.pdf', async () => {
      const { after } = await run(found('11-pdf-image-unused.pdf'), 'nothing at all')
      expect(Buffer.from(after).toString('latin1')).not.toMatch(/\/Subtype\s*\/Image/)
    })
  })

  describe.skipIf(!hasPoppler)('hold no picture that nobody sees', () => {
    const home = mkdtempSync(join(tmpdir(), 'found-pdf-'))
    afterAll(() => rmSync(home, { recursive: true }))
    test.each([
      ['11-pdf-image-cropped.pdf', 0],
      ['11-pdf-image-clipped.pdf', 0],
      ['11-pdf-image-under-image.pdf', 1],
      ['11-pdf-image-smask.pdf', 0],
    ])('%s', { timeout: 60_000 }, async (name, left) => {
      const before = found(name)
      const { after, report } = await run(before, 'nothing at all')
      expect(report.dropped).toContainEqual({ what: 'pictures that no page shows', count: 1 })
      expect(report.rasterised).toEqual([])
      const file = join(home, name)
      writeFileSync(file, after)
      // Two lines are the head of the list; the small picture that covers the other one stays.
      const listed = spawnSync('pdfimages', ['-list', file], { encoding: 'utf8' }).stdout.trim().split('\n').slice(2)
      expect(listed).toHaveLength(left)
      expect(listed.join('')).not.toMatch(/\bsmask\b/)
      expect(after.length).toBeLessThan(before.length)
      expect(
        Buffer.from(after)
          .toString('latin1')
          .match(/\/Subtype\s*\/Image/g) ?? [],
      ).toHaveLength(left)
      // Poppler draws what lies outside of the crop box as well.
      if (name === '11-pdf-image-cropped.pdf') return
      const [fresh, old] = [drawnByPoppler(after, 72), drawnByPoppler(before, 72)]
      expect(old.map((page, i) => differing(page, fresh[i]))).toEqual([0])
    })

    test('08-pdf-image-rotated.pdf keeps the one that is seen', { timeout: 60_000 }, async () => {
      const { after, report } = await run(found('08-pdf-image-rotated.pdf'), 'nothing at all')
      expect(report.dropped).toEqual([])
      expect(Buffer.from(after).toString('latin1')).toMatch(/\/Subtype\s*\/Image/)
    })
  })

  describe('lose names that are shown neither as text nor as a picture', () => {
    test.each(['11-pdf-pattern-image.pdf', '11-pdf-outlined-mixed.pdf'])('%s', { timeout: 120_000 }, async name => {
      const { after, report } = await run(found(name), 'Margaret|Johnson')
      expect(report.rasterised).toEqual([1])
      expect(report.ocr?.pages).toBe(1)
      // What the page shows now, read anew.
      const again = await run(after, 'Johnson')
      expect(again.report.rasterised).toEqual([])
      const words = await run(after, 'visible words')
      expect(words.report.rasterised).toEqual([1])
      // The page is one picture: neither the pattern's own nor the outlines are in the file.
      const document = await PDFDocument.load(after, { updateMetadata: false })
      const contents = document.context.enumerateIndirectObjects().map(([, object]) => String(object))
      expect(contents.filter(text => /\/Subtype \/Image/.test(text))).toHaveLength(1)
      expect(contents.join('')).not.toContain('/PatternType')
    })

    test('outlines that are only stroked', { timeout: 120_000 }, async () => {
      const document = await PDFDocument.load(found('11-pdf-outlined-mixed.pdf'), { updateMetadata: false })
      const { node } = document.getPage(0)
      const stroked = Buffer.from(decode(node.lookup(PDFName.of('Contents'))) ?? [])
        .toString('latin1')
        .replace(/ f Q/g, ' 50 w S Q')
      node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(stroked)))
      const { after, report } = await run(await document.save({ useObjectStreams: false }), 'Margaret|Johnson')
      expect(report.rasterised).toEqual([1])
      expect((await run(after, 'Johnson')).report.rasterised).toEqual([])
    })
  })

  describe('lose what other readers read and the first one misreads', () => {
    const home = mkdtempSync(join(tmpdir(), 'found-pdf-'))
    afterAll(() => rmSync(home, { recursive: true }))
    for (const { name, there: installed } of outsiders)
      if (!installed) test.skip(`${name} is missing, so it reads no output`)
    test.each([
      ['06-pdf-glued-hello.pdf', '\\bHello\\b', /Hello/],
      ['06-pdf-glued-court.pdf', '\\b(?:Samuel|Cleveland)\\b', /Samuel|Cleveland/],
      ['07-pdf-control-characters.pdf', '\\bUntitled\\b', /Untitled/],
      ['07-pdf-tounicode-lies.pdf', 'Margaret|Johnson', /Margaret|Johnson|ΑΒΓ/],
      ['07-pdf-ligature-f_f.pdf', '\\bstuff\\b', /stuff|stu\ufb00/],
      ['07-pdf-type3-bitmap.pdf', 'Margaret|Johnson', /Margaret|Johnson/],
      ['01-real-PDFBOX-3053.pdf', '\\bInjury\\b', /Injury/],
      ['13-pdf-comb.pdf', '\\d{3}-\\d{2}-\\d{4}', /1\s*2\s*3\s*-\s*4\s*5/],
    ])('%s', { timeout: 120_000 }, async (name, pattern, left) => {
      const { after, report } = await run(found(name), pattern)
      const file = join(home, name)
      writeFileSync(file, after)
      for (const { program, there: installed, options } of outsiders) {
        if (!installed) continue
        expect(spawnSync(program, options(file), { encoding: 'utf8' }).stdout).not.toMatch(left)
      }
      // What a page shows in letters that nobody can name is read as a picture, and the report says so.
      expect(report.rasterised.length > 0).toBe(report.ocr !== undefined)
    })
  })
})
