import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect } from 'vitest'
import type * as Engine from '../../shared/engine/anonymise.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'mutants-'))

afterAll(() => rmSync(home, { recursive: true, force: true }))

let number = 0

/** One place of a source file of the engine, and what stands there instead; `more` is put at the file's end. */
export type Mutation = { file: string; from: string; to: string; more?: string }

/** A copy of the engine with one place changed. */
export async function mutant({ file, from, to, more = '' }: Mutation): Promise<typeof Engine> {
  if (!existsSync(join(home, 'package.json'))) {
    symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
    writeFileSync(join(home, 'package.json'), '{"type":"module"}')
  }
  const engine = join(home, `engine-${number++}`)
  cpSync(join(root, 'shared/engine'), engine, { recursive: true })
  const path = join(engine, file)
  const source = readFileSync(path, 'utf8')
  expect(source.split(from), `${file} holds it once`).toHaveLength(2)
  writeFileSync(path, source.replace(from, () => to) + more)
  return import(pathToFileURL(join(engine, 'anonymise.ts')).href)
}
