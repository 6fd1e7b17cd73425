import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, inject } from 'vitest'
import type * as Engine from '../../shared/engine/anonymise.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const original = join(root, 'shared/engine')

/** One place of a source file of the engine, and what stands there instead; `more` is put at the file's end. */
export type Mutation = { file: string; from: string; to: string; more?: string }

/**
 * A copy of the engine with some places changed, which all files of tests of the run share. What doesn't import a changed
 * file, by whichever way, is a link to the original, so that it is loaded once for all copies.
 */
export async function mutant(...mutations: Mutation[]): Promise<typeof Engine> {
  const home = join(inject('runFolder'), 'mutants')
  const name = createHash('sha256').update(JSON.stringify(mutations)).digest('hex')
  const engine = join(home, name)
  if (!existsSync(engine)) {
    mkdirSync(home, { recursive: true })
    const copy = mkdtempSync(join(home, 'new-'))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
    const changing = reaching(mutations.map(({ file }) => file))
    for (const file of files()) lay(join(original, file), join(copy, 'engine', file), changing.has(file))
    for (const mutation of mutations) change(join(copy, 'engine'), mutation)
    moveUnlessThere(copy, engine)
  }
  return import(pathToFileURL(join(engine, 'engine/anonymise.ts')).href)
}

/** The files of the engine, relative to its folder. */
const files = () =>
  globSync('**/*', { cwd: original, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(entry => relative(original, join(entry.parentPath, entry.name)))

/** Some files, and all that import one of them, by whichever way. */
function reaching(some: string[]): Set<string> {
  const reached = new Set(some)
  const importers = new Map<string, string[]>()
  for (const file of files().filter(name => name.endsWith('.ts'))) {
    const source = readFileSync(join(original, file), 'utf8')
    for (const [, path] of source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const imported = relative(original, resolve(original, dirname(file), path!))
      importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer)
  return reached
}

/** Puts a file into a copy: written anew, or a link to it. */
function lay(from: string, to: string, anew: boolean): void {
  mkdirSync(dirname(to), { recursive: true })
  if (anew) writeFileSync(to, readFileSync(from))
  else symlinkSync(from, to)
}

function change(engine: string, { file, from, to, more = '' }: Mutation): void {
  const path = join(engine, file)
  const source = readFileSync(path, 'utf8')
  expect(source.split(from), `${file} holds it once`).toHaveLength(2)
  writeFileSync(path, source.replace(from, () => to) + more)
}

/** Another file of tests may have made the same meanwhile. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!existsSync(to)) throw error
  }
}
