import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { endpoints } from '../shared/api/index.ts'
import { withConsole } from './console.ts'
import { link, publish, unbundled } from './lambda-assets.ts'
import { pipelineNames } from './pipeline.ts'
import { bundleSharedPackages, withSharedPackages } from './shared-packages.ts'
import { hashOf, root } from './source-hash.ts'

/** The source file of every function that the service consists of, by its name: `rules.create`, `pipeline.worker`. */
export function expectedFunctions(): Map<string, string> {
  const names = [
    ...endpoints.map(({ resource, operation }) => `${resource}.${operation}`),
    ...pipelineNames.map(name => `pipeline.${name}`),
  ]
  return new Map(names.map(name => [name, `functions/${name.replace('.', '/')}.ts`]))
}

/** The threads that the worker runs engine and formats in, and models, beside its own bundle. */
export const threads = ['worker-entry', 'model-entry'].map(name => ({
  in: `shared/jobs/worker/${name}.ts`,
  out: `pipeline-worker/${name}`,
}))

/** Functions that replace values, or undo it, by themselves: what replacements load when they are used comes with them. */
const withReplacements = ['texts.anonymise', 'mcp.call', 'rules.test', 'reidentifications.open']

/** The function that draws pages of files: it checks none that was written, and reads no pictures. */
export const drawing = ['assets.page']

/** Functions that open files by themselves, to show them or to look through tables. */
const opening = [...drawing, 'assets.columns']

/** Functions that cut or look through files of lines by themselves. */
const ofLines = ['pipeline.worker', 'sources.discover']

/** Functions that read texts and draw nothing, which find the detector of encodings beside their bundle. */
export const readingTexts = ['assets.columns', 'sources.discover']

/** Functions that run models, which they find beside their bundle. */
export const withModels = ['pipeline.worker', 'rules.test', 'texts.anonymise', 'mcp.call']

/** Functions that work on files for long, and so share no process with others. */
const alone = ['pipeline.worker', 'pipeline.transfer']

/** Functions that are bundled in one run: each takes some 35 MB of memory until the run ends. */
const BATCH = 30

const batches = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, n) => all.slice(n * BATCH, (n + 1) * BATCH))

/** Everything that decides what the bundles hold. */
const inputs = [
  'package-lock.json',
  'infra/{bundle,console,lambda-assets,shared-packages}.ts',
  '{functions,shared,verifier}/**/*.ts',
  'console/**/*.{ts,tsx,css}',
]

/**
 * Bundles all functions that have a source file and gives the directory of each by its name. Each directory holds
 * `index.js`, CommonJS: it starts faster in Lambda than an ES module that imports `node:http`. `shared` is for where one
 * process runs many functions: these load the packages that they share from one place. Nothing is done where the same
 * sources were bundled before.
 */
export async function bundle({ shared = false } = {}): Promise<Map<string, string>> {
  const sources = new Map([...expectedFunctions()].filter(([, file]) => existsSync(join(root, file))))
  const directory = join(root, 'dist', `functions-${hashOf(inputs, String(shared))}`)
  const directories = new Map([...sources.keys()].map(name => [name, join(directory, folder(name))]))
  if (existsSync(directory)) return directories

  const unfinished = join(root, 'dist', `unfinished-${randomUUID()}`)
  const entryPoints = [...sources].map(([name, file]) => ({
    kind: kindOf(name),
    isShared: shared && !alone.includes(name),
    in: file,
    out: `${folder(name)}/index`,
  }))
  for (const kind of ['neither', 'replaces', 'lines', 'opens'] as const)
    for (const isShared of [false, true])
      for (const batch of batches(entryPoints.filter(point => point.kind === kind && point.isShared === isShared)))
        await build({
          ...options,
          outdir: unfinished,
          entryPoints: batch.map(({ in: file, out }) => ({ in: file, out })),
          plugins: [
            withoutUnused(kind),
            withLambdasCredentials,
            withoutUndici,
            withTablesAsJson,
            withConsole,
            ...(isShared ? [withSharedPackages] : []),
          ],
        })
  if (shared)
    await bundleSharedPackages(
      { ...options, ...inPieces, plugins: [withLambdasCredentials, withoutUndici] },
      unfinished,
    )
  await build({ ...options, ...inPieces, outdir: unfinished, entryPoints: threads, plugins: [withTablesAsJson] })
  for (const name of withModels) await link(join(unfinished, folder(name)))
  for (const name of sources.keys()) {
    // Says how Node.js reads index.js, wherever the directory lies.
    await writeFile(join(unfinished, folder(name), 'package.json'), '{"type":"commonjs"}')
  }
  await publish(unfinished, directory)
  return directories
}

