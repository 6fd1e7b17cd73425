import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../shared/api/audit.ts'
import { type Checks, checkTrail, genesis, hashOf, signed } from '../../shared/audit/chain.ts'

const { privateKey, publicKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** An entry with its hash and the service's signature. */
function sealed(draft: Omit<AuditEntry, 'hash' | 'signature'>): AuditEntry {
  const hash = hashOf(draft)
  return { ...draft, hash, signature: sign('sha256', signed({ ...draft, hash }), privateKey).toString('base64') }
}

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
      subject: seq % 3 ? null : 'a fingerprint',
      outcome: 'done' as const,
      status: 200,
      problem: null,
      previous: entries.at(-1)?.hash ?? genesis(shard),
    }
    entries.push(sealed(draft))
  }
  return entries
}
const headOf = (entries: AuditEntry[]) => {
  const { shard, seq, at, hash, signature } = entries.at(-1)!
  return { shard, seq, at, hash, signature, since: entries[0]!.at }
}
const endOf = (...chains: AuditEntry[][]): Checks => ({ heads: chains.map(headOf), key })

describe('a sound trail', () => {
  test('passes, in any order, from a day on, and with entries that came after its ends were read', () => {
    const [chain, other] = [chainOf(20), chainOf(5, 9)]
    expect(checkTrail(chain.toReversed(), endOf(chain))).toEqual([])
    expect(checkTrail(chain.slice(7), { ...endOf(chain), from: '2026-11-20' })).toEqual([])
    expect(checkTrail(chain, endOf(chain.slice(0, 15)))).toEqual([])
    expect(checkTrail([...chain, ...other], endOf(chain, other))).toEqual([])
    expect(checkTrail([], { heads: [], key })).toEqual([])
  })

  test('passes against ends that were kept earlier, though none of its entries lies in the days that are checked', () => {
    const chain = chainOf(20)
    const anchored = [headOf(chain.slice(0, 12))]
    expect(checkTrail(chain, { ...endOf(chain), anchored })).toEqual([])
    expect(checkTrail([], { ...endOf(chain), anchored, from: '2026-11-21' })).toEqual([])
  })

  test('passes without signatures up to the time when they began, and in its order only', () => {
    const [old, since] = [chainOf(20), '2026-11-20T09:00:00.011Z']
    const chain = old.map((entry, n) => (n < 10 ? { ...entry, signature: null } : entry))
    expect(checkTrail(chain, { ...endOf(chain), unsignedBefore: since })).toEqual([])
    expect(checkTrail(chain, endOf(chain))).toHaveLength(10)
    const changed = { ...chain[3]!, status: 403 }
    const rewritten = chain.with(3, { ...changed, hash: hashOf(changed) })
    expect(checkTrail(rewritten, { ...endOf(chain), unsignedBefore: since })).toHaveLength(1)
  })
})

describe('a trail that was tampered with', () => {
  test('fails when any entry is removed, the last ones too', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 30 }), fc.nat(), (length, at) => {
        const chain = chainOf(length)
        const removed = at % length
        const findings = checkTrail(chain.toSpliced(removed, 1), endOf(chain))
        expect(findings).toEqual([{ shard: 3, seq: removed + 1, msg: 'was removed' }])
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
    ['signature', 'MEUCIQ=='],
    ['signature', null],
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
    const unsigned = { shard: 3, seq: 10, msg: 'was not signed by the service' }
    expect(checkTrail(end, endOf(chain))).toEqual([
      unsigned,
      { shard: 3, seq: 10, msg: 'is not the one that was written' },
    ])
    // Also when the end of the chain was written anew with it.
    expect(checkTrail(end, endOf(end))).toEqual([unsigned])
  })

  test('fails when an entry stands there twice', () => {
    const chain = chainOf(5)
    expect(checkTrail([...chain, chain[2]!], {})).toContainEqual({ shard: 3, seq: 3, msg: 'stands there twice' })
  })

  test('fails when its signature is that of another place', () => {
    const chain = chainOf(5)
    const moved = { ...headOf(chain), seq: 4 }
    expect(checkTrail([], { heads: [moved], key, from: '2026-11-21' })).toEqual([
      { shard: 3, seq: 4, msg: 'was not signed by the service' },
    ])
  })

  test('fails against ends that were kept earlier when entries, or all of them, are gone or others stand there', () => {
    const [chain, other] = [chainOf(20), chainOf(20)]
    const anchored = [headOf(chain.slice(0, 12))]
    const cut = chain.slice(0, 8)
    const gone = (seq: number) => [{ shard: 3, seq, msg: 'was removed since the anchor was made' }]
    expect(checkTrail(cut, { ...endOf(cut), anchored })).toEqual(gone(9))
    expect(checkTrail([], { heads: [], key, anchored })).toEqual(gone(1))
    expect(checkTrail(other, { ...endOf(other), anchored })).toEqual([
      { shard: 3, seq: 12, msg: 'is not the one that the anchor holds' },
    ])
  })
})

describe('the log of what once ended a chain', () => {
  const chain = chainOf(20)
  const cut = chain.slice(0, 12)
  const logged = [5, 15].map(seq => chain[seq - 1]!)

  test('shows a chain that was cut together with its end, which nothing else does', () => {
    expect(checkTrail(chain, { ...endOf(chain), logged })).toEqual([])
    expect(checkTrail(cut, endOf(cut))).toEqual([])
    expect(checkTrail(cut, { ...endOf(cut), logged })).toEqual([
      { shard: 3, seq: 15, msg: 'is in the log and was removed' },
    ])
  })

  test('shows a chain that was removed, and all of them', () => {
    const other = chainOf(4, 9)
    const removed = logged.map(({ shard, seq }) => ({ shard, seq, msg: 'is in the log and was removed' }))
    expect(checkTrail(other, { ...endOf(other), logged })).toEqual(removed)
    expect(checkTrail([], { heads: [], key, logged })).toEqual(removed)
  })

  test('shows a chain that somebody with the key has written anew', () => {
    const anew = chainOf(20)
    expect(checkTrail(anew, endOf(anew))).toEqual([])
    const changed = logged.map(({ shard, seq }) => ({ shard, seq, msg: 'is not the one that the log holds' }))
    expect(checkTrail(anew, { ...endOf(anew), logged })).toEqual(changed)
  })
})
