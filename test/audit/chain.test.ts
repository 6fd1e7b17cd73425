import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../shared/api/audit.ts'
import { checkTrail, genesis, hashOf } from '../../shared/audit/chain.ts'

/** A sound chain of so many entries. */
function chainOf(length: number, shard = 3): AuditEntry[] {
  const entries: AuditEntry[] = []
  for (let seq = 1; seq <= length; seq++) {
    const draft = {
      shard,
      seq,
      at: `2026-11-20T09:00:00.${String(seq).padStart(3, '0')}Z`,
      requestId: randomUUID(),
      userId: seq % 2 ? randomUUID() : null,
      operation: 'POST /rules/',
      recordId: null,
      address: '192.0.2.1',
      outcome: 'done' as const,
      status: 200,
      problem: null,
      previous: entries.at(-1)?.hash ?? genesis(shard),
    }
    entries.push({ ...draft, hash: hashOf(draft) })
  }
  return entries
}
const endOf = (entries: AuditEntry[]) => {
  const { shard, seq, at, hash } = entries.at(-1)!
  return [{ shard, seq, at, hash }]
}

describe('a sound trail', () => {
  test('passes, in any order, from any number on, and with entries that came after its ends were read', () => {
    const chain = chainOf(20)
    expect(checkTrail(chain.toReversed(), endOf(chain))).toEqual([])
    expect(checkTrail(chain.slice(7), endOf(chain))).toEqual([])
    expect(checkTrail(chain, endOf(chain.slice(0, 15)))).toEqual([])
    expect(checkTrail([...chain, ...chainOf(5, 9)], endOf(chain))).toEqual([])
    expect(checkTrail([], [])).toEqual([])
  })
})

describe('a trail that was tampered with', () => {
  test('fails when any entry is removed, the last ones too', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 30 }), fc.nat(), (length, at) => {
        const chain = chainOf(length)
        const removed = at % length
        const findings = checkTrail(chain.toSpliced(removed, 1), endOf(chain))
        // Without what came before it, the first one may have been archived.
        if (removed > 0) expect(findings).toEqual([{ shard: 3, seq: removed + 1, msg: 'was removed' }])
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['at', '2026-11-20T10:00:00.000Z'],
    ['requestId', 'another'],
    ['userId', '00000000-0000-4000-8000-000000000000'],
    ['operation', 'GET /'],
    ['recordId', '00000000-0000-4000-8000-000000000000'],
    ['address', '198.51.100.1'],
    ['outcome', 'refused'],
    ['status', 403],
    ['problem', 'permission_denied'],
    ['previous', 'f'.repeat(64)],
    ['hash', 'f'.repeat(64)],
    ['seq', 999],
  ])('fails when %s of an entry is changed', (field, value) => {
    for (const at of [0, 4, 9]) {
      const chain = chainOf(10)
      const changed = chain.with(at, { ...chain[at]!, [field]: value } as AuditEntry)
      expect(checkTrail(changed, endOf(chain)).length).toBeGreaterThan(0)
    }
  })

  test('fails when a changed entry was given its right hash again', () => {
    const chain = chainOf(10)
    const draft = { ...chain[4]!, status: 403 }
    const forged = chain.with(4, { ...draft, hash: hashOf(draft) })
    expect(checkTrail(forged, endOf(chain))).toContainEqual({
      shard: 3,
      seq: 6,
      msg: 'does not follow the entry before it',
    })
    const last = { ...chain[9]!, status: 403 }
    const end = chain.with(9, { ...last, hash: hashOf(last) })
    expect(checkTrail(end, endOf(chain))).toEqual([{ shard: 3, seq: 10, msg: 'is not the one that was written' }])
  })

  test('fails when an entry stands there twice', () => {
    const chain = chainOf(5)
    expect(checkTrail([...chain, chain[2]!])).toContainEqual({ shard: 3, seq: 3, msg: 'stands there twice' })
  })
})
