import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SourceProblem } from '../../shared/api/source-problems.ts'
import { egressPolicy } from '../../shared/sources/addresses.ts'
import { defaultLimits, type Opened, type SourceContext } from '../../shared/sources/connector.ts'
import { guardedDial } from '../../shared/sources/egress.ts'
import {
  checkSource,
  locateInSource,
  openFromSource,
  previewEntry,
  previewSource,
  type Source,
} from '../../shared/sources/sources.ts'
import { type Case, type RowName, rows } from './cells.ts'
import { bytesOf, localContext } from './context.ts'
import { row } from './row.ts'
import { freePort } from './servers/process.ts'
import { type Relay, startRelay } from './servers/relay.ts'

/** A source that must fail, and with what. */
type Failure = { source: Source; problem: SourceProblem | SourceProblem[]; context?: Partial<SourceContext> }

/** A source on a running server, with what it is known to hold. */
export type Subject = {
  source: Source
  /** Changes of the context that this source always needs. */
  context?: Partial<SourceContext>
  /** Port of the server, which the suite puts its relay in front of; on this machine unless there is a host. */
  port: number
  host?: string
  /** The same source at another port. */
  at(port: number): { source: Source; context?: Partial<SourceContext> }
  /** The cases of the table that are failures of a connection test. */
  cells: Partial<Record<Case, Failure>>
  /** Further changes of the source that must fail with this problem. */
  failures?: Partial<Record<string, Failure>>
  /** An entry and, where they are known, all its bytes as text. */
  small: { name: string; text?: string }
  /** An entry of at least 8 MB; without it reading is neither broken off nor cancelled. */
  large?: string
  /** An entry that the credentials may not read, and what is answered: the case of no permission unless `cells` has it. */
  denied?: { name: string; problem: SourceProblem }
  /** At least four entries of the root (or of `path`), in order of name, where they are known. */
  entries?: { path?: string; names: string[] }
  /** Ends what serves a read that has begun, for servers whose data does not pass the relay. */
  breakOff?(): void
  stop(): Promise<void>
}

/** Reads on after the connection has been broken; gives the bytes that came. */
async function broken({ body }: Opened, breakOff: () => void) {
  let bytes = 0
  for await (const chunk of body) {
    if (!bytes) breakOff()
    bytes += chunk.length
  }
  return bytes
}

