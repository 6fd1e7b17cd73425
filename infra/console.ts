import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { endpoints } from '../shared/api/index.ts'
import { sourceForms } from '../shared/api/source-forms.ts'
import { root } from './source-hash.ts'

/** What the browser loads by name, and a name for this very content. */
type ConsoleFiles = { files: { 'app.js': string; 'app.css': string }; build: string }

/** Gives the functions of the console its files, as `console-files`. */
export const withConsole: Plugin = {
  name: 'with-console',
  setup({ onResolve, onLoad }) {
    const [filter, namespace] = [/^console-files$/, 'console-files']
    onResolve({ filter }, ({ path }) => ({ path, namespace }))
    onLoad({ filter, namespace }, async () => {
      const { files, build } = await buildConsole()
      return { contents: `export const files = ${JSON.stringify(files)}, build = ${JSON.stringify(build)}` }
    })
  },
}

/** Builds the console: one program, one style sheet. */
export async function buildConsole(): Promise<ConsoleFiles> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: 'console/main.tsx', out: 'app' }],
    outdir: join(root, 'dist'),
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    plugins: [withDeclared],
    logLevel: 'warning',
  })
  const textOf = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? ''
  const [script, style] = [textOf('.js'), textOf('.css')]
  const digest = createHash('sha256').update(script).update(style).digest('hex').slice(0, 12)
  return { files: { 'app.js': script, 'app.css': style }, build: digest }
}

/** What the console takes from the declarations: routes by `resource.operation` and forms of sources, but no schemas. */
const declared: Record<string, () => string> = {
  'console-routes': () => {
    const routes = endpoints.map(({ resource, operation, endpoint }) => [`${resource}.${operation}`, endpoint.route])
    return `export const routes = ${JSON.stringify(Object.fromEntries(routes))}`
  },
  'console-sources': () => `export const kinds = ${JSON.stringify(sourceForms())}`,
}

const withDeclared: Plugin = {
  name: 'with-declared',
  setup({ onResolve, onLoad }) {
    const [filter, namespace] = [/^console-(routes|sources)$/, 'console-declared']
    onResolve({ filter }, ({ path }) => ({ path, namespace }))
    onLoad({ filter, namespace }, ({ path }) => ({ contents: declared[path]!() }))
  },
}
