import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createPool, type Pool, type PoolOptions } from '../../local/runner/pool.ts'

const directory = mkdtempSync(join(tmpdir(), 'runner-'))
let pools: Pool[] = []

/** A function whose code is the body of an async function of `event` and `context`. */
function code(name: string, body: string): string {
  writeFileSync(
    join(directory, `${name}.cjs`),
    `let calls = 0\nexports.handler = async (event, context) => { calls++; ${body} }`,
  )
  return join(directory, `${name}.cjs`)
}

function pool(size = 2, memory = 256, more: Partial<PoolOptions> = {}) {
  const created = createPool({ size, memory, ...more })
  pools.push(created)
  const logs: string[] = []
  const run = async (file: string, event: unknown = {}, timeout = 10_000, environment: Record<string, string> = {}) => {
    const context = { functionName: file, memoryLimitInMB: '256', awsRequestId: 'id', invokedFunctionArn: 'arn' }
    const task = { file, exported: 'handler', environment, payload: JSON.stringify(event), context }
    const outcome = await created.run(task, timeout, text => logs.push(text))
    return 'payload' in outcome ? JSON.parse(outcome.payload) : outcome
  }
  return { run, logs, crash: created.crash }
}

afterEach(async () => {
  await Promise.all(pools.map(created => created.close()))
  pools = []
})
afterAll(() => rmSync(directory, { recursive: true }))

describe('a sandbox', () => {
  test('may have a clock that is out', async () => {
    const { run } = pool(1, 256, { clockSkew: () => -3_600_000 })
    const body = 'return [Date.now(), +new Date(), new Date(0).toISOString(), new Date() instanceof Date]'
    const [now, made, epoch, isDate] = await run(code('clock', body))
    expect([Math.round((now - Date.now()) / 60_000), Math.round((made - Date.now()) / 60_000)]).toEqual([-60, -60])
    expect([epoch, isDate]).toEqual(['1970-01-01T00:00:00.000Z', true])
    expect(await run(code('deadline', 'return context.getRemainingTimeInMillis()'), {}, 9000)).toBeLessThanOrEqual(9000)
  })

  test.runIf(process.platform === 'linux')('gives way to others if it is to, and no other thread does', async () => {
    const file = code('priority', `return require('node:os').getPriority()`)
    const before = getPriority()
    const asked = [pool(1, 256, { givesWay: true }), pool(1)].map(({ run }) => run(file))
    expect([...(await Promise.all(asked)), getPriority()]).toEqual([before + 5, before, before])
  })

  test('gives the function its event and its context, and answers what it returns', async () => {
    const { run } = pool()
    const file = code('echo', 'return { event, left: context.getRemainingTimeInMillis(), name: context.functionName }')
    const { event, left, name } = await run(file, { a: [1, 'ä'] }, 5000)
    expect({ event, name }).toEqual({ event: { a: [1, 'ä'] }, name: file })
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(5000)
  })

  test('answers null for nothing', async () => {
    expect(await pool().run(code('nothing', ''))).toBeNull()
  })

  test('keeps what a module remembers while it is warm, each function for itself', async () => {
    const { run } = pool(1)
    const [a, b] = [code('counter-a', 'return calls'), code('counter-b', 'return calls')]
    expect([await run(a), await run(a), await run(b), await run(a)]).toEqual([1, 2, 1, 3])
  })

  test('has the environment of the function that runs and nothing else', async () => {
    const { run } = pool(1)
    const file = code('environment', 'return process.env')
    expect(await run(file, {}, 5000, { A: '1', B: '2' })).toEqual({ A: '1', B: '2' })
    expect(await run(file, {}, 5000, { B: '3' })).toEqual({ B: '3' })
  })

  test('has the folder for temporary files that its environment names', async () => {
    const { run } = pool(1)
    expect(await run(code('temporary', 'return require("node:os").tmpdir()'), {}, 5000, { TMPDIR: '/there' })).toBe(
      '/there',
    )
  })

  test('keeps what was compiled for the next sandbox, and runs what has changed since', async () => {
    const compiled = join(directory, 'compiled')
    const answers = []
    for (const answer of ['first', 'first', 'second']) {
      const { run } = pool(1, 256, { compiled })
      answers.push(await run(code('kept', `return [process.env.NODE_COMPILE_CACHE ?? 'gone', '${answer}']`)))
      await pools.pop()!.close()
      expect(readdirSync(compiled)).not.toEqual([])
    }
    expect(answers).toEqual(['first', 'first', 'second'].map(answer => ['gone', answer]))
  })

  test('runs one event at a time, and waits its turn', async () => {
    const { run } = pool(1)
    const file = code(
      'exclusive',
      'global.inside = (global.inside ?? 0) + 1; const seen = global.inside; await new Promise(r => setTimeout(r, 5)); global.inside--; return [event.n, seen]',
    )
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => run(file, { n })))
    expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => [n, 1]))
  })

  test('several run side by side', async () => {
    const { run } = pool(3)
    const file = code(
      'meeting',
      'await new Promise(r => setTimeout(r, 300)); return require("node:worker_threads").threadId',
    )
    const others = code(
      'meeting-2',
      'await new Promise(r => setTimeout(r, 300)); return require("node:worker_threads").threadId',
    )
    expect(new Set(await Promise.all([run(file), run(others), run(file)])).size).toBe(3)
  })
})

