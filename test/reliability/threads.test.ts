import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { encodePage, encodePng } from '../../shared/engine/formats/image/codecs.ts'
import { HEAP_MIB, keepThreadReady, leaveThread, startThread, takeThread } from '../../shared/jobs/worker/threads.ts'
import { anonymiseIsolated } from '../../shared/jobs/worker/worker-host.ts'
import { emfOutlines, makeEmf } from '../engine/formats/metafile-samples.ts'
import { typedBitmap, typedPicture } from '../engine/formats/picture-samples.ts'

const directory = mkdtempSync(join(tmpdir(), 'threads-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Threads in the order of their start, and whether each has ended. */
type Known = { thread: Worker; over: boolean; ended: Promise<void> }
const threads: Known[] = []
process.on('worker', thread => threads.push(know(thread)))

function know(thread: Worker): Known {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const known = { thread, over: false, ended }
  thread.once('exit', () => {
    known.over = true
    resolve()
  })
  return known
}

/** The thread that waits for an asset. */
async function waiting(): Promise<Known> {
  return vi.waitFor(() => {
    const left = threads.filter(({ over }) => !over)
    expect(left).toHaveLength(1)
    return left[0]!
  })
}

beforeEach(async () => {
  await Promise.all(threads.filter(({ over }) => !over).map(({ thread }) => thread.terminate()))
  keepThreadReady()
  await setImmediate()
  await waiting()
})

type Bounds = Partial<Parameters<typeof anonymiseIsolated>[1]>

async function run(text: string, pattern = '\\d+', bounds: Bounds = {}, owner?: string): Promise<string> {
  return readFileSync((await runFile('letter.txt', text, pattern, bounds, owner)).path!, 'utf8')
}

async function runFile(name: string, content: string | Uint8Array, pattern: string, bounds: Bounds, owner?: string) {
  const own = mkdtempSync(join(directory, 'asset-'))
  const path = join(own, 'input')
  writeFileSync(path, content)
  const detection = { type: 'REGEX' as const, pattern }
  const replacement = { text: '[{{n}}]' }
  const plan = { rules: [{ ruleId: 'r', name: 'Numbers', detection, replacement }], assetType: 'DOCUMENT' as const }
  const secrets = { hash: randomBytes(32), pseudonym: randomBytes(32) }
  const { signal } = new AbortController()
  const number = async (keys: string[]) => keys.map((_, n) => n + 1)
  const given = { path, name, plan, secrets, directory: own, models: own, owner }
  return anonymiseIsolated(given, { milliseconds: 60_000, heapMiB: HEAP_MIB, signal, number, ...bounds })
}

test('an asset gets the thread that was started for it, and the next one another', async () => {
  const first = await waiting()
  expect(await run('call 123')).toBe('call [1]')
  await first.ended
  const second = await waiting()
  expect(await run('call 456')).toBe('call [1]')
  await second.ended
  expect(threads.filter(({ over }) => over)).toEqual([first, second])
})

/** How many threads there are once the next one stands ready. */
const alive = (count: number) =>
  vi.waitFor(() => {
    const left = threads.filter(({ over }) => !over)
    expect(left).toHaveLength(count)
    return left
  })

test('an asset gets the thread of another one of its owner, whoever came between', async () => {
  const first = await waiting()
  expect(await run('call 123', '\\d+', {}, 'owner-1')).toBe('call [1]')
  await alive(2)
  const begun = threads.length
  expect(await run('letter b', '[a-c]$', {}, 'owner-1')).toBe('letter [1]')
  expect([first.over, threads.length]).toEqual([false, begun])
  const listeners = () => ['message', 'error', 'exit'].map(event => first.thread.listenerCount(event))
  const before = listeners()
  for (let n = 0; n < 12; n++) expect(await run(`call ${n}`, '\\d+', {}, 'owner-1')).toBe('call [1]')
  expect(listeners()).toEqual(before)
  expect(await run('call 456', '\\d+', {}, 'owner-2')).toBe('call [1]')
  const [, second] = await alive(3)
  expect(await run('call 7', '\\d+', {}, 'owner-1')).toBe('call [1]')
  expect(await run('call 8', '\\d+', {}, 'owner-2')).toBe('call [1]')
  expect([first.over, second!.over, threads.length]).toEqual([false, false, begun + 1])
  expect(await run('call 9')).toBe('call [1]')
  await alive(3)
})

/** A thread that waits as if an asset of this owner had left so many bytes in it. */
function leave(owner: string, bytes: number): Known {
  const known = know(startThread(HEAP_MIB))
  leaveThread(known.thread, owner, bytes)
  return known
}

test('where 24 threads wait, the next one ends', async () => {
  await waiting()
  const known = Array.from({ length: 25 }, (_, n) => leave(`owner-${n}`, 1000))
  await known[24]!.ended
  expect(known.filter(({ over }) => over)).toHaveLength(1)
  expect(takeThread(HEAP_MIB, 'owner-0')).toBe(known[0]!.thread)
  expect(known.map(({ thread }) => thread)).not.toContain(takeThread(HEAP_MIB, 'owner-24'))
})

test('threads that wait hold no more than 480 MiB together', async () => {
  await waiting()
  const [first, second, third, fourth] = [300, 150, 40, 30].map((mib, n) => leave(`owner-${n}`, mib * 2 ** 20))
  await third!.ended
  expect([first, second, fourth].map(known => known!.over)).toEqual([false, false, false])
})

test('in the smallest worker they hold no more than a seventh of its memory', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_MEMORY_SIZE', '1769')
  onTestFinished(() => void vi.unstubAllEnvs())
  await waiting()
  const [first, second, third] = [200, 60, 40].map((mib, n) => leave(`owner-${n}`, mib * 2 ** 20))
  await second!.ended
  expect([first, third].map(known => known!.over)).toEqual([false, false])
})

test('an asset whose waiting thread has died gets another one', async () => {
  const first = await waiting()
  expect(await run('call 123', '\\d+', {}, 'owner-5')).toBe('call [1]')
  const second = (await alive(2)).at(-1)!
  void first.thread.terminate()
  expect(await run('call 456', '\\d+', {}, 'owner-5')).toBe('call [1]')
  await alive(2)
  // One that no asset has had yet, and is given an asset of another owner.
  void second.thread.terminate()
  expect(await run('call 789', '\\d+', {}, 'owner-6')).toBe('call [1]')
})

test('no asset gets a thread that holds much of another', async () => {
  const first = await waiting()
  expect((await run(`call 123${' and go'.repeat(2_000_000)}`, '\\d+', {}, 'owner-3')).slice(0, 8)).toBe('call [1]')
  await first.ended
})

/** Files that are read, drawn or written by code in WebAssembly, or in a thread of their thread. */
const decoded: Record<string, () => Promise<Uint8Array>> = {
  'a.pdf': async () => {
    const document = await PDFDocument.create()
    document.addPage([420, 300]).drawText('call 123')
    return document.save()
  },
  'a.png': async () => encodePng(await typedBitmap(['call 123 today'])),
  'a.jpg': async () => encodePage(await typedPicture(['call 123 today']), 90),
  // Drawn and written by our own code, but its outlines are read.
  'a.emf': async () => makeEmf(emfOutlines(await typedBitmap(['call 123 today']))),
}

test.each(Object.entries(decoded))('no asset gets a thread in which %s was decoded', async (name, make) => {
  const first = await waiting()
  const { findings } = await runFile(name, await make(), '\\d+', {}, 'owner-4')
  expect(findings).not.toEqual([])
  await first.ended
})

test('assets at the same time have a thread each', async () => {
  const before = await waiting()
  const began = threads.length
  const texts = await Promise.all(['call 1', 'call 22', 'call 333'].map(text => run(text)))
  expect(texts).toEqual(['call [1]', 'call [1]', 'call [1]'])
  const after = await waiting()
  expect(threads.slice(began - 1)).toContain(before)
  expect(threads.length - began).toBeGreaterThanOrEqual(3)
  expect(after.over).toBe(false)
})

/** Asks for a number that never comes, and tells when it is asked for. */
function stuck() {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const number = () => {
    resolve()
    return new Promise<number[]>(() => {})
  }
  return { asked, number }
}

/** Ways in which an asset ends badly, by what it then fails with. */
const ends: Record<string, () => Promise<unknown>> = {
  'took longer': () => run('call 1', '\\d+', { number: stuck().number, milliseconds: 1000 }),
  cancelled: async () => {
    const { asked, number } = stuck()
    const controller = new AbortController()
    const ended = run('call 1', '\\d+', { number, signal: controller.signal })
    asked.then(() => controller.abort(new Error('cancelled')))
    return ended
  },
  'more memory': () => run('call 1', '\\d+', { heapMiB: 4 }),
  'unexpected failure': async () => {
    const { thread } = threads.find(({ over }) => !over)!
    const { asked, number } = stuck()
    asked.then(() => thread.terminate())
    return run('call 1', '\\d+', { number })
  },
}

for (const [message, act] of Object.entries(ends)) {
  test(`an asset that ends badly (${message}) takes neither the one beside it nor the next with it`, async () => {
    const bad = expect(act()).rejects.toThrow(message)
    const other = run('call 1', '\\d+', {
      number: async keys => {
        await bad
        return keys.map((_, n) => n + 1)
      },
    })
    await bad
    expect(await other).toBe('call [1]')
    expect(await run('call 2')).toBe('call [1]')
    await waiting()
  })
}
