import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useService } from '../api/setup.ts'
import { shortLived } from '../java.ts'

// Clients that others' generators make of the OpenAPI document: they compile, and run the main flow.

const root = resolve(import.meta.dirname, '../..')
const programs = join(import.meta.dirname, 'programs')
const python = process.env.PYTHON ?? 'python3'
/** The archive of openapi-generator-cli; without it most of this is skipped. */
const generator = process.env.OPENAPI_GENERATOR ?? ''

const answers = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const has = (...modules: string[]) => answers(python, '-c', `import ${modules.join(', ')}`)
const java = generator !== '' && answers('java', '-version')

const service = await useService()
let folder: string
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'generated-'))
  const { user, password } = await service.person()
  const login = { API_URL: service.apiUrl, EMAIL: user.email, PASSWORD: password }
  environment = { ...process.env, JAVA_TOOL_OPTIONS: shortLived.join(' '), ...login }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program and gives what it prints. */
async function run(cwd: string, command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const { stdout } = await promisify(execFile)(command, args, { cwd, env: { ...environment, ...more } })
  return stdout
}

const languages = ['python', 'typescript-fetch', 'go', 'java'] as const
let generating: Promise<unknown> | undefined

/** Gives the folder of a client; those for all languages are generated in one run. */
async function generate(language: (typeof languages)[number]): Promise<string> {
  generating ??= generateAll()
  await generating
  return join(folder, language)
}

async function generateAll(): Promise<void> {
  const without = ['apiDocs', 'modelDocs', 'apiTests', 'modelTests']
  for (const language of languages) {
    const settings = {
      generatorName: language,
      inputSpec: join(root, 'docs/openapi.json'),
      outputDir: join(folder, language),
      globalProperties: Object.fromEntries(without.map(name => [name, 'false'])),
      ...(language === 'java' && { additionalProperties: { containerDefaultToNull: true } }),
    }
    writeFileSync(join(folder, `${language}.json`), JSON.stringify(settings))
  }
  const files = languages.map(language => `${language}.json`)
  await run(folder, 'java', ['-jar', generator, 'batch', '--threads', '1', '--fail-fast', ...files])
}

const anonymised = 'Write to [EMAIL].\n'
const generous = { timeout: 600_000 }

test.skipIf(!has('openapi_python_client', 'httpx', 'attrs'))('openapi-python-client', generous, async () => {
  const document = join(root, 'docs/openapi.json')
  const made = join(folder, 'client')
  const generating = ['-m', 'openapi_python_client', 'generate', '--path', document, '--output-path', made]
  await run(folder, python, generating)
  expect(await run(folder, python, [join(programs, 'openapi_python_client.py')], { PYTHONPATH: made })).toBe(anonymised)
})

test.skipIf(!java || !has('pydantic', 'urllib3', 'dateutil'))('openapi-generator for Python', generous, async () => {
  const made = await generate('python')
  expect(await run(folder, python, [join(programs, 'openapi_generator.py')], { PYTHONPATH: made })).toBe(anonymised)
})

test.skipIf(!java)('openapi-generator for TypeScript', generous, async () => {
  const made = await generate('typescript-fetch')
  cpSync(join(programs, 'main.ts.txt'), join(made, 'main.ts'))
  const types = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }
  const target = { target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] }
  const compilerOptions = { ...target, ...types, strict: true, noEmit: true, skipLibCheck: true }
  writeFileSync(join(made, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  await run(made, process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'])
  const bundle = { bundle: true, format: 'esm', platform: 'node' } as const
  await build({ ...bundle, entryPoints: [join(made, 'main.ts')], outfile: join(made, 'main.mjs') })
  expect(await run(made, process.execPath, ['main.mjs'])).toBe(anonymised)
})

test.skipIf(!java || !answers('go', 'version'))('openapi-generator for Go', generous, async () => {
  const made = await generate('go')
  mkdirSync(join(made, 'cmd'))
  cpSync(join(programs, 'main.go'), join(made, 'cmd/main.go'))
  await run(made, 'go', ['mod', 'tidy'])
  expect(await run(made, 'go', ['run', './cmd'])).toBe(anonymised)
})

test.skipIf(!java || !answers('mvn', '-version'))('openapi-generator for Java', generous, async () => {
  const made = await generate('java')
  cpSync(join(programs, 'Main.java'), join(made, 'src/main/java/Main.java'))
  const goals = ['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath']
  await run(made, 'mvn', ['-q', '-B', ...goals])
  const classes = `target/classes:${readFileSync(join(made, 'classpath'), 'utf8').trim()}`
  expect(await run(made, 'java', ['-cp', classes, 'Main'])).toBe(anonymised)
})