describe('a sandbox that runs several events at the same time', () => {
  const many = (more: Partial<PoolOptions> = {}) => pool(1, 256, { atOnce: 8, ...more })
  const pause = 'const pause = ms => new Promise(resolve => setTimeout(resolve, ms));'

  test('runs one of each function, in one thread', async () => {
    const { run } = many()
    const meets = `${pause}
      const all = (globalThis.meeting ??= { most: 0, now: 0, of: {} })
      all.most = Math.max(all.most, ++all.now)
      all.of[event] = (all.of[event] ?? 0) + 1
      const alone = all.of[event] === 1
      await pause(100)
      all.now--
      all.of[event]--
      return { alone, most: all.most, thread: require('node:worker_threads').threadId }`
    const [a, b] = [code('meets-a', meets), code('meets-b', meets)]
    const met = await Promise.all([run(a, 'a'), run(b, 'b'), run(a, 'a'), run(b, 'b')])
    expect(met.map(({ alone, most }) => [alone, most])).toEqual([1, 2, 3, 4].map(() => [true, 2]))
    expect(new Set(met.map(({ thread }) => thread)).size).toBe(1)
  })

  test('gives each its own environment and hears each for itself', async () => {
    const { run, logs } = many()
    const tells = `${pause} const seen = []
      for (let i = 0; i < 5; i++) { await pause(10); seen.push(process.env.NAME); console.log(process.env.NAME) }
      return [...seen, Object.keys(process.env).length, { ...process.env }.NAME, 'NAME' in process.env, 'OTHER' in process.env]`
    const names = ['one', 'two', 'three']
    const told = await Promise.all(names.map(name => run(code(`tells-${name}`, tells), {}, 5000, { NAME: name })))
    expect(told).toEqual(names.map(name => [...Array(5).fill(name), 1, name, true, false]))
    expect(logs.join('').split('\n').filter(Boolean).sort()).toEqual(names.flatMap(name => Array(5).fill(name)).sort())
  })

  test('lets the others end when one has timed out, and does nothing for that one any more', async () => {
    const asked: string[] = []
    const exchanges = new Map([
      [
        'there',
        async ({ url }: { url: string }) => {
          asked.push(url)
          return { status: 200, headers: {}, body: '' }
        },
      ],
    ])
    const { run } = many({ exchanges })
    const asks = (name: string, ms: number) =>
      code(
        name,
        `${pause} const ask = path => globalThis[Symbol.for('anonymisation-service.transport')]('there')
          .requestHandler.handle({ method: 'GET', path, headers: {} })
         await ask('${name} before'); await pause(${ms}); await ask('${name} after'); return 'done'`,
      )
    const [late, other] = [asks('late', 3000), asks('other', 4000)]
    const outcomes = await Promise.all([run(late, {}, 2000), run(other)])
    expect(outcomes).toEqual([{ failure: expect.objectContaining({ errorType: 'Sandbox.Timedout' }) }, 'done'])
    expect(asked.toSorted()).toEqual(['late before', 'other after', 'other before'])
    expect(await run(code('next', 'return "fine"'))).toBe('fine')
  })

  test('fails those that go on for too long after that', async () => {
    const { run, crash } = many()
    const [victim, stays] = ['victim-2', 'stays'].map(name => code(name, 'await new Promise(() => {})'))
    const running = [run(victim!, {}, 60_000), run(stays!, {}, 60_000)]
    await sleep(300)
    crash(victim!)
    const messages = (await Promise.all(running)).map(({ failure }) => failure.errorMessage)
    expect(messages).toEqual(['Crashed on purpose', 'The sandbox ended'])
  }, 15_000)
})

