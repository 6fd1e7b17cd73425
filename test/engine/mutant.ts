import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, inject } from 'vitest'
import type * as Engine from '../../shared/engine/anonymise.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** One place of a source file of the engine, and what stands there instead; `more` is put at the file's end. */
export type Mutation = { file: string; from: string; to: string; more?: string }

/** A copy of the engine with some places changed, which all files of tests of the run share. */
export async function mutant(...mutations: Mutation[]): Promise<typeof Engine> {
  const home = join(inject('runFolder'), 'mutants')
  const name = createHash('sha256').update(JSON.stringify(mutations)).digest('hex')
  const engine = join(home, name)
  if (!existsSync(engine)) {
    mkdirSync(home, { recursive: true })
    const copy = mkdtempSync(join(home, 'new-'))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
    cpSync(join(root, 'shared/engine'), join(copy, 'engine'), { recursive: true })
    for (const mutation of mutations) change(join(copy, 'engine'), mutation)
    moveUnlessThere(copy, engine)
  }
  return import(pathToFileURL(join(engine, 'engine/anonymise.ts')).href)
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
