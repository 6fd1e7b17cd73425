import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changing, slow } from '../slow.ts'

/** Folders of slow tests alone: whole flows, faults, and clients that others' tools build. */
const withoutQuick = ['clients', 'e2e', 'reliability']

const left = new Set(slow.flatMap(pattern => globSync(pattern)))
const quick = (pattern: string) => globSync(pattern).filter(file => !left.has(file))

/** A pattern for each choice that braces give. */
function choices(pattern: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern)
  if (!braces) return [pattern]
  return braces[1]!.split(',').flatMap(choice => choices(pattern.replace(braces[0], choice)))
}

test.each(slow.flatMap(choices))('%s leaves out what is there', pattern => {
  expect(globSync(pattern)).not.toEqual([])
})

describe('quick tests', () => {
  const folders = readdirSync('test').filter(folder => globSync(`test/${folder}/**/*.test.ts`).length > 0)

  test.each(folders.filter(folder => !withoutQuick.includes(folder)))('look at %s', folder => {
    expect(quick(`test/${folder}/**/*.test.ts`)).not.toEqual([])
  })

  test('are not in the folders that have none', () => {
    expect(withoutQuick.flatMap(folder => quick(`test/${folder}/**/*.test.ts`))).toEqual([])
  })

  test.each(['detect', 'models', 'recognisers', 'surrogates', 'tokens', 'verify'])('look at %s of the engine', part => {
    expect(quick(join('test/engine', part, '**/*.test.ts'))).not.toEqual([])
  })

  test('hold every format to the suite of formats, but pictures', () => {
    const held = globSync('test/engine/formats/*.test.ts').filter(file =>
      /formatSuite\(/.test(readFileSync(file, 'utf8')),
    )
    expect(held.length).toBeGreaterThanOrEqual(10)
    expect(held.filter(file => left.has(file))).toEqual(['test/engine/formats/pictures.test.ts'])
  })
})

test('files that change their process have one of their own', () => {
  const alone = new Set(changing.flatMap(pattern => globSync(pattern)))
  const changes =
    /process\.env(\.\w+|\[.+?\]) (\?\?)?= |assign\(process\.env|vi\.(mock|stubEnv)\(|import \{ startTables|running-log\.ts'/
  const found = globSync('test/!(engine)/**/*.test.ts').filter(file => changes.test(readFileSync(file, 'utf8')))
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter(file => !alone.has(file))).toEqual([])
})
