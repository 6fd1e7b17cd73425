import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const project = mkdtempSync(join(tmpdir(), 'empty-project-'))
const installed = join(project, 'node_modules/anonymisation-engine')
const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' })

/** Packs the built engine, and puts it into an empty project beside the packages that it declares, and no others. */
beforeAll(() => {
  execFileSync(process.execPath, ['local/build-engine.ts'], { cwd: root })
  const packed = execFileSync('npm', ['pack', '--silent', `--pack-destination=${project}`], {
    cwd: join(root, 'dist/engine'),
    encoding: 'utf8',
  })
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', packed.trim().split('\n').at(-1)!, '-C', installed, '--strip-components=1'], {
    cwd: project,
  })
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const link = join(project, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
}, 120_000)

afterAll(() => rmSync(project, { recursive: true, force: true }))

test('the example of its README runs in an empty project', () => {
  const [, example] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(installed, 'README.md'), 'utf8'))!
  writeFileSync(join(project, 'example.ts'), example!)
  writeFileSync(join(project, 'letter.txt'), 'Call +49 30 1234567 or write to ada@example.org.\n')
  expect(node('example.ts')).toContain("name: 'PHONE'")
  const output = readFileSync(join(project, 'letter-anonymised.txt'), 'utf8')
  expect(output).toMatch(/^Call \[PHONE\] or write to EMAIL_\w+\.\n$/)
})

test('nothing but the public interface can be reached', () => {
  const inner = 'anonymisation-engine/detect/detector.js'
  expect(existsSync(join(installed, 'detect/detector.js'))).toBe(true)
  writeFileSync(join(project, 'inner.js'), `await import('${inner}').catch(({ code }) => console.log(code))`)
  expect(node('inner.js').trim()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED')
})

test('it is JavaScript with types', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  expect(files.filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([])
  expect(files).toContain('index.d.ts')
})

/** What a program takes of the engine itself that imports one name: loaded at once, kilobytes, and the modules. */
async function taken(name: string, from: string) {
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const { metafile } = await build({
    stdin: { contents: `export { ${name} } from '${from}'`, resolveDir: project },
    external: Object.keys(dependencies).flatMap(dependency => [dependency, `${dependency}/*`]),
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', minify: true },
    ...{ write: false, metafile: true, outdir: 'out' },
  })
  const { outputs } = metafile
  const atOnce = new Set([Object.keys(outputs).find(path => outputs[path]!.entryPoint === '<stdin>')!])
  for (const path of atOnce)
    for (const { path: next, kind, external } of outputs[path]!.imports)
      if (kind === 'import-statement' && !external) atOnce.add(next)
  const all = [...atOnce].map(path => outputs[path]!)
  return {
    kilobytes: all.reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
    modules: all.flatMap(({ inputs }) => Object.keys(inputs)),
  }
}

test.each([
  ['createPlaceholders', 'anonymisation-engine/placeholders', 5],
  ['findPreset', 'anonymisation-engine/presets', 30],
  ['checkPattern', 'anonymisation-engine/rules', 30],
  ['folderSource', 'anonymisation-engine/models', 300],
  ['anonymiseTexts', 'anonymisation-engine', 400],
])('%s brings along only what it needs', async (name, from, most) => {
  const { kilobytes, modules } = await taken(name, from)
  expect(modules.length).toBeGreaterThan(0)
  expect(kilobytes).toBeLessThan(most)
  const unasked = /(?:formats\/(?:pdf|ooxml|odf|image|parquet)\/(?:read|write)|\/ocr\/ocr)\.js$/
  expect(modules.filter(module => unasked.test(module))).toEqual([])
})
