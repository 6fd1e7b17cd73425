import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProblemType, problems } from '../../shared/api/problems.ts'
import { deployed } from './deployed.ts'
import { ofPeople } from './error-cases/people.ts'
import { ofRecords } from './error-cases/records.ts'
import { ofFailures, ofRequests } from './error-cases/requests.ts'
import { ofSignOns } from './error-cases/sign-on.ts'
import { ofSources } from './error-cases/sources.ts'
import { type Provocation, type Stage, startStage } from './error-cases/stage.ts'
import type { Reply } from './setup.ts'

let stage: Stage
/** What was begun while others are provoked. */
const begun = new Map<ProblemType, Promise<Reply>>()
beforeAll(async () => {
  stage = await startStage()
  for (const type of slow) {
    const reply = provocations[type](stage)
    // The test that waits for it tells why it failed.
    reply.catch(() => {})
    begun.set(type, reply)
  }
})
afterAll(() => stage?.stop())

/** One request for every type of the table; the compiler misses none. */
const provocations: Record<ProblemType, Provocation> = {
  ...ofPeople,
  ...ofSignOns,
  ...ofRequests,
  ...ofRecords,
  ...ofSources,
  ...ofFailures,
}

/** Those that occur only after a long wait: they are provoked first, and disturb nothing that another needs. */
const slow: ProblemType[] = ['source_timeout', 'unavailable', 'gateway_timeout']
const types = Object.keys(provocations) as ProblemType[]

async function occurs(type: ProblemType): Promise<void> {
  const reply = await (begun.get(type) ?? provocations[type](stage))
  const { detail } = reply.body as { detail: { type: string; msg: string; loc: string[] }[] }
  expect([detail[0]?.type, reply.status]).toEqual([type, problems[type][0]])
  for (const { loc, msg } of detail) expect([Array.isArray(loc), msg.length > 0]).toEqual([true, true])
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
}

// Many need faults, or settings of their own.
describe.skipIf(deployed)('an error', () => {
  test.each([...types.filter(type => !slow.includes(type)), ...slow])('%s occurs, with the status of the table', occurs)
})
