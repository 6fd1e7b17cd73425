import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EngineError } from '../../../shared/engine/errors.ts'
import { corpusFiles, frequentWords, maskWords } from './corpus-files.ts'
import { hasLibreOffice, pagesInLibreOffice } from './libreoffice.ts'
import { officePeers } from './office-peers.ts'

/** Its formulas give other values, and so other pages, where LibreOffice computes them anew. */
const computed = 'NumberFormatTests.xlsx'
/** Nothing of these is masked: a column or a table of theirs ends at the edge of a page, and wider letters would go beyond it. */
const full = new Set([computed, 'bug57031.docx'])

const found = join(import.meta.dirname, '../../../../shared/corpus/found')
const all = process.env.CORPUS === 'all'
const files = [
  ...corpusFiles
    .filter(path => /\.(?:docx|docm|xlsx|xlsm|pptx|od[tps])$/.test(path))
    .filter((path, n) => all || n % 6 === 0 || basename(path) === computed),
  ...(existsSync(found) ? globSync(join(found, '*.{docx,xlsx,odt}')) : []),
]
for (const [name, { has }] of Object.entries({ ...officePeers, LibreOffice: { has: hasLibreOffice } }))
  if (!has || files.length === 0) console.log(`skipped: the corpus or the readers of ${name} are not here`)

const kindOf = (path: string) => path.split('.').at(-1)!.replace(/m$/, 'x')

describe.skipIf(files.length === 0)('strict readers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'readers-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const written: { path: string; after: string; kind: string }[] = []

  beforeAll(async () => {
    for (const [n, path] of files.entries()) {
      const bytes = readFileSync(path)
      const after = join(folder, `${n}`)
      try {
        const words = full.has(basename(path)) ? [] : await frequentWords(path, bytes)
        writeFileSync(after, await maskWords(path, bytes, words))
        written.push({ path, after, kind: kindOf(path) })
      } catch (error) {
        // Refused files are another test's business.
        if (!(error instanceof EngineError)) throw error
      }
    }
  }, 1_200_000)

  test('most files come out', () => expect(written.length).toBeGreaterThan(files.length / 2))

  for (const [name, { has, open }] of Object.entries(officePeers))
    test.skipIf(!has)(`${name} opens every output whose input it takes`, { timeout: 1_200_000 }, () => {
      const own = written.filter(({ kind }) => !kind.startsWith('od'))
      const before = open(own)
      const after = open(own.map(({ kind, after: path }) => ({ kind, path })))
      expect(before.filter(said => said === 'ok').length).toBeGreaterThan(own.length / 2)
      const refused = own.flatMap(({ path }, n) =>
        before[n] === 'ok' && after[n] !== 'ok' ? [`${basename(path)}: ${after[n]}`] : [],
      )
      expect(refused).toEqual([])
    })

  test.skipIf(!hasLibreOffice)('LibreOffice prints as many pages of each output', { timeout: 1_200_000 }, () => {
    // Printing takes longest: a half of the sample has to do.
    const own = written.filter(({ path }, n) => all || n % 2 === 0 || basename(path) === computed)
    const before = pagesInLibreOffice(own)
    const after = pagesInLibreOffice(own.map(({ kind, after: path }) => ({ kind, path })))
    expect(before.filter(pages => pages > 0).length).toBeGreaterThan(own.length / 2)
    const others = own.map(({ path }, n) => `${basename(path)}: ${before[n]}, then ${after[n]}`)
    expect(others.filter((_, n) => before[n] !== after[n])).toEqual([])
  })
})
