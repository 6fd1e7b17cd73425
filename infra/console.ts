import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { events } from '../shared/api/events.ts'
import { guide } from '../shared/api/guide.ts'
import { endpoints } from '../shared/api/index.ts'
import { problems } from '../shared/api/problems.ts'
import { sourceForms } from '../shared/api/source-forms.ts'
import { sourceSettings } from '../shared/api/source-settings.ts'
import { root } from './source-hash.ts'

/** What the browser loads by name, a name for this very content, and the program that the page begins with. */
type ConsoleFiles = { files: Record<string, string>; build: string; program: string }

/** Gives the functions of the console its files, as `console-files`. */
export const withConsole: Plugin = {
  name: 'with-console',
  setup({ onResolve, onLoad }) {
    const [filter, namespace] = [/^console-files$/, 'console-files']
    onResolve({ filter }, ({ path }) => ({ path, namespace }))
    onLoad({ filter, namespace }, async () => {
      const built = Object.entries(await buildConsole())
      return { contents: built.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n') }
    })
  },
}

/** Builds the console: a program, what it loads later, and a style sheet. */
export async function buildConsole(): Promise<ConsoleFiles> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: 'console/main.tsx', out: 'app' }],
    outdir: join(root, 'dist'),
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    plugins: [withDeclared, inOneFile],
    logLevel: 'warning',
  })
  const named = outputFiles.map(({ path, text }) => [basename(path), text] as const)
  // The style sheet is whole; what is loaded later needs no other.
  const files = Object.fromEntries(named.filter(([name]) => name.endsWith('.js') || name === 'app.css'))
  const digest = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)
  const [program] = metafile.outputs['dist/app.js']!.imports
  return { files, build: digest, program: basename(program!.path) }
}

/** Has all that the start needs lie in one file, by making it a part of what is loaded later too. */
const inOneFile: Plugin = {
  name: 'in-one-file',
  setup({ onLoad }) {
    onLoad({ filter: /console[\\/]later\.ts$/ }, async ({ path }) => ({
      contents: `import './main.tsx'\n${await readFile(path, 'utf8')}`,
      loader: 'ts',
    }))
  },
}

/** What the console takes from the declarations: routes by `resource.operation`, forms of sources, titles of events, the guide and the meanings of problems, but no schemas. */
const declared: Record<string, () => string> = {
  'console-routes': () => {
    const routes = endpoints.map(({ resource, operation, endpoint }) => [`${resource}.${operation}`, endpoint.route])
    return `export const routes = ${JSON.stringify(Object.fromEntries(routes))}`
  },
  'console-sources': () => `export const kinds = ${JSON.stringify(sourceForms())}`,
  'console-problems': () => {
    const meanings = Object.entries(problems).map(([type, [, meaning]]) => [type, meaning])
    return `export const meanings = ${JSON.stringify(Object.fromEntries(meanings))}`
  },
  'console-events': () => {
    const titles = Object.entries(events).map(([name, [title]]) => [name, title])
    return `export const eventTitles = ${JSON.stringify(Object.fromEntries(titles))}`
  },
  'console-guide': () =>
    `export const guide = ${JSON.stringify(guide())}, sources = ${JSON.stringify(sourceSettings())}`,
}

const withDeclared: Plugin = {
  name: 'with-declared',
  setup({ onResolve, onLoad }) {
    const [filter, namespace] = [new RegExp(`^(${Object.keys(declared).join('|')})$`), 'console-declared']
    onResolve({ filter }, ({ path }) => ({ path, namespace }))
    onLoad({ filter, namespace }, ({ path }) => ({ contents: declared[path]!() }))
  },
}
