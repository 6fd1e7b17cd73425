import { randomUUID } from 'node:crypto'
import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultLimits } from '../../shared/sources/connector.ts'
import { folderStore } from '../../shared/sources/objects/folder.ts'
import {
  checkSource,
  locateInSource,
  openFromSource,
  previewEntry,
  previewSource,
  writeToSource,
} from '../../shared/sources/sources.ts'
import { bytesOf, localContext } from './context.ts'
import { row } from './row.ts'

let base: string
let root: string
const context = (changes = {}) => localContext({ localFiles: folderStore(root), ...changes })
const source = (config: Record<string, unknown> = {}) => ({ kind: 'LOCAL_ASSET', config, secrets: {} }) as const
const read = async (name: string, config = {}) =>
  (await bytesOf((await openFromSource(source(config), context(), name)).body)).toString()

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'local-'))
  root = join(base, 'root')
  await mkdir(join(root, 'in', 'deep'), { recursive: true })
  await mkdir(join(base, 'outside'))
  await writeFile(join(base, 'outside', 'secret.txt'), 'secret')
  await writeFile(join(base, 'secret.txt'), 'secret')
  await writeFile(join(root, 'a.csv'), 'id\n1\n')
  await writeFile(join(root, 'b.exe'), 'x')
  await writeFile(join(root, 'in', 'c.pdf'), '%PDF')
  await writeFile(join(root, 'in', 'deep', 'd ü 😀.txt'), 'deep')
  await symlink('/etc', join(root, 'etc'))
  await symlink(join(base, 'outside'), join(root, 'link'))
  await symlink(join(base, 'secret.txt'), join(root, 'link.txt'))
  await symlink(join(root, 'a.csv'), join(root, 'inner.csv'))
  await symlink('loop', join(root, 'loop'))
})
afterAll(() => rm(base, { recursive: true, force: true }))

const { cell, complete } = row('Local files')
cell('good', async () => {
  expect(await checkSource(source(), context())).toMatchObject({ ok: true, checks: { length: 4 } })
  expect(await read('a.csv')).toBe('id\n1\n')
})
cell('nothing there', async () => {
  expect(await checkSource(source({ prefix: 'none' }), context())).toMatchObject({
    ok: false,
    problem: 'source_not_found',
  })
})
cell('cancelled', async () => {
  await writeFile(join(root, 'in', 'large.bin'), Buffer.alloc(3_000_000))
  const controller = new AbortController()
  const { body } = await openFromSource(source(), context({ signal: controller.signal }), 'in/large.bin')
  const reading = (async () => {
    for await (const _ of body) controller.abort()
  })()
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  expect(body.destroyed).toBe(true)
  await rm(join(root, 'in', 'large.bin'))
})
complete()

test('check, preview in pages, locate and read', async () => {
  const first = await previewSource(source(), context(), { limit: 2 })
  expect(first.entries).toEqual([
    expect.objectContaining({ name: 'a.csv', type: 'file', assetType: 'TABLE', supported: true, size: 5 }),
    expect.objectContaining({ name: 'b.exe', type: 'file', supported: false }),
  ])
  const second = await previewSource(source(), context(), { limit: 2, cursor: first.cursor })
  expect(second).toEqual({ entries: [{ name: 'in', type: 'folder', supported: true }] })
  expect((await previewSource(source(), context(), { path: 'in/deep' })).entries[0]!.name).toBe('in/deep/d ü 😀.txt')
  expect((await previewEntry(source(), context(), 'in/c.pdf')).entry).toMatchObject({ assetType: 'DOCUMENT' })
  const located = await locateInSource(source(), context(), ['in/c.pdf', 'none', '../secret.txt', 'in'])
  expect(located.map(entry => entry?.name)).toEqual(['in/c.pdf', undefined, undefined, undefined])
  expect(await read('in/deep/d ü 😀.txt')).toBe('deep')
  const { body, size } = await openFromSource(source(), context(), 'a.csv', { start: 3 })
  expect([size, (await bytesOf(body)).toString()]).toEqual([2, '1\n'])
})

test('a prefix is the root of its source', async () => {
  const entries = (await previewSource(source({ prefix: 'in' }), context())).entries
  expect(entries.map(({ name }) => name)).toEqual(['c.pdf', 'deep'])
  expect(await read('c.pdf', { prefix: 'in' })).toBe('%PDF')
  await expect(read('a.csv', { prefix: 'in' })).rejects.toMatchObject({ type: 'source_not_found' })
})

test.each([
  ...['../secret.txt', '/../secret.txt', 'in/../../secret.txt', '..', '.', './a.csv', 'in//c.pdf', '..\\secret.txt'],
  ...['etc/passwd', 'link/secret.txt', 'link.txt', 'inner.csv', 'loop', 'in', '', '/', 'a.csv/', 'a.csv/x', 'a.csv\0'],
  ...['%2e%2e/secret.txt', '/etc/passwd', '~/a.csv', `${'x'.repeat(300)}.csv`, 'in/..%2f..%2fsecret.txt'],
])('nothing outside is read by the name %j', async name => {
  if (name === 'a.csv/') return expect(await read(name)).toBe('id\n1\n')
  await expect(read(name)).rejects.toMatchObject({ type: 'source_not_found' })
})

test.each(['link', 'etc', '..', 'in/../..', 'loop', 'a.csv', '/etc'])('nothing outside is listed by %j', async path => {
  await expect(previewSource(source(), context(), { path })).rejects.toMatchObject({ type: 'source_not_found' })
})

