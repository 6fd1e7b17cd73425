import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { emfRecord, emfText, makeEmf } from './metafile-samples.ts'
import { makeDocx, readZip } from './package.ts'

/** An empty square of 1500 by 1500 units, drawn as an outline. */
const square = emfRecord(
  86,
  Buffer.from(Int32Array.of(0, 0, 0, 0, 4).buffer),
  Buffer.from(Int16Array.of(0, 0, 1500, 0, 1500, 1500, 0, 1500).buffer),
)

test('drawings become empty, unread, where there are more than are read', { timeout: 120_000 }, async () => {
  // Outlines that fill a square, so that each is drawn at 2000 by 2000 pixels.
  const drawings = Array.from({ length: 12 }, (_, index) =>
    makeEmf([emfText(`drawing ${index}`, 10, 10), ...Array.from({ length: 12 }, () => square)]),
  )
  const parts = Object.fromEntries(drawings.map((each, index) => [`word/media/image${index}.emf`, each]))
  const links = drawings.map((_, index): [string, string, string] => [`r${index}`, 'image', `media/image${index}.emf`])
  const body = links.map(([id]) => `<w:p><w:x r:embed="${id}"/></w:p>`).join('')
  const input = bufferInput('a.docx', makeDocx(body, parts, links))
  const { output, report } = await anonymise(call({ input, rules: [regexRule('canary', '\\b[Zz]y\\w*')] }))
  const bytes = await output.read(0, output.size)
  const written = [...readZip(bytes)].filter(([entry]) => entry.endsWith('.emf'))
  const full = written.filter(([, part]) => part.includes(Buffer.from('drawing', 'utf16le')))
  expect([full.length, written.length]).toEqual([9, 12])
  expect(report.dropped).toContainEqual({ what: 'pictures', count: 3 })
  expect(report.warnings.join()).toMatch(/emptied unread/)
})
