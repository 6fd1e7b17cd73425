import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { EngineError } from '../../../shared/engine/errors.ts'
import { corpusFiles, frequentWords, leakFinder, maskWords } from './corpus-files.ts'
import { layers } from './hiding.ts'

/** Files that are refused, and why; every other one must come out. */
const refusals = ['corrupt_file', 'encrypted_file', 'unsupported_format', 'limit_exceeded']

describe.skipIf(corpusFiles.length === 0)('real files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** The files that were refused. */
  const refused: string[] = []

  test.each(corpusFiles.map(path => [basename(path), path]))('%s is clean or refused by name', async (name, path) => {
    const bytes = readFileSync(path)
    try {
      const words = await frequentWords(path, bytes)
      const output = await maskWords(path, bytes, words)
      const left = words.filter(word => [...layers(output)].some(layer => layer.toLowerCase().includes(word)))
      expect(left).toEqual([])
      if (words.length === 0 || !existsSync(leakFinder)) return
      const [file, list] = [join(folder, name), join(folder, 'words.txt')]
      writeFileSync(file, output)
      writeFileSync(list, words.join('\n'))
      const { status, stdout } = spawnSync(process.execPath, [leakFinder, '--strings', list, '--out', file])
      expect([status, stdout.toString()]).toEqual([0, expect.stringContaining('0 leaks')])
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      expect(refusals).toContain(error.type)
      expect(error.message).not.toBe('')
      refused.push(`${name}: ${error.type}`)
    }
  })

  test('most come out', () => {
    // Many are damaged or encrypted on purpose: of all files an eighth is refused.
    expect(refused.length, refused.join('\n')).toBeLessThanOrEqual(0.15 * corpusFiles.length)
  })
})
