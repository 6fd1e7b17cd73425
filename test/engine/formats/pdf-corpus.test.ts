import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { EngineError } from '../../../shared/engine/errors.ts'
import { openReader } from '../../../shared/engine/formats/pdf/reader.ts'
import { plainText } from '../../../shared/engine/formats/pdf/text.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

const shared = fileURLToPath(new URL('../../../../shared/', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'pdf-corpus-'))
afterAll(() => rmSync(home, { recursive: true }))

const list = (folder: string, every: number) =>
  existsSync(join(shared, folder))
    ? readdirSync(join(shared, folder))
        .filter(name => name.endsWith('.pdf'))
        .filter((_, i) => i % every === 0)
        .map(name => join(shared, folder, name))
    : []

/** Readers of other makers, where they are installed. */
const tools = [
  { name: 'pdftotext', arguments: (file: string) => [file, '-'] },
  { name: 'mutool', arguments: (file: string) => ['draw', '-q', '-F', 'txt', file] },
].filter(({ name }) => spawnSync(name, ['-v']).error === undefined)

const words = (text: string) => text.match(/[\p{L}\p{N}]{4,}/gu) ?? []

/** The three words that stand most often in a file, as the reader reads it. */
const frequent = async (bytes: Uint8Array): Promise<string[]> => {
  const reader = await openReader(bytes)
  const counts = new Map<string, number>()
  for (let page = 0; page < reader.pages; page++)
    for (const word of words(plainText(reader, page))) counts.set(word, (counts.get(word) ?? 0) + 1)
  reader.close()
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, 3)
    .map(([word]) => word)
}

const clean = async (path: string): Promise<void> => {
  const bytes = readFileSync(path)
  const gone = await frequent(bytes)
  const rules = [regexRule('word', gone.length > 0 ? gone.join('|') : 'nothing at all')]
  const { output } = await anonymise(call({ input: bufferInput('file.pdf', bytes), rules }))
  const file = join(home, 'output.pdf')
  writeFileSync(file, await output.read(0, output.size))
  for (const tool of tools) {
    const { stdout } = spawnSync(tool.name, tool.arguments(file), {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      timeout: 30_000,
    })
    const found = gone.filter(word => stdout.includes(word) || stdout.replace(/-?\n\s*/g, '').includes(word))
    expect(found, `${tool.name} still finds words`).toEqual([])
  }
}

// The whole of the second set takes minutes: `node bench/pdf.ts --corpus` runs over all of it.
const files = [...list('corpus/pdf', 1), ...list('data/open/robust/pdfjs', 12)]
if (tools.length < 2) console.log('pdftotext or mutool is missing: outputs are read by our own readers only')

describe('documents from other hands', () => {
  test.skipIf(files.length > 0)('skipped: the files are not there', () => {})
  test.each(files.map(path => [path.slice(shared.length), path]))(
    '%s comes out clean or is refused by name',
    async (_, path) => {
      await clean(path).catch((error: unknown) => {
        expect(error).toBeInstanceOf(EngineError)
        expect(['corrupt_file', 'encrypted_file']).toContain((error as EngineError).type)
      })
    },
  )
})
