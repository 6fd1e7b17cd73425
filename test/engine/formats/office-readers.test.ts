import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EngineError } from '../../../shared/engine/errors.ts'
import { corpusFiles, frequentWords, maskWords } from './corpus-files.ts'

/** Python with python-docx, openpyxl and python-pptx; a folder with the archives of Apache POI. */
const python = process.env.PYTHON ?? 'python3'
const poi = process.env.POI ?? ''
const readers = {
  Python: {
    has: spawnSync(python, ['-c', 'import docx, openpyxl, pptx']).status === 0,
    command: [python, join(import.meta.dirname, 'office-peer.py')],
  },
  POI: {
    has: existsSync(poi) && spawnSync('java', ['-version']).status === 0,
    command: ['java', '-cp', `${poi}/*`, join(import.meta.dirname, 'poi/OpenOffice.java')],
  },
}
const found = join(import.meta.dirname, '../../../../shared/corpus/found')
const all = process.env.CORPUS === 'all'
const files = [
  ...corpusFiles.filter(path => /\.(?:docx|docm|xlsx|xlsm|pptx)$/.test(path)).filter((_, n) => all || n % 6 === 0),
  ...(existsSync(found) ? globSync(join(found, '*.{docx,xlsx}')) : []),
]
for (const [name, { has }] of Object.entries(readers))
  if (!has || files.length === 0) console.log(`skipped: the corpus or the readers of ${name} are not here`)

describe.skipIf(files.length === 0)('strict readers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'readers-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const written: { path: string; after: string; kind: string }[] = []

  beforeAll(async () => {
    for (const [n, path] of files.entries()) {
      const bytes = readFileSync(path)
      const after = join(folder, `${n}`)
      try {
        writeFileSync(after, await maskWords(path, bytes, await frequentWords(path, bytes)))
        written.push({ path, after, kind: `${path.split('.').at(-1)!.slice(0, 3)}x` })
      } catch (error) {
        // Refused files are another test's business.
        if (!(error instanceof EngineError)) throw error
      }
    }
  }, 1_200_000)

  for (const [name, { has, command }] of Object.entries(readers))
    test.skipIf(!has)(`${name} opens every output whose input it takes`, { timeout: 1_200_000 }, () => {
      const open = (paths: string[]) => {
        const { stdout } = spawnSync(command[0]!, command.slice(1), { input: paths.join('\n'), encoding: 'utf8' })
        return stdout.trimEnd().split('\n')
      }
      const before = open(written.map(({ kind, path }) => `${kind}\t${path}`))
      const after = open(written.map(({ kind, after }) => `${kind}\t${after}`))
      expect(before.filter(said => said === 'ok').length).toBeGreaterThan(written.length / 2)
      const refused = written.flatMap(({ path }, n) =>
        before[n] === 'ok' && after[n] !== 'ok' ? [`${basename(path)}: ${after[n]}`] : [],
      )
      expect(refused).toEqual([])
    })
})
