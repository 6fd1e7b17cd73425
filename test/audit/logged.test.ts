import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endsIn } from '../../local/audit/logged.ts'
import { auditEntry, certificateEntry } from '../../shared/transparency/entries.ts'
import type { Checkpoint } from '../../shared/transparency/note.ts'
import { consistencyPath, hashWithin, leafHash, levelsOf } from '../../shared/transparency/tree.ts'
import { isConsistent } from '../../verifier/tree.ts'
import { runs } from '../runs.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** Certificates of different jobs, and ends of chains of the audit trail among them. */
const entriesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, n) =>
    n % 3 === 2
      ? auditEntry({ shard: n % 16, seq: n, hash: hash(`${n}`) })
      : certificateEntry(`job ${n}`, Buffer.from(`certificate ${n}`)),
  )

const checkpointOf = (entries: readonly string[]): Checkpoint => ({
  origin: 'log',
  size: entries.length,
  root: hashWithin(levelsOf(entries.map(leafHash)), [0, entries.length]),
})

/** What the operator, who has the key, may do to the entries that a kept checkpoint stands for. */
const changes: Record<string, (entries: string[], at: number, other: number) => string[]> = {
  'a job is deleted': (entries, at) => entries.toSpliced(at, 1),
  'two are swapped': (entries, at, other) => entries.with(at, entries[other]!).with(other, entries[at]!),
  'one is repeated': (entries, at, other) => entries.toSpliced(other, 0, entries[at]!),
  'one is made anew': (entries, at) =>
    entries.with(at, certificateEntry(`job ${at}`, Buffer.from('another certificate'))),
  'the end is cut off': (entries, at) => entries.slice(0, at),
}

const bytes = (buffer: Uint8Array) => Uint8Array.from(buffer)

test.each(Object.entries(changes))('shows by an older checkpoint that %s', async (_, change) => {
  const size = fc.integer({ min: 2, max: 70 })
  const places = fc.tuple(size, fc.nat(), fc.nat(), fc.nat({ max: 30 }))
  await fc.assert(
    fc.asyncProperty(places, async ([count, first, second, more]) => {
      const before = entriesOf(count)
      const at = first % count
      const other = (at + 1 + (second % (count - 1))) % count
      const kept = checkpointOf(before)
      const after = [...change(before, at, other), ...entriesOf(count + more).slice(count)]
      const newest = checkpointOf(after)
      expect(() => endsIn(after, kept, newest)).toThrow('was changed')
      // Nor does any proof that can be made of the new log lead from the older checkpoint to the newest one.
      if (newest.size < kept.size) return
      const levels = levelsOf(after.map(leafHash))
      const path = consistencyPath(kept.size, newest.size).map(range => bytes(hashWithin(levels, range)))
      const [older, newer] = [kept, newest].map(({ size, root }) => [size, bytes(root)] as const)
      expect(await isConsistent(older!, newer!, path)).toBe(false)
    }),
    { numRuns: runs(500) },
  )
})

test('reads the ends of chains from a log that only grew', () => {
  const entries = entriesOf(40)
  for (const size of [1, 17, 40]) {
    const ends = endsIn(entries, checkpointOf(entries.slice(0, size)), checkpointOf(entries))
    expect(ends.map(({ seq }) => seq)).toEqual([2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38])
  }
})

test('shows that a job was certified again, or an entry added twice, after the checkpoint was kept', () => {
  const entries = entriesOf(10)
  const kept = checkpointOf(entries)
  for (const again of [entries[3]!, certificateEntry('job 3', Buffer.from('another'))]) {
    const grown = [...entries, again]
    expect(() => endsIn(grown, kept, checkpointOf(grown))).toThrow(
      'Entries 3 and 10 of the log are certificates of the same job',
    )
  }
})

test('takes no entries that the newest checkpoint does not stand for', () => {
  const entries = entriesOf(10)
  const kept = checkpointOf(entries.slice(0, 4))
  for (const newest of [kept, checkpointOf(entriesOf(11)), { ...checkpointOf(entries), root: Buffer.alloc(32) }])
    expect(() => endsIn(entries, kept, newest)).toThrow('not those of its checkpoint')
})
