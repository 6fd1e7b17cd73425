import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSilentServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

let project: string
let servers: Server[]

/** A project with one package to ship and one for its tests, both in a folder, and the set-up of this one. */
beforeEach(async () => {
  servers = []
  project = await mkdtemp(join(tmpdir(), 'setup-'))
  await cp(join(root, 'local/setup'), join(project, 'local/setup'), { recursive: true })
  await cp(join(root, 'local/setup.mjs'), join(project, 'local/setup.mjs'))
  await cp(join(root, '.npmrc'), join(project, '.npmrc'))
  await define('shipped', { 'index.js': '1', 'index.js.map': '{}' })
  await define('tests', { 'index.js': '2' })
  await write('package.json', { dependencies: { shipped: 'file:shipped' }, devDependencies: { tests: 'file:tests' } })
  await write('package-lock.json', {
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { shipped: 'file:shipped' }, devDependencies: { tests: 'file:tests' } },
      'node_modules/shipped': { resolved: 'shipped', link: true },
      'node_modules/tests': { resolved: 'tests', link: true, dev: true },
      shipped: { version: '1.0.0' },
      tests: { version: '1.0.0', dev: true },
    },
  })
})

afterEach(async () => {
  for (const server of servers) server.close()
  await rm(project, { recursive: true })
})

async function define(name: string, files: Record<string, string>) {
  await mkdir(join(project, name))
  await write(`${name}/package.json`, { name, version: '1.0.0' })
  for (const [file, text] of Object.entries(files)) await writeFile(join(project, name, file), text)
}

const write = (path: string, content: unknown) => writeFile(join(project, path), JSON.stringify(content))

/** A registry that knows a version of every package, but no package's files. */
async function registry(): Promise<string> {
  const server = createServer((request, reply) => {
    const name = request.url!.slice(1)
    reply.setHeader('content-type', 'application/json')
    reply.end(
      JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { name, version: '1.0.0' } } }),
    )
  })
  return addressOf(server)
}

/** A registry that takes every connection and never answers. */
const silence = () => addressOf(createSilentServer(() => {}))

async function addressOf(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`
}

/** Runs the set-up with that registry and an empty cache, and gives what came of it. */
async function setUp(at: string, ...args: string[]) {
  const started = Date.now()
  const child = spawn(process.execPath, ['local/setup.mjs', ...args], {
    cwd: project,
    env: { ...environment, npm_config_registry: at, npm_config_cache: join(project, 'cache') },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', data => {
      output += data
    })
  const status = await new Promise(resolve => child.on('close', resolve))
  return { status, output, seconds: (Date.now() - started) / 1000 }
}

/** Without npm's settings, which it hands to what it runs. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))

const has = (...path: string[]) => existsSync(join(project, 'node_modules', ...path))
const saysDone = ['node', '-e', 'console.log("command ran")']

test('what only tests need is left out, and installed when it is needed', async () => {
  const at = await registry()
  const lean = await setUp(at, '--omit=dev', ...saysDone)
  expect(lean).toMatchObject({ status: 0, output: expect.stringMatching(/Installing packages[\s\S]*command ran/) })
  expect([has('shipped'), has('tests')]).toEqual([true, false])

  expect((await setUp(at, '--omit=dev', ...saysDone)).output).toBe('command ran\n')

  expect((await setUp(at, ...saysDone)).output).toMatch(/Installing packages[\s\S]*command ran/)
  expect([has('shipped'), has('tests')]).toEqual([true, true])

  // What is there suffices for both.
  expect((await setUp(at, ...saysDone)).output).toBe('command ran\n')
  expect((await setUp(at, '--omit=dev', ...saysDone)).output).toBe('command ran\n')

  // An update that is installed without them takes nothing away.
  const later = new Date(Date.now() + 10_000)
  await utimes(join(project, 'package-lock.json'), later, later)
  expect((await setUp(at, '--omit=dev', ...saysDone)).output).toContain('Installing packages')
  expect([has('shipped'), has('tests')]).toEqual([true, true])
})

test('npm has nothing to say about the settings in .npmrc', async () => {
  const { output } = await setUp(await registry(), 'npm', 'config', 'list', '--location=project', '--userconfig=none')
  expect(output).toContain('ignore-scripts = true')
  expect(output).not.toMatch(/Unknown|warn/i)
})

test.each([
  ['refuses connections', async () => 'http://127.0.0.1:1/'],
  ['never answers', silence],
])(
  'a registry that %s is reported within 30 seconds',
  async (_, address) => {
    const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
    // One package of a real registry, which no cache of this machine has.
    await write('package.json', { ...manifest, dependencies: { remote: '1.0.0' } })
    await write('package-lock.json', {
      lockfileVersion: 3,
      packages: { '': { dependencies: { remote: '1.0.0' } }, 'node_modules/remote': { version: '1.0.0' } },
    })
    const { status, output, seconds } = await setUp(await address(), ...saysDone)
    expect(status).not.toBe(0)
    expect(output).toMatch(/registry doesn't answer[\s\S]*Check the network/)
    expect(output).not.toContain('command ran')
    expect(seconds).toBeLessThan(30)
  },
  60_000,
)
