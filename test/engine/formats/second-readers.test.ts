import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const formats = 'shared/engine/formats'
const readers = [
  'content-lines/verify-reader.ts',
  'csv/verify-dialect.ts',
  'csv/verify-reader.ts',
  'eml/flowed-verify-reader.ts',
  'eml/verify-reader.ts',
  'html/verify-reader.ts',
  'json/verify-reader.ts',
  'json/verify-records.ts',
  'markdown/verify-reader.ts',
  'rtf/verify-reader.ts',
  'text/verify-decoder.ts',
  'xml/verify-reader.ts',
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

test.each(readers)('%s shares no code with what reads for the rules', reader => {
  const modules = [...reached(`${formats}/${reader}`)]
  expect(modules.filter(path => extracting.test(path))).toEqual([])
})