describe('a function that', () => {
  const failure = (errorType: string, errorMessage: unknown) => ({
    failure: expect.objectContaining({ errorType, errorMessage }),
  })

  test.each([
    ['throws', 'throw new TypeError("no")', 'TypeError', 'no'],
    ['throws what is no error', 'throw "plain"', 'string', 'plain'],
    ['answers what JSON can not hold', 'return 1n', 'TypeError', expect.stringContaining('BigInt')],
    ['ends its process', 'process.exit(0)', 'Runtime.ExitError', expect.any(String)],
    [
      'throws where nobody catches',
      'setTimeout(() => { throw new Error("late") }, 1); await new Promise(() => {})',
      'Runtime.ExitError',
      expect.any(String),
    ],
    [
      'takes more memory than it has',
      'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))',
      'Runtime.ExitError',
      expect.any(String),
    ],
  ])('%s has failed, and the next event is served', async (name, body, type, message) => {
    const { run } = pool(1, 64)
    expect(await run(code(`bad-${name.replaceAll(' ', '-')}`, body), {}, 30_000)).toEqual(failure(type, message))
    expect(await run(code('good', 'return "fine"'))).toBe('fine')
  })

  test('does not compile has failed', async () => {
    expect(await pool().run(code('syntax', ') nonsense ('))).toEqual(failure('SyntaxError', expect.any(String)))
  })

  test.each([
    ['waits', 'await new Promise(() => {})'],
    ['loops', 'for (;;) {}'],
    ['runs a hopeless pattern', 'return /^(a+)+$/.test("a".repeat(60) + "b")'],
  ])('%s is ended at its time-out', async (name, body) => {
    const { run } = pool(1)
    expect(await run(code(`slow-${name.replaceAll(' ', '-')}`, body), {}, 200)).toEqual(
      failure('Sandbox.Timedout', 'Task timed out after 0.20 seconds'),
    )
    expect(await run(code('good', 'return "fine"'))).toBe('fine')
  })

  test('runs can be made to crash, and only that one', async () => {
    const { run, crash } = pool(2)
    const [victim, other] = [
      code('victim', 'await new Promise(() => {})'),
      code('other', 'await new Promise(r => setTimeout(r, 200)); return 1'),
    ]
    const running = [run(victim), run(other)]
    await sleep(100)
    crash(victim)
    expect(await Promise.all(running)).toEqual([failure('Runtime.ExitError', 'Crashed on purpose'), 1])
  })

  test('writes is heard, in its order and before its outcome', async () => {
    const { run, logs } = pool()
    await run(code('talks', 'console.log("one"); console.error("two"); process.stdout.write("three\\n")'))
    expect(logs.join('')).toBe('one\ntwo\nthree\n')
  })

  test('writes is heard while it goes on', async () => {
    const { run, logs } = pool()
    const busy = run(code('goes on', 'console.log("one"); await new Promise(resolve => setTimeout(resolve, 1500))'))
    await expect.poll(() => logs, { timeout: 1000 }).toEqual(['one\n'])
    await busy
  })

  test.each(['process.exit(0)', 'setTimeout(() => { throw new Error("x") }); await new Promise(() => {})'])(
    'writes is heard when it ends by %s',
    async end => {
      const { run, logs } = pool()
      expect(await run(code('last words', `console.log("one"); ${end}`))).toHaveProperty('failure')
      expect(logs.join('')).toContain('one\n')
    },
  )
})