/** The suite that every connector with a server passes, and its row of the table. */
export function conformance(
  name: RowName,
  runs: boolean,
  begin: () => Promise<Subject>,
  { on = rows[name].on as string, less = {} as Partial<Record<Case, string>> } = {},
) {
  const { cell, complete, untried } = row(name, less)
  describe.skipIf(!runs)(`${name}, on ${on}`, () => {
    let subject: Subject
    let relay: Relay
    beforeAll(async () => {
      subject = await begin()
      relay = await startRelay(subject.port, subject.host)
    })
    afterAll(async () => {
      await relay?.close()
      await subject?.stop()
    })
    const context = (changes: Partial<SourceContext> = {}) => localContext({ ...subject.context, ...changes })
    const opens = async (entry: string, { source, context: own }: ReturnType<Subject['at']> = subject, changes = {}) =>
      bytesOf((await openFromSource(source, context({ ...own, ...changes }), entry)).body)
    const check = ({ source, context: own }: ReturnType<Subject['at']>, changes: Partial<SourceContext> = {}) =>
      checkSource(source, context({ ...own, ...changes }))

    async function fails(what: string, failure: Failure | undefined) {
      if (!failure) throw new Error(`${name} has no source for the case: ${what}`)
      const report = await check(failure)
      expect([what, report.ok]).toEqual([what, false])
      expect([failure.problem].flat(), what).toContain(report.problem)
      expect(report.checks.at(-1)!.ok).toBe(false)
      for (const secret of Object.values(failure.source.secrets))
        expect(JSON.stringify(report)).not.toContain(secret.slice(0, 40))
    }

    cell('good', async () => {
      const report = await check(subject)
      expect(report.checks.map(({ name, ok }) => [name, ok])).toEqual([
        ['connect', true],
        ['encryption', true],
        ['login', true],
        ['read', true],
      ])
      expect(report).toMatchObject({ ok: true, latencyMs: expect.any(Number) })
      const text = (await opens(subject.small.name)).toString()
      expect(text).toBe(subject.small.text ?? (await opens(subject.small.name)).toString())
    })

    for (const which of ['wrong password', 'nothing there', 'untrusted TLS', 'another identity'] as const)
      if (untried[which] === undefined) cell(which, () => fails(which, subject.cells[which]))

    if (untried['no permission'] === undefined)
      cell('no permission', async () => {
        if (subject.cells['no permission']) return fails('no permission', subject.cells['no permission'])
        await expect(opens(subject.denied!.name)).rejects.toMatchObject({ type: subject.denied!.problem })
      })

    test('other bad settings fail with their problem, at once and without a secret in the answer', async () => {
      for (const [what, failure] of Object.entries(subject.failures ?? {})) await fails(what, failure)
    })

    cell('refused', async () => {
      expect(await check(subject.at(await freePort()))).toMatchObject({ ok: false, problem: 'source_unreachable' })
    })

    cell('time-out', async () => {
      relay.mute = true
      const limits = { ...defaultLimits, idleMs: 400 }
      const report = await check(subject.at(relay.port), { limits }).finally(() => {
        relay.mute = false
      })
      expect(report).toMatchObject({ ok: false, problem: 'source_timeout' })
    })

    test('an address that the operator does not allow is refused', async () => {
      const dial = guardedDial(egressPolicy(''), { lookup: async () => ['127.0.0.1'] })
      const report = await check(subject, { dial })
      expect(report).toMatchObject({ ok: false, problem: 'source_egress_denied' })
      expect(report.checks).toHaveLength(1)
    })

    test('the preview pages through all entries in order, each once', async () => {
      const names: string[] = []
      let cursor: string | undefined
      do {
        const page = await previewSource(subject.source, context(), {
          path: subject.entries?.path,
          cursor,
          limit: 2,
        })
        expect(page.entries.length).toBeLessThanOrEqual(2)
        names.push(...page.entries.map(({ name }) => name))
        cursor = page.cursor
      } while (cursor && (subject.entries || names.length < 20))
      expect(names).toEqual(subject.entries?.names ?? [...new Set(names)])
    })

    test('names are located in their order, absent ones as absent', async () => {
      const entries = await locateInSource(subject.source, context(), [
        subject.small.name,
        'no.such',
        subject.large ?? subject.small.name,
      ])
      expect(entries.map(entry => entry?.name)).toEqual([
        subject.small.name,
        undefined,
        subject.large ?? subject.small.name,
      ])
      expect((await previewEntry(subject.source, context(), subject.small.name)).entry.name).toBe(subject.small.name)
    })

    test.each(['no.such', '../no.such', 'a/../../etc/passwd', 'no\u0000such', '"', '.', 'x/./y'])(
      'the name %j is answered as not found',
      async name => {
        await expect(opens(name)).rejects.toMatchObject({ type: 'source_not_found' })
      },
    )

    if (untried['lost while reading'] === undefined)
      cell('lost while reading', async () => {
        relay.cutAfter = 3_000_000
        const reading = subject.breakOff
          ? broken(await openFromSource(subject.source, context(), subject.large!), subject.breakOff)
          : opens(subject.large!, subject.at(relay.port)).then(bytes => bytes.length)
        await expect(reading).rejects.toMatchObject({ type: 'source_connection_lost', retryable: true })
        relay.cutAfter = undefined
        expect((await opens(subject.large!, subject.at(relay.port))).length).toBeGreaterThan(8_000_000)
      })

    if (untried.cancelled === undefined)
      cell('cancelled', async () => {
        const controller = new AbortController()
        const { body } = await openFromSource(subject.source, context({ signal: controller.signal }), subject.large!)
        await expect(
          (async () => {
            for await (const _ of body) controller.abort()
          })(),
        ).rejects.toMatchObject({ name: 'AbortError' })
        expect(body.destroyed).toBe(true)
      })

    test('an entry larger than the limit is refused', async () => {
      const limits = { ...defaultLimits, bytes: subject.large === undefined ? 1 : 1_000_000 }
      await expect(opens(subject.large ?? subject.small.name, subject, { limits })).rejects.toMatchObject({
        type: 'source_limit_exceeded',
      })
    })
    complete()
  })
}
