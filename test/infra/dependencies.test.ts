import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectedFunctions, options, threads } from '../../infra/bundle.ts'
import { withConsole } from '../../infra/console.ts'

const root = join(import.meta.dirname, '../..')
const manifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
const { devDependencies, workspaces, ...own } = manifest('')
const dependencies = Object.assign(
  {},
  own.dependencies,
  ...workspaces.map((path: string) => manifest(path).dependencies),
)

/** The name of a package, of what is imported of it. */
const packageOf = (path: string) => /^(@[^/]+\/[^/]+|[^/]+)/.exec(path)![0]

/** The packages outside of this repository that files of it name in their imports, with one of the files each. */
async function imported(entryPoints: readonly string[]): Promise<Map<string, string>> {
  const { metafile } = await build({
    ...options,
    // Its aliases stand for packages that are not installed for their own sake.
    alias: {},
    entryPoints: [...entryPoints],
    outdir: 'unwritten',
    format: 'esm',
    packages: 'external',
    plugins: [withConsole],
    write: false,
    metafile: true,
  })
  const found = new Map<string, string>()
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path, external } of imports) {
      if (external && !/^(node:|\.|\/|<)/.test(path) && !isBuiltin(path)) found.set(packageOf(path), file)
    }
  }
  return found
}

const shipped = [...expectedFunctions().values(), ...threads.map(thread => thread.in)]

describe.each([
  ['functions and threads', shipped],
  ['npm start, npm run anonymise and the stack', ['local/start.ts', 'local/anonymise.ts', 'infra/app.ts']],
])('%s', (_, entryPoints) => {
  test('import what is a dependency, not what only tests and checks have', async () => {
    const found = await imported(entryPoints)
    expect(found.size).toBeGreaterThan(5)
    expect([...found].filter(([name]) => devDependencies[name])).toEqual([])
    expect([...found].filter(([name]) => !dependencies[name]).map(([name]) => name)).toEqual([])
  })
})

describe('the list of what ships (SBOM)', () => {
  let listed: Set<string>
  let packed: Map<string, string>

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['local/sbom.ts'], {
      cwd: root,
      maxBuffer: 100_000_000,
    })
    const { components } = JSON.parse(stdout) as { components: { name: string; version: string; group?: string }[] }
    listed = new Set(components.map(({ name, group, version }) => `${group ? `${group}/` : ''}${name}@${version}`))
    packed = await bundled()
  })

  test('holds every package that a bundle has code of, in its version', () => {
    expect(packed.size).toBeGreaterThan(50)
    expect([...packed.values()].filter(name => !listed.has(name))).toEqual([])
  })

  test('holds nothing that only tests and checks need', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; dev?: boolean }>
    }
    const forTests = Object.keys(devDependencies).filter(name => packages[`node_modules/${name}`]?.dev)
    expect(forTests).toContain('vitest')
    expect(forTests.filter(name => listed.has(`${name}@${devDependencies[name]}`))).toEqual([])
  })
})

/** The packages with code in the bundles, by their folders: names with versions. */
async function bundled(): Promise<Map<string, string>> {
  const { metafile } = await build({
    ...options,
    entryPoints: shipped,
    outdir: 'unwritten',
    // Code that bundles share is written once.
    format: 'esm',
    splitting: true,
    plugins: [withConsole],
    write: false,
    metafile: true,
  })
  const folders = Object.keys(metafile.inputs).flatMap(
    file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  )
  return new Map(
    [...new Set(folders)].map(folder => {
      const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      return [folder, `${name}@${version}`]
    }),
  )
}
