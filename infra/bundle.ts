import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { endpoints } from '../shared/api/index.ts'
import { pipelineNames } from './pipeline.ts'
import { hashOf, root } from './sources.ts'

/** The source file of every function that the service consists of, by its name: `rules.create`, `pipeline.worker`. */
export function expectedFunctions(): Map<string, string> {
  const names = [
    ...endpoints.map(({ resource, operation }) => `${resource}.${operation}`),
    ...pipelineNames.map(name => `pipeline.${name}`),
  ]
  return new Map(names.map(name => [name, `functions/${name.replace('.', '/')}.ts`]))
}

/** What functions run in threads of their own: the source file by its bundle, `<function's folder>/<name>`. */
const threads = { 'pipeline-worker/thread': 'shared/jobs/thread.ts' }

/**
 * Bundles all functions that have a source file, in one run, and gives the directory of each by its name. Each
 * directory holds `index.js`, CommonJS: it starts faster in Lambda than an ES module that imports `node:http`.
 * Nothing is done where the same sources were bundled before.
 */
export async function bundle(): Promise<Map<string, string>> {
  const sources = new Map([...expectedFunctions()].filter(([, file]) => existsSync(join(root, file))))
  const directory = join(
    root,
    'dist',
    `functions-${hashOf(['package-lock.json', 'infra/bundle.ts', '{functions,shared}/**/*.ts'])}`,
  )
  const directories = new Map([...sources.keys()].map(name => [name, join(directory, folder(name))]))
  if (existsSync(directory)) return directories

  const unfinished = join(root, 'dist', `unfinished-${randomUUID()}`)
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...[...sources].map(([name, file]) => ({ in: file, out: `${folder(name)}/index` })),
      ...Object.entries(threads).map(([out, file]) => ({ in: file, out })),
    ],
    outdir: unfinished,
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
    external: ['*.node', 'cpu-features', 'pg-native'],
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename', 'import.meta.url': '__url' },
    banner: { js: "const __url=require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
  })
  for (const name of sources.keys()) {
    // Says how Node.js reads index.js, wherever the directory lies.
    await writeFile(join(unfinished, folder(name), 'package.json'), '{"type":"commonjs"}')
  }
  await publish(unfinished, directory)
  return directories
}

/** Without a dot, which the CDK would take for a file name extension. */
const folder = (name: string) => name.replace('.', '-')

/** Gives a finished directory its name; another process may have been faster with the same contents. */
async function publish(unfinished: string, directory: string) {
  try {
    await rename(unfinished, directory)
  } catch (error) {
    await rm(unfinished, { recursive: true })
    if (!existsSync(directory)) throw error
  }
}
