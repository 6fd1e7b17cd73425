import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { decode } from '../../../shared/engine/formats/pdf/objects.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { differing, drawnByPoppler, hasPoppler } from './pdf-poppler.ts'
import { shared } from './pdf-redacted.ts'

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
})
