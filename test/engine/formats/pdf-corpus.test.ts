import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { EngineError } from '../../../shared/engine/errors.ts'
import { strayPixels } from './pdf-pixels.ts'
import { canSearch, leaksOf, lostWords, outsiders, redact, shared } from './pdf-redacted.ts'

const home = mkdtempSync(join(tmpdir(), 'pdf-corpus-'))
afterAll(() => rmSync(home, { recursive: true }))

const list = (folder: string, every: number) =>
  existsSync(join(shared, folder))
    ? readdirSync(join(shared, folder))
        .filter(name => name.endsWith('.pdf'))
        .filter((_, i) => i % every === 0)
        .map(name => join(shared, folder, name))
    : []

/**
 * Of the second set every twelfth file, and of the first all but one of three pages that are read like pictures: half a minute
 * of processor time. `PDF_CORPUS=all` takes all of them, six minutes.
 */
const every = process.env.PDF_CORPUS === 'all' ? 1 : 12
const files = [...list('corpus/pdf', 1), ...list('data/open/robust/pdfjs', every)].filter(
  path => every === 1 || !path.endsWith('us-022.pdf'),
)

for (const { name, there } of outsiders) if (!there) console.log(`skipped: ${name} is missing, so it reads no output`)
if (files.length > 0 && !canSearch) console.log('skipped: tools/leak.mjs is missing, so it reads no output')

const totals = { clean: 0, refused: 0, touched: 0, rasterised: 0, missing: 0, all: 0 }

const check = async (path: string): Promise<void> => {
  const redacted = await redact(readFileSync(path))
  expect(leaksOf(redacted, join(home, 'output.pdf'))).toEqual([])
  const { missing, all } = await lostWords(redacted)
  // Text in patterns, masks and Type 3 glyphs goes whole, and is reported: nothing has a box there.
  const silenced = redacted.report.dropped.some(({ what }) => what === 'text in patterns and masks')
  const strayed = silenced ? [] : (await strayPixels(redacted)).filter(({ share }) => share > 0.002)
  expect(strayed, 'pages differ outside of the boxes').toEqual([])
  const { words, texts, report } = redacted
  totals.clean++
  totals.rasterised += report.rasterised.length
  totals.missing += missing
  totals.all += all
  const folded = texts.map(text =>
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase(),
  )
  totals.touched += folded.filter(text => words.some(word => text.includes(word))).length
}

describe('documents from other hands', () => {
  if (files.length === 0) test.skip('the files are not there')
  test.each(files.map(path => [path.slice(shared.length), path]))(
    '%s comes out clean and looking the same, or is refused by name',
    { timeout: 120_000 },
    async (_, path) => {
      await check(path).catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error
        expect(['corrupt_file', 'encrypted_file']).toContain(error.type)
        totals.refused++
      })
    },
  )
  test.skipIf(files.length === 0)('hardly a word of the others is lost, and few pages become pictures', () => {
    console.log(JSON.stringify(totals))
    // Damaged and encrypted ones, of which both sets have some on purpose.
    expect(totals.refused).toBeLessThanOrEqual(0.05 * files.length)
    expect(totals.missing).toBeLessThanOrEqual(0.001 * totals.all)
    expect(totals.touched, 'pages with something to find').toBeGreaterThan(0)
    // Of the whole set; a sample is too small for a share. The files are odd on purpose: of usual pages none should.
    // Pages whose fonts contradict themselves are among them.
    if (every === 1) expect(totals.rasterised).toBeLessThan(0.06 * totals.touched)
    else expect(totals.rasterised).toBeLessThanOrEqual(4)
  })
})
