import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { breach, operations, requestsOf } from '../test/api/fuzz.ts'
import { make } from '../test/api/requests.ts'
import { startService } from '../test/api/setup.ts'

/** Requests sent to each endpoint. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 100)

const files = mkdtempSync(join(tmpdir(), 'fuzz-'))
const service = await startService({ environment: { LOCAL_ASSET_ROOT: files } })
const { admin } = service
const parameters = ['rule_id', 'workflow_id', 'job_id', 'asset_id', 'source_id', 'user_id', 'role_id'] as const
const known: string[] = []
for (const parameter of parameters) known.push(await make(service, admin, parameter))

console.log(`${RUNS} requests to each endpoint, made from the OpenAPI document by fast-check\n`)
console.log('| endpoint | answers by status | breaches |\n|---|---|---|')
let breaches = 0
// Ending one's own session would turn all that follows into refusals.
for (const operation of operations.filter(({ path }) => path !== '/auth/logout')) {
  const statuses = new Map<number, number>()
  const found: string[] = []
  const requests = fc.sample(requestsOf(operation, known), { numRuns: RUNS, seed: 20_261_120 })
  for (const { path, sending } of requests) {
    const reply = await service.send(operation.method, path, { token: admin.token, ...sending })
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    const wrong = breach(operation, reply)
    if (wrong) found.push(`${operation.method} ${path}: ${wrong}`)
  }
  breaches += found.length
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`)
  console.log(`| \`${operation.method} ${operation.path}\` | ${counts.join(', ')} | ${found.length} |`)
  for (const one of found.slice(0, 3)) console.error(one)
}
console.log(`\n${breaches} breaches`)
await service.stop()
rmSync(files, { recursive: true, force: true })
process.exitCode = breaches > 0 ? 1 : 0
