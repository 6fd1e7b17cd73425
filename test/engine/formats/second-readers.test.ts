import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const formats = 'shared/engine/formats'
const readers = [
  'content-lines/verify.ts',
  'csv/verify-dialect.ts',
  'csv/verify-reader.ts',
  'eml/flowed-verify-reader.ts',
  'eml/verify-reader.ts',
  'html/verify.ts',
  'json/verify.ts',
  'json/verify-records.ts',
  'markdown/verify.ts',
  'rtf/verify.ts',
  'text/verify-decoder.ts',
  'xml/verify.ts',
  'xml/verify-parser.ts',
]

/** What a module of ours imports, itself and through others, types apart; pictures are formats of their own. */
function reached(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path) || path.includes('/image/')) return seen
  seen.add(path)
  const source = readFileSync(path, 'utf8')
  for (const [, target = ''] of source.matchAll(/^import (?!type)[^']*?'(\.[^']+)'/gm))
    reached(join(dirname(path), target), seen)
  return seen
}

const extracting =
  /\/(?:scan|extract|tags-open|words|mime|records|segments|write|text-nodes|doctype|own-names|read|open)\.ts$/

const shared = (path: string) => [...reached(path)].filter(module => extracting.test(module))

test.each(readers)('%s shares no code with what reads for the rules', reader => {
  expect(shared(`${formats}/${reader}`)).toEqual([])
})

test('a reader that imports such code, itself or through a module between, is noticed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'second-reader-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const target = join(formats, 'html/read.ts')
  writeFileSync(join(folder, 'between.ts'), `import { x } from '${relative(folder, target)}'\n`)
  writeFileSync(join(folder, 'verify.ts'), "import type { Y } from './other.ts'\nimport { x } from './between.ts'\n")
  expect(shared(join(folder, 'verify.ts')).map(path => relative('.', path))).toContain(target)
})
