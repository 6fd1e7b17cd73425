import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { root } from './source-hash.ts'

/** Packages that most functions use, and that keep nothing of one function which another could see. */
const packages: readonly string[] = [
  '@aws-lambda-powertools/logger',
  '@aws-lambda-powertools/metrics',
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/client-kms',
  '@aws-sdk/client-s3',
  '@aws-sdk/client-sqs',
  '@aws-sdk/lib-dynamodb',
  '@aws-sdk/lib-storage',
  '@aws-sdk/s3-request-presigner',
  '@fastify/busboy',
  '@smithy/core/schema',
  'jose',
  'zod',
]

/** Where bundles of functions find a package: beside their folders. */
const fileOf = (name: string) => `packages/${name.replaceAll('/', '-')}.mjs`

/** The contract: declarations of shapes, which take most of the time that a function takes to load, and keep nothing. */
const contract = join(root, 'shared/api')

/** The same for a file of the contract. */
const fileOfContract = (path: string) => `packages/api/${basename(path, '.ts')}.mjs`

/** Leaves the packages and the contract out of bundles of functions, which load them from beside instead. */
export const withSharedPackages: Plugin = {
  name: 'with-shared-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ importer, path, kind }) =>
      kind === 'import-statement' && packages.includes(path) && !/[\\/]node_modules[\\/]/.test(importer)
        ? { path: `../${fileOf(path)}`, external: true }
        : undefined,
    )
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ resolveDir, path, kind }) =>
      kind === 'import-statement' && dirname(join(resolveDir, path)) === contract
        ? { path: `../${fileOfContract(path)}`, external: true }
        : undefined,
    )
  },
}

/**
 * Bundles what the sources import of each package into a file, and each file of the contract; what several of them hold lies in
 * files that they share.
 */
export async function bundleSharedPackages(options: BuildOptions, outdir: string): Promise<void> {
  const entry = (file: string, out: string) => ({ in: file, out: out.replace(/\.mjs$/, '') })
  await build({
    ...options,
    entryPoints: [
      ...packages.map(name => entry(`only:${name}`, fileOf(name))),
      ...globSync('shared/api/*.ts', { cwd: root }).map(file => entry(file, fileOfContract(file))),
    ],
    plugins: [...(options.plugins ?? []), onlyImported],
    outdir,
    chunkNames: 'packages/[name]-[hash]',
  })
}

/** Stands for a package with no more than what the sources import from it. */
const onlyImported: Plugin = {
  name: 'only-imported',
  setup({ onResolve, onLoad }) {
    const sources = globSync('{functions,shared,verifier}/**/*.ts', { cwd: root })
    const text = sources.map(file => readFileSync(join(root, file), 'utf8')).join('\n')
    onResolve({ filter: /^only:/ }, ({ path }) => ({ path: path.slice('only:'.length), namespace: 'only' }))
    onLoad({ filter: /./, namespace: 'only' }, ({ path }) => ({ contents: again(path, text), resolveDir: root }))
  },
}

/** A module with the exports of a package that a text of sources imports. */
function again(name: string, sources: string): string {
  const statements = sources.matchAll(new RegExp(`^import (?!type )([^';]*) from '${name}'`, 'gm'))
  const imported = new Set([...statements].flatMap(([, what]) => what!.split(/[{},\s]*[{},][{},\s]*/).filter(Boolean)))
  if ([...imported].some(what => what.startsWith('* as'))) return `export * from '${name}'`
  const values = [...imported].filter(what => !what.startsWith('type '))
  const names = new Set(values.map(value => value.replace(/ as .*/, '')))
  return `export { ${[...names].join(', ')} } from '${name}'`
}
