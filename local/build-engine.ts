import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Builds the engine as a package for other projects, JavaScript with types, in `dist/engine`: Node.js runs TypeScript
// itself, but not below `node_modules`.
const root = join(import.meta.dirname, '..')
const source = join(root, 'shared/engine')
const target = join(root, 'dist/engine')

rmSync(target, { recursive: true, force: true })
const options = {
  outDir: target,
  rootDir: source,
  noEmit: false,
  allowImportingTsExtensions: false,
  rewriteRelativeImportExtensions: true,
  declaration: true,
}
mkdirSync(join(root, 'dist'), { recursive: true })
const config = join(root, 'dist/engine.tsconfig.json')
writeFileSync(
  config,
  JSON.stringify({
    extends: join(root, 'tsconfig.json'),
    compilerOptions: options,
    include: [],
    files: ['index', 'rules', 'models', 'presets', 'tokens', 'placeholders'].map(name => join(source, `${name}.ts`)),
  }),
)
const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const { private: _, exports, ...manifest } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
const built = Object.entries<string>(exports).map(([name, file]) => {
  const path = file.replace(/\.ts$/, '')
  return [name, { types: `${path}.d.ts`, default: `${path}.js` }]
})
writeFileSync(
  join(target, 'package.json'),
  `${JSON.stringify({ ...manifest, exports: Object.fromEntries(built) }, null, 2)}\n`,
)
for (const [name, folder] of [
  ['README.md', source],
  ['LICENSE', root],
] as const)
  copyFileSync(join(folder, name), join(target, name))