/** How every function is bundled. */
export const options: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  // Names are kept, so that a stack trace in a log can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  // Optional parts of drivers, which do without.
  external: ['*.node', 'cpu-features', 'pg-native', ...unbundled],
  // The driver of SQL Server loads these for ways to sign in that sources do not offer.
  alias: Object.fromEntries(
    ['@azure/core-auth', '@azure/identity', '@azure/keyvault-keys'].map(name => [
      name,
      './shared/sources/databases/azure-absent.cjs',
    ]),
  ),
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename', 'import.meta.url': '__url' },
  banner: { js: "const __url=require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
}

/**
 * The thread of an asset starts anew for each, so what only some formats need lies in files of its own, which are loaded when
 * they are: ECMAScript modules, the only ones that can be split.
 */
const inPieces: BuildOptions = {
  format: 'esm',
  splitting: true,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'pipeline-worker/[name]-[hash]',
  define: {},
  banner: {
    js: "import{createRequire as __module}from'node:module';import{dirname as __folder}from'node:path';const require=__module(import.meta.url),__filename=import.meta.filename,__dirname=__folder(__filename);",
  },
}

/** What a function does itself with what the engine knows. */
type Kind = 'neither' | 'replaces' | 'lines' | 'opens'

function kindOf(name: string): Kind {
  if (opening.includes(name)) return 'opens'
  if (ofLines.includes(name)) return 'lines'
  return withReplacements.includes(name) ? 'replaces' : 'neither'
}

/**
 * What the engine loads only when it is needed stays out of the bundles of functions that never need it: most tell formats
 * apart but open none, some find and replace values besides, two read files of lines, and two open any files.
 */
const withoutUnused = (kind: Kind): Plugin => ({
  name: 'without-unused',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind: how, importer, path }) => {
      const [, room] = /[\\/]shared[\\/]engine[\\/](\w+)/.exec(importer) ?? []
      if (how !== 'dynamic-import' || room === undefined) return undefined
      const verifies = /verify|ocr-pages/.test(path)
      const isKept = {
        neither: false,
        replaces: room === 'detect' || room === 'operators' || room === 'surrogates',
        lines: /[\\/]formats[\\/](?:csv|json)[\\/](?:index|ndjson)\.ts$/.test(importer) && !verifies,
        opens: room === 'formats' && !verifies,
      }[kind]
      return isKept ? undefined : { path, external: true }
    }),
})

/** Lambda hands credentials over in the environment: the quarter of the SDK that looks for others is left out. */
const withLambdasCredentials: Plugin = {
  name: 'with-lambdas-credentials',
  setup({ onResolve, onLoad }) {
    const [filter, namespace] = [/^@aws-sdk\/credential-provider-node$/, 'credentials']
    onResolve({ filter }, ({ path }) => ({ path, namespace }))
    onLoad({ filter, namespace }, () => ({
      contents: "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env'",
      resolveDir: root,
    }))
  },
}

/** An import of `node:http` loads undici too, 17 ms of a start; the SDK imports it in every function, and does without. */
const withoutUndici: Plugin = {
  name: 'without-undici',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]node-http-handler[\\/]dist-es[\\/]node-http-handler\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/import(?=\("node:http"\))/, 'require'),
    })),
}

/** What tells languages has a table of 50,000 entries written as code: as JSON it is there in less than half the time. */
const withTablesAsJson: Plugin = {
  name: 'with-tables-as-json',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]eld[\\/]src[\\/]ngrams[\\/]\w+\.js$/ }, async ({ path }) => {
      const { ngramsData } = await import(pathToFileURL(path).href)
      return { contents: `export const ngramsData = JSON.parse(${JSON.stringify(JSON.stringify(ngramsData))})` }
    }),
}

/** Without a dot, which the CDK would take for a file name extension. */
const folder = (name: string) => name.replace('.', '-')
