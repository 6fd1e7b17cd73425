import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
type Package = {
  license?: string
  dev?: boolean
  devOptional?: boolean
  resolved?: string
  link?: true
  integrity?: string
}

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
// But for this project and its own packages.
const packages = Object.entries<Package>(read('package-lock.json').packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)

/** Licences that ask for no more than to be named. */
const permissive = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
  'UPL-1.0',
  'Zlib',
])

/** One of the alternatives will do, of what is joined by AND all. */
const fits = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some(alternative => alternative.split(' AND ').every(name => permissive.has(name)))

/** The licence as the lock tells, or the package itself: old ones say it in other words. */
function licenceOf(path: string, { license }: Package): string {
  if (license) return license
  const manifest = join(path, 'package.json')
  if (!existsSync(join(root, manifest))) return 'unknown'
  const { licenses = [] } = read(manifest) as { licenses?: { type: string }[] }
  return licenses.map(({ type }) => type).join(' OR ') || 'unknown'
}

const shipped = packages.filter(([, { dev, devOptional }]) => !dev && !devOptional)

test('what the service ships or runs with asks for nothing but to be named', () => {
  expect(shipped.length).toBeGreaterThan(100)
  const others = shipped.map(([path, entry]) => [path, licenceOf(path, entry)] as const)
  expect(others.filter(([, licence]) => !fits(licence))).toEqual([])
})

test('every package comes from the registry, with the checksum that it was locked with', () => {
  const bundled = (path: string) => path.split('node_modules/').length > 2
  for (const [path, { resolved, integrity }] of packages) {
    expect([path, resolved ?? '']).toEqual([path, expect.not.stringMatching(/^(git|file|https?:.*(github|gitlab))/)])
    // What another package carries inside is covered by the checksum of that one.
    if (!bundled(path)) expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)])
  }
})
