import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { AUDIT_SHARDS, AuditEntry, type AuditHead } from '../shared/api/audit.ts'
import { ApiError, type Client, createClient, logIn } from '../shared/api/client.ts'
import { checkTrail } from '../shared/audit/chain.ts'

const usage = `Checks the audit trail: that no entry was removed or changed.

  npm run verify-audit -- [--url URL] [--from DAY] [--to DAY]   asks the service, as AUDIT_EMAIL with AUDIT_PASSWORD
                                                               or with the token AUDIT_TOKEN
  npm run verify-audit -- --export FILE                         reads an export of the table (lines of JSON)

Days are in UTC; without them the last seven are checked.`

const DAY_MS = 86_400_000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** What is to be checked: entries and, where the service tells them, the ends of the chains. */
export type Trail = { entries: AuditEntry[]; heads: AuditHead[] }

/** Reads the trail of some days from the service, the ends first: what comes meanwhile does not disturb. */
export async function readTrail(client: Client, from: string, to: string): Promise<Trail> {
  const heads = to >= dayOf(Date.now()) ? await patiently(() => client.audit.heads()) : []
  const entries: AuditEntry[] = []
  for (let time = Date.parse(from); dayOf(time) <= to; time += DAY_MS) {
    for (let shard = 0; shard < AUDIT_SHARDS; shard++) {
      const chain = await readChain(client, dayOf(time), shard)
      entries.push(...chain)
    }
  }
  // A chain that ends before these days has no entry in them.
  return { entries, heads: heads.filter(({ at }) => at.slice(0, 10) >= from) }
}

async function readChain(client: Client, day: string, shard: number): Promise<AuditEntry[]> {
  const chain: AuditEntry[] = []
  for (;;) {
    const from = (chain.at(-1)?.seq ?? 0) + 1
    const page = await patiently(() => client.audit.list({ body: { day, shard, from, limit: 1000 } }))
    chain.push(...page)
    if (page.length < 1000) return chain
  }
}

/** Waits where the service asks for it. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      const seconds = Number(error.headers.get('retry-after') ?? 1)
      await new Promise(resolve => setTimeout(resolve, seconds * 1000))
    }
  }
}

type Typed = { S?: string; N?: string; NULL?: true }
const plain = ({ S, N }: Typed) => S ?? (N === undefined ? null : Number(N))

/** Reads lines of JSON: entries as they are, or items as DynamoDB exports them. */
export function parseExport(text: string): Trail {
  const rows = text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const row = JSON.parse(line)
      const item = row.Item ? Object.fromEntries(Object.entries<Typed>(row.Item).map(([k, v]) => [k, plain(v)])) : row
      return item as Record<string, unknown>
    })
  const heads = rows.filter(row => row.pk === 'HEAD') as unknown as AuditHead[]
  return { heads, entries: rows.filter(row => row.pk !== 'HEAD').map(row => AuditEntry.parse(row)) }
}

async function connect(baseUrl: string): Promise<Client> {
  const { AUDIT_TOKEN: token, AUDIT_EMAIL: email, AUDIT_PASSWORD: password } = process.env
  if (token) return createClient({ baseUrl, token })
  if (email && password) return logIn({ baseUrl, email, password })
  throw new Error(usage)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      from: { type: 'string', default: dayOf(Date.now() - 6 * DAY_MS) },
      to: { type: 'string', default: dayOf(Date.now()) },
      export: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(usage)
  const trail = values.export
    ? parseExport(await readFile(values.export, 'utf8'))
    : await readTrail(await connect(values.url), values.from, values.to)
  const findings = checkTrail(trail.entries, trail.heads)
  for (const { shard, seq, msg } of findings) console.error(`Entry ${seq} of chain ${shard} ${msg}`)
  console.log(`${trail.entries.length} entries checked, ${findings.length} faults found`)
  if (findings.length > 0) process.exitCode = 1
}

if (import.meta.main) {
  await main().catch(error => {
    console.error(error instanceof ApiError || error.message === usage ? error.message : error)
    process.exitCode = 2
  })
}
