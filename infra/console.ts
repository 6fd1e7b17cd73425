import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { endpoints } from '../shared/api/index.ts'
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
    plugins: [withRoutes],
    logLevel: 'warning',
  })
  const textOf = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? ''
  const [script, style] = [textOf('.js'), textOf('.css')]
  const digest = createHash('sha256').update(script).update(style).digest('hex').slice(0, 12)
  return { files: { 'app.js': script, 'app.css': style }, build: digest }
}

/** Gives the console the routes of all endpoints by `resource.operation`, and no schemas. */
const withRoutes: Plugin = {
  name: 'with-routes',
  setup({ onResolve, onLoad }) {
    const [filter, namespace] = [/^console-routes$/, 'console-routes']
    onResolve({ filter }, ({ path }) => ({ path, namespace }))
    onLoad({ filter, namespace }, () => ({
      contents: `export const routes = ${JSON.stringify(
        Object.fromEntries(
          endpoints.map(({ resource, operation, endpoint }) => [`${resource}.${operation}`, endpoint.route]),
        ),
      )}`,
    }))
  },
}