test('no name made of dots, slashes and links leads outside', async () => {
  const part = fc.constantFrom('..', '.', '', 'link', 'etc', 'secret.txt', 'in', 'deep', 'loop', '%2e%2e', '..\\', '\0')
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), async parts => {
      await expect(read(parts.join('/'))).rejects.toMatchObject({ type: 'source_not_found' })
    }),
  )
})

test('links, pipes and sockets are not listed', async () => {
  const socket = createServer().listen(join(root, 'in', 'socket.csv'))
  await new Promise(listening => socket.once('listening', listening))
  const names = [
    ...(await previewSource(source(), context())).entries,
    ...(await previewSource(source(), context(), { path: 'in' })).entries,
  ].map(({ name }) => name)
  expect(names).toEqual(['a.csv', 'b.exe', 'in', 'in/c.pdf', 'in/deep'])
  await expect(read('in/socket.csv')).rejects.toMatchObject({ type: 'source_not_found' })
  await new Promise(closed => socket.close(closed))
})

test('files are created, replaced, and never half written', async () => {
  const write = (name: string, mode: 'create' | 'replace' | 'update', body: Readable, signal?: AbortSignal) =>
    writeToSource(source(), context(signal ? { signal } : {}), { name, mode }, body)
  const bytes = (...pieces: string[]) => Readable.from(pieces.map(piece => Buffer.from(piece)))
  for (const pieces of [['one'], ['o', '', 'ne'], ['one']])
    expect(await write('out/x.csv', 'create', bytes(...pieces))).toEqual({ name: 'out/x.csv', bytes: 3 })
  for (const other of ['on', 'ones', 'onE', ''])
    await expect(write('out/x.csv', 'create', bytes(other))).rejects.toMatchObject({ type: 'source_conflict' })
  await write('out/x.csv', 'replace', Readable.from([Buffer.from('three')]))
  expect(await read('out/x.csv')).toBe('three')
  const breaks = Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('lost')
    })(),
  )
  await expect(write('out/x.csv', 'replace', breaks)).rejects.toMatchObject({ type: 'source_failed' })
  expect(await read('out/x.csv')).toBe('three')
  expect(await readdir(join(root, 'out'))).toEqual(['x.csv'])
  for (const name of ['link/x.csv', 'link.txt', '../x.csv', 'etc/x.csv', 'in', 'link/new/x.csv'])
    await expect(write(name, 'replace', Readable.from([Buffer.from('bad')]))).rejects.toMatchObject({
      type: expect.stringMatching(/^source_(not_found|conflict)$/),
    })
  expect(await readFile(join(base, 'secret.txt'), 'utf8')).toBe('secret')
  expect(await readdir(join(base, 'outside'))).toEqual(['secret.txt'])
  await expect(write('out/x.csv', 'update', Readable.from(['']))).rejects.toMatchObject({ type: 'source_unsupported' })
  await rm(join(root, 'out'), { recursive: true })
})

test.each(['create', 'replace'] as const)(
  'of two writers of one result, none makes the beginning of the other’s the file: %s',
  async mode => {
    const target = { name: `two/${mode}.csv`, mode, delivery: randomUUID() }
    const write = (body: AsyncIterable<Buffer>) => writeToSource(source(), context(), target, Readable.from(body))
    const [begun, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    async function* slow() {
      yield Buffer.from('wh')
      begun.resolve()
      await finished.promise
      throw new Error('killed')
    }
    async function* overtaken() {
      yield Buffer.from('whole')
      second = write(slow()).catch(error => error)
      await begun.promise
    }
    let second: Promise<unknown> | undefined
    await expect(write(overtaken())).rejects.toMatchObject({ type: 'source_connection_lost' })
    const there = () => readdir(join(root, 'two')).then(names => names.filter(name => !name.startsWith('.')))
    expect(await there()).toEqual([])
    finished.resolve()
    expect(await second).toMatchObject({ type: 'source_failed' })
    expect(await readdir(join(root, 'two'))).toEqual([])
    await write(
      (async function* () {
        yield Buffer.from('whole')
      })(),
    )
    expect(await read(target.name)).toBe('whole')
    await rm(join(root, 'two'), { recursive: true })
  },
)

test('a folder that becomes a link while it is used shows nothing', async () => {
  await mkdir(join(root, 'swap'))
  await writeFile(join(root, 'swap', 'secret.txt'), 'mine')
  let stop = false
  const swapping = (async () => {
    while (!stop) {
      await rename(join(root, 'swap'), join(base, 'aside'))
      await symlink(join(base, 'outside'), join(root, 'swap'))
      await rm(join(root, 'swap'))
      await rename(join(base, 'aside'), join(root, 'swap'))
    }
  })()
  try {
    for (let tried = 0; tried < 300; tried++) {
      const text = await read('swap/secret.txt').catch((error: { type: string }) => error.type)
      expect(['mine', 'source_not_found']).toContain(text)
    }
  } finally {
    stop = true
    await swapping
  }
  await link(join(root, 'swap', 'secret.txt'), join(root, 'swap', 'hard.txt'))
})

test('limits hold, and without a store the kind says so', async () => {
  await expect(
    openFromSource(source(), context({ limits: { ...defaultLimits, bytes: 3 } }), 'a.csv'),
  ).rejects.toMatchObject({ type: 'source_limit_exceeded' })
  expect(await checkSource(source(), localContext())).toMatchObject({ ok: false, problem: 'source_unsupported' })
  expect(await checkSource(source({ prefix: '../x' }), context())).toMatchObject({ problem: 'source_config_invalid' })
})
