import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EngineError } from '../../../shared/engine/errors.ts'
import { corpusFiles, frequentWords, maskWords } from './corpus-files.ts'

const has = (program: string) => spawnSync(program, ['--version']).error === undefined
/**
 * Its formulas give other values, and so other pages, where LibreOffice computes them anew. Nothing of it is masked, for
 * its last column stands at the edge of the page and wider letters would go beyond it.
 */
const computed = 'NumberFormatTests.xlsx'

const office = corpusFiles.filter(path => /\.(?:docx|docm|xlsx|xlsm|pptx|odt)$/.test(path))
const sample =
  process.env.CORPUS === 'all' ? office : office.filter((path, n) => n % 12 === 0 || basename(path) === computed)
const ready = corpusFiles.length > 0 && has('soffice')
if (!ready) console.log('skipped: LibreOffice or the corpus is not here')

/** Files that LibreOffice is given at once: starting it takes longer than most of them. */
const atOnce = 20

describe.skipIf(!ready)('LibreOffice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reopens-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const names: string[] = []

  /** Prints all files of a folder into PDF files beside them. */
  function print(side: string): void {
    const profile = `-env:UserInstallation=file://${folder}/profile`
    for (let from = 0; from < names.length; from += atOnce) {
      const files = names.slice(from, from + atOnce).map(name => join(folder, side, name))
      execFileSync(
        'nice',
        ['soffice', profile, '--headless', '--convert-to', 'pdf', '--outdir', join(folder, side), ...files],
        { stdio: 'ignore' },
      )
    }
  }

  /** Number of pages that were printed; 0 where a file could not be opened. */
  function pages(side: string, name: string): number {
    const path = join(folder, side, `${name}.pdf`)
    return existsSync(path) ? (readFileSync(path, 'latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0) : 0
  }

  beforeAll(async () => {
    for (const side of ['before', 'after']) mkdirSync(join(folder, side))
    for (const [n, path] of sample.entries()) {
      const bytes = readFileSync(path)
      const name = `${n}.${path.split('.').at(-1)}`
      try {
        const words = basename(path) === computed ? [] : await frequentWords(path, bytes)
        const output = await maskWords(path, bytes, words)
        writeFileSync(join(folder, 'before', name), bytes)
        writeFileSync(join(folder, 'after', name), output)
        names.push(name)
      } catch (error) {
        // Refused files are another test's business.
        if (!(error instanceof EngineError)) throw error
      }
    }
    print('before')
    print('after')
  }, 3_600_000)

  test.each(sample.map((path, n) => [basename(path), `${n}`]))('%s opens with as many pages as before', (_, number) => {
    const [before, after] = ['before', 'after'].map(side => pages(side, number))
    expect(after).toBe(before)
  })

  // What is refused, or what LibreOffice cannot open, has no pages before and after.
  test('most of them come out, and open', () => {
    const opened = names.filter(name => pages('after', name.split('.')[0]!) > 0)
    expect(opened.length).toBeGreaterThan(sample.length / 2)
  })
})
