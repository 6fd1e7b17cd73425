// Writes the page that checks certificates in a browser, without a network: npm run verify:page -- [FILE]

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const folder = join(import.meta.dirname, '../verifier/page')

/** What a policy of a page calls a script or style that stands in it. */
const digestOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** The page as one file that loads nothing: its policy allows this very script and style, and no others. */
async function verifierPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'page.ts'), join(folder, 'page.css')],
    outdir: folder,
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  })
  const [script = '', style = ''] = outputFiles.map(({ text }) => text.trim().replaceAll('</', '<\\/'))
  return readFileSync(join(folder, 'page.html'), 'utf8')
    .replace('SCRIPT_DIGEST', digestOf(script))
    .replace('STYLE_DIGEST', digestOf(style))
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`)
}

const [file = 'verify.html'] = process.argv.slice(2)
writeFileSync(file, await verifierPage())
console.log(`Written to ${file}: open it in a browser, with or without a network`)
