import { describe, expect, test } from 'vitest'
import { nextTime } from '../../shared/schedules/timing.ts'

/** The next times of a schedule from an instant on, as ISO 8601 without seconds. */
function times(cron: string, timezone: string, from: string, count: number): string[] {
  const found: string[] = []
  for (let at: Date | undefined = new Date(`${from}:00Z`); found.length < count; ) {
    at = nextTime({ cron, rate: null, timezone, createdAt: '2026-01-01T00:00:00.000Z' }, at)
    if (!at) break
    found.push(at.toISOString().slice(0, 16))
  }
  return found
}

describe('cron', () => {
  test.each([
    // Berlin skips 02:00 to 03:00 on 29 March 2026 and has it twice on 25 October.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00', ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00', ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']],
    // New York, on 8 March and on 1 November.
    ['30 2 * * *', 'America/New_York', '2026-03-07T12:00', ['2026-03-08T07:00', '2026-03-09T06:30']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:00', ['2026-11-01T05:30', '2026-11-02T06:30']],
    // Half an hour, on Lord Howe Island.
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00', ['2026-10-03T15:30', '2026-10-04T15:15']],
    ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00', ['2026-04-04T14:45', '2026-04-05T15:15']],
  ])('%s in %s comes once on the days when the clocks change', (cron, timezone, from, expected) => {
    expect(times(cron, timezone, from, expected.length)).toEqual(expected)
  })

  test('that runs every hour follows real time through both changes', () => {
    const hours = (day: string, first: number) => [0, 1, 2, 3].map(n => `${day}T0${first + n}:00`)
    expect(times('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30', 4)).toEqual(hours('2026-10-25', 0))
    expect(times('0 * * * *', 'Europe/Berlin', '2026-03-28T23:30', 4)).toEqual(hours('2026-03-29', 0))
  })

  test('that never comes has no next time, and one that says nothing is an error', () => {
    expect(times('0 0 30 2 *', 'UTC', '2026-01-01T00:00', 1)).toEqual([])
    expect(() => times('61 * * * *', 'UTC', '2026-01-01T00:00', 1)).toThrow(SyntaxError)
    expect(() => times('every night at two o’clock', 'UTC', '2026-01-01T00:00', 1)).toThrow(SyntaxError)
  })
})

test.each([
  ['5 minutes', '2026-03-29T00:02', '2026-03-29T00:05'],
  ['1 minute', '2026-03-29T00:05', '2026-03-29T00:06'],
  ['6 hours', '2026-03-29T00:59', '2026-03-29T06:00'],
  ['2 days', '2026-03-01T00:00', '2026-03-02T00:00'],
])('%s counts from the creation, in any time zone', (rate, from, expected) => {
  const timing = { cron: null, rate, timezone: 'Europe/Berlin', createdAt: '2026-01-01T00:00:00.000Z' }
  expect(
    nextTime(timing, new Date(`${from}:00Z`))
      ?.toISOString()
      .slice(0, 16),
  ).toBe(expected)
})
