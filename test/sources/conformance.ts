import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SourceProblem } from '../../shared/api/source-problems.ts'
import { egressPolicy } from '../../shared/sources/addresses.ts'
import { defaultLimits, type Opened } from '../../shared/sources/connector.ts'
import { guardedDial } from '../../shared/sources/egress.ts'
import {
  checkSource,
  locateInSource,
  openFromSource,
  previewEntry,
  previewSource,
  type Source,
} from '../../shared/sources/sources.ts'
import { bytesOf, localContext } from './context.ts'
import { freePort } from './servers/process.ts'
import { type Relay, startRelay } from './servers/relay.ts'

/** A source on a running server, with what it is known to hold. */
export type Subject = {
  source: Source
  /** Port of the server, which the suite puts its relay in front of. */
  port: number
  /** The same source at another port. */
  at(port: number): Source
  /** Changes of the source that must fail with this problem. */
  failures: Partial<Record<string, { source: Source; problem: SourceProblem | SourceProblem[] }>>
  /** An entry and all its bytes, as text. */
  small: { name: string; text: string }
  /** An entry of at least 8 MB. */
  large: string
  /** An entry that the credentials may not read, and what is answered. */
  denied?: { name: string; problem: SourceProblem }
  /** At least four entries of the root (or of `path`), in order of name. */
  entries: { path?: string; names: string[] }
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

/** The suite that every connector with a server passes. */
export function conformance(title: string, runs: boolean, begin: () => Promise<Subject>) {
  describe.skipIf(!runs)(title, () => {
    let subject: Subject
    let relay: Relay
    beforeAll(async () => {
      subject = await begin()
      relay = await startRelay(subject.port)
    })
    afterAll(async () => {
      await relay?.close()
      await subject?.stop()
    })
    const opens = async (source: Source, name: string, context = localContext()) =>
      bytesOf((await openFromSource(source, context, name)).body)

    test('a good connection passes all four stages', async () => {
      const report = await checkSource(subject.source, localContext())
      expect(report.checks.map(({ name, ok }) => [name, ok])).toEqual([
        ['connect', true],
        ['encryption', true],
        ['login', true],
        ['read', true],
      ])
      expect(report).toMatchObject({ ok: true, latencyMs: expect.any(Number) })
    })

    test('bad settings fail with their problem, at once and without a secret in the answer', async () => {
      for (const [what, failure] of Object.entries(subject.failures)) {
        const report = await checkSource(failure!.source, localContext())
        expect([what, report.ok]).toEqual([what, false])
        expect([failure!.problem].flat(), what).toContain(report.problem)
        expect(report.checks.at(-1)!.ok).toBe(false)
        for (const secret of Object.values(failure!.source.secrets))
          expect(JSON.stringify(report)).not.toContain(secret.slice(0, 40))
      }
    })

    test('a closed port is unreachable', async () => {
      const report = await checkSource(subject.at(await freePort()), localContext())
      expect(report).toMatchObject({ ok: false, problem: 'source_unreachable' })
    })

    test('a server that never answers is given up', async () => {
      relay.mute = true
      const limits = { ...defaultLimits, idleMs: 400 }
      const report = await checkSource(subject.at(relay.port), localContext({ limits })).finally(() => {
        relay.mute = false
      })
      expect(report).toMatchObject({ ok: false, problem: 'source_timeout' })
    })

    test('an address that the operator does not allow is refused', async () => {
      const report = await checkSource(subject.source, localContext({ dial: guardedDial(egressPolicy('')) }))
      expect(report).toMatchObject({ ok: false, problem: 'source_egress_denied' })
      expect(report.checks).toHaveLength(1)
    })

    test('the preview pages through all entries in order, each once', async () => {
      const names: string[] = []
      let cursor: string | undefined
      do {
        const page = await previewSource(subject.source, localContext(), {
          path: subject.entries.path,
          cursor,
          limit: 2,
        })
        expect(page.entries.length).toBeLessThanOrEqual(2)
        names.push(...page.entries.map(({ name }) => name))
        cursor = page.cursor
      } while (cursor)
      expect(names).toEqual(subject.entries.names)
    })

    test('names are located in their order, absent ones as absent', async () => {
      const entries = await locateInSource(subject.source, localContext(), [
        subject.small.name,
        'no.such',
        subject.large,
      ])
      expect(entries.map(entry => entry?.name)).toEqual([subject.small.name, undefined, subject.large])
      expect((await previewEntry(subject.source, localContext(), subject.small.name)).entry.name).toBe(
        subject.small.name,
      )
    })

    test('an entry is read exactly', async () => {
      expect((await opens(subject.source, subject.small.name)).toString()).toBe(subject.small.text)
    })

    test.each(['no.such', '../no.such', 'a/../../etc/passwd', 'no\u0000such', '"', '.', 'x/./y'])(
      'the name %j is answered as not found',
      async name => {
        await expect(opens(subject.source, name)).rejects.toMatchObject({ type: 'source_not_found' })
      },
    )

    test('what the credentials may not read is refused', async context => {
      if (!subject.denied) return context.skip('every entry of this kind of source is readable or invisible')
      await expect(opens(subject.source, subject.denied.name)).rejects.toMatchObject({ type: subject.denied.problem })
    })

    test('a connection that breaks off while reading is a failure, never a short file', async () => {
      relay.cutAfter = 3_000_000
      const reading = subject.breakOff
        ? broken(await openFromSource(subject.source, localContext(), subject.large), subject.breakOff)
        : opens(subject.at(relay.port), subject.large).then(bytes => bytes.length)
      await expect(reading).rejects.toMatchObject({ type: 'source_connection_lost', retryable: true })
      relay.cutAfter = undefined
      expect((await opens(subject.at(relay.port), subject.large)).length).toBeGreaterThan(8_000_000)
    })

    test('a cancelled read ends at once', async () => {
      const controller = new AbortController()
      const context = localContext({ signal: controller.signal })
      const { body } = await openFromSource(subject.source, context, subject.large)
      await expect(
        (async () => {
          for await (const _ of body) controller.abort()
        })(),
      ).rejects.toMatchObject({ name: 'AbortError' })
      expect(body.destroyed).toBe(true)
    })

    test('an entry larger than the limit is refused', async () => {
      const context = localContext({ limits: { ...defaultLimits, bytes: 1_000_000 } })
      await expect(opens(subject.source, subject.large, context)).rejects.toMatchObject({
        type: 'source_limit_exceeded',
      })
    })
  })
}
