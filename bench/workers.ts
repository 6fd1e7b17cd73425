// npm run bench:workers [MB]: anonymises the chunks of one table with one process and with two, each a worker of its own
// as in the cloud, and compares the times by the clock. A process of Node.js collects garbage and compiles on threads of their
// own, so one that is free to use two cores has more than one; where `taskset` is there, each is also held to one core, which
// is what a worker of 1,769 MB has in the cloud.
import { fork, spawnSync } from 'node:child_process'
import { createSecretKey } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { anonymise } from '../shared/engine/anonymise.ts'
import { fileInput, fileOutput } from '../shared/engine/input.ts'
import { splitAsset } from '../shared/engine/split.ts'
import { patterns, requireGenerator, scratch, workload } from './workload.ts'

/** A chunk to do, as a worker is told. */
type Task = { path: string; range: { start: number; end: number }; options: Record<string, unknown> }

/** What a worker says of a chunk: bytes written, and its CPU seconds so far. */
type Done = { bytesOut: number; cpu: number }

/** The program that holds another to one core. */
const holder = 'taskset'

const CHUNK_BYTES = 8 * 1024 ** 2

if (process.send) {
  const key = createSecretKey(Buffer.alloc(32, 1))
  const all = patterns()
  const rules = ['EMAIL', 'PHONE_US', 'CREDIT_CARD', 'DATE_ISO'].map(name => ({
    ruleId: name,
    name,
    detection: { type: 'REGEX' as const, pattern: all.get(name)! },
    replacement: { text: `[${name}]` },
  }))
  process.on('message', async ({ path, range, options }: Task) => {
    const { bytesOut } = await anonymise({
      input: await fileInput(path),
      plan: { rules, assetType: 'TABLE' },
      secrets: { hash: key, pseudonym: key },
      numbering: { number: async keys => keys.map((_, index) => index + 1) },
      signal: new AbortController().signal,
      range,
      options,
      workspace: {
        async create(name) {
          const place = scratch(`worker-${process.pid}-${name}`)
          const output = fileOutput(place)
          return { output, input: () => output.close().then(() => fileInput(place)) }
        },
      },
    })
    const { user, system } = process.cpuUsage()
    process.send!({ bytesOut, cpu: (user + system) / 1e6 } satisfies Done)
  })
  process.send('ready')
} else {
  requireGenerator()
  const megabytes = Number(process.argv[2] ?? 200)
  const path = workload(`table${megabytes}.csv`, 'csv', '--mb', String(megabytes))
  const { signal } = new AbortController()
  const { ranges, options } = (await splitAsset({ input: await fileInput(path), size: CHUNK_BYTES, signal }))!

  const start = (core?: number) =>
    core === undefined
      ? fork(import.meta.filename, { stdio: 'inherit' })
      : fork(import.meta.filename, {
          stdio: 'inherit',
          execPath: holder,
          execArgv: ['-c', String(core), process.execPath],
        })

  /** Seconds that so many workers need for all chunks, each taking the next one when it is done; starting not counted. */
  const run = async (workers: number, held: boolean): Promise<{ seconds: number; cpu: number }> => {
    const children = Array.from({ length: workers }, (_, n) => start(held ? n : undefined))
    await Promise.all(children.map(child => new Promise(resolve => child.once('message', resolve))))
    const waiting = ranges.values()
    const begun = performance.now()
    const work = async (child: (typeof children)[number]) => {
      let cpu = 0
      for (const range of waiting) {
        const done = new Promise<Done>(resolve => child.once('message', made => resolve(made as Done)))
        child.send({ path, range, options } satisfies Task)
        cpu = (await done).cpu
      }
      return cpu
    }
    const used = await Promise.all(children.map(work))
    const seconds = (performance.now() - begun) / 1000
    for (const child of children) child.kill()
    return { seconds, cpu: used.reduce((sum, cpu) => sum + cpu, 0) }
  }

  console.log(`${megabytes} MB in ${ranges.length} chunks, ${availableParallelism()} cores, by the clock`)
  const pinned = spawnSync(holder, ['--version']).error === undefined
  if (!pinned) console.log('skipped: taskset is not here, so no worker is held to one core')
  await run(1, false)
  for (const held of pinned ? [true, false] : [false]) {
    const runs: Record<number, { seconds: number; cpu: number }[]> = { 1: [], 2: [] }
    for (let round = 0; round < 3; round++) for (const workers of [1, 2]) runs[workers]!.push(await run(workers, held))
    const best = (workers: number) => runs[workers]!.reduce((a, b) => (a.seconds <= b.seconds ? a : b))
    console.log(held ? 'each held to a core of its own:' : 'free to use any core:')
    for (const workers of [1, 2]) {
      const { seconds, cpu } = best(workers)
      const rate = (megabytes / seconds).toFixed(1)
      console.log(`  ${workers} worker(s): ${seconds.toFixed(2)} s, ${rate} MB/s, ${cpu.toFixed(1)} s of CPU time`)
    }
    console.log(`  two / one: ${(best(1).seconds / best(2).seconds).toFixed(2)} by the clock`)
    console.log(`  CPU time of one / two: ${(best(1).cpu / best(2).cpu).toFixed(2)}`)
  }
}
