import { expect, test } from 'vitest'
import { asOf, type ReidentificationRecord } from '../../shared/store/reidentifications.ts'

const now = Date.parse('2026-11-20T09:00:00Z')
const record = (status: ReidentificationRecord['status'], expiresAt: string) =>
  ({ status, expiresAt }) as ReidentificationRecord

test.each([
  ['PENDING', '2026-11-20T09:00:01Z', 'PENDING'],
  ['PENDING', '2026-11-20T09:00:00Z', 'EXPIRED'],
  ['APPROVED', '2026-11-20T09:00:01Z', 'APPROVED'],
  ['APPROVED', '2026-11-20T08:59:59Z', 'EXPIRED'],
  ['OPENED', '2026-11-20T08:00:00Z', 'OPENED'],
  ['REJECTED', '2026-11-20T08:00:00Z', 'REJECTED'],
] as const)('a request that was %s until %s is %s', (status, expiresAt, expected) => {
  expect(asOf(record(status, expiresAt), now).status).toBe(expected)
})