test('many functions share few sandboxes without growing for ever', async () => {
  const { run } = pool(2)
  const files = Array.from({ length: 250 }, (_, n) => code(`many-${n}`, `return ${n}`))
  const answers = await Promise.all([...files, ...files].map(file => run(file)))
  expect(answers).toEqual([...files, ...files].map((_, n) => n % 250))
})

test('long tasks leave room for others, as far as there may be more sandboxes, and none stays that is one too many', async () => {
  const { run } = pool(1, 64, { most: 2 })
  const waits = code('waits', 'await new Promise(resolve => setTimeout(resolve, event)); return "waited"')
  const thread = code('thread', 'return require("node:worker_threads").threadId')
  // The long one begins after the others have begun to wait.
  const short = run(waits, 1000)
  const long = run(waits, 9000)
  let isOver = false
  void long.then(() => {
    isOver = true
  })
  const [second, third] = await Promise.all([run(thread), run(thread)])
  expect([isOver, second]).toEqual([false, third])
  expect([await short, await long]).toEqual(['waited', 'waited'])
  // Both are idle: one has ended.
  const last = await Promise.all([run(thread), run(thread)])
  expect(new Set(last).size).toBe(1)
}, 20_000)

test('a closed pool takes nothing, and lets go of those who wait', async () => {
  const created = createPool({ size: 1, memory: 64 })
  const file = code('for-ever', 'await new Promise(() => {})')
  const context = { functionName: 'x', memoryLimitInMB: '1', awsRequestId: 'id', invokedFunctionArn: 'arn' }
  const task = { file, exported: 'handler', environment: {}, payload: '{}', context }
  const running = created.run(task, 10_000, () => {})
  const waiting = created.run(task, 10_000, () => {}).catch((error: Error) => error.message)
  await created.close()
  expect(await running).toEqual({ failure: expect.objectContaining({ errorType: 'Runtime.ExitError' }) })
  expect(await waiting).toBe('The local cloud is closing')
  await expect(created.run(task, 1000, () => {})).rejects.toThrow('closing')
})

test.each(['in a thread of its own', 'in the thread of its function'])(
  'a model that runs %s when its pool is closed, or its function times out, leaves the process alive',
  async way => {
    const source = (path: string) => JSON.stringify(new URL(`../../${path}`, import.meta.url).href)
    const models =
      way === 'in a thread of its own'
        ? `const { connectModels } = await import(${source('shared/jobs/worker/model-host.ts')})
           const { modelsBehind } = await import(${source('shared/jobs/worker/model-calls.ts')})
           const models = modelsBehind(await connectModels('/nowhere'))`
        : `const { classifierSources } = await import(${source('shared/models/shipped.ts')})
           const [models] = classifierSources('/nowhere', 1)`
    const reads = code(
      `reads ${way}`,
      `${models}
       const model = await models({ modelId: 'pii-ner', modelVersion: '1.0.0' })
       console.log('loaded')
       await model.detect(['Margaret Thompson was here. '.repeat(50_000)], { threshold: 0.5 })`,
    )
    const script = join(directory, 'closes.mjs')
    writeFileSync(
      script,
      `import { setTimeout as delay } from 'node:timers/promises'
       import { createPool } from ${source('local/runner/pool.ts')}
       const context = { functionName: 'reads', memoryLimitInMB: '1', awsRequestId: 'id', invokedFunctionArn: 'arn' }
       const task = { file: ${JSON.stringify(reads)}, exported: 'handler', environment: {}, payload: '{}', context }
       const closed = createPool({ size: 1, memory: 512 })
       const loaded = Promise.withResolvers()
       const run = closed.run(task, 60_000, loaded.resolve)
       await loaded.promise
       await delay(300)
       await closed.close()
       console.log((await run).failure.errorMessage)
       const pool = createPool({ size: 1, memory: 512 })
       console.log((await pool.run(task, 2500, () => {})).failure.errorMessage)
       await pool.close()`,
    )
    const { status, signal, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8', timeout: 60_000 })
    expect([status, signal]).toEqual([0, null])
    expect(stdout).toBe('The local cloud is closing\nTask timed out after 2.50 seconds\n')
  },
  70_000,
)
