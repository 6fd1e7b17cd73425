import fc from 'fast-check'
import { expect, test } from 'vitest'
import { breach, operations, requestsOf } from './fuzz.ts'
import { make } from './requests.ts'
import { useOwnService } from './setup.ts'

const service = await useOwnService()
const { admin } = service
const known: string[] = []
const parameters = ['rule_id', 'workflow_id', 'job_id', 'asset_id', 'source_id', 'user_id', 'role_id'] as const
for (const parameter of parameters) known.push(await make(service, admin, parameter))

const runs = Number(process.env.FUZZ_RUNS ?? 5)

// Ending one's own session would turn all that follows into refusals.
const fuzzed = operations.filter(({ path }) => path !== '/auth/logout')
test.each(fuzzed)('$method $path neither fails nor breaks the document, whatever it is sent', async operation => {
  await fc.assert(
    fc.asyncProperty(requestsOf(operation, known), async ({ path, sending }) => {
      const reply = await service.send(operation.method, path, { token: admin.token, ...sending })
      const found = breach(operation, reply)
      if (found) expect.fail(`${operation.method} ${path}: ${found}: ${reply.text.slice(0, 300)}`)
    }),
    { numRuns: runs, endOnFailure: true },
  )
})
