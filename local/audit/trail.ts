import { AUDIT_SHARDS, AuditEntry, AuditHead } from '../../shared/api/audit.ts'
import { ApiError, type Client } from '../../shared/api/client.ts'

const DAY_MS = 86_400_000

/** The day of a time, in UTC. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Where the chains end, and the public key that entries are checked with, as the service tells them. */
export const readHeads = (client: Client): Promise<AuditHead[]> => patiently(() => client.audit.heads())
export const readKey = async (client: Client): Promise<string> => (await patiently(() => client.audit.key())).publicKey

/** Reads the entries of some days from the service, a chain at a time. */
export async function* readChains(client: Client, from: string, to: string): AsyncGenerator<[number, AuditEntry[]]> {
  for (let shard = 0; shard < AUDIT_SHARDS; shard++) {
    const chain: AuditEntry[] = []
    for (let time = Date.parse(from); dayOf(time) <= to; time += DAY_MS) {
      chain.push(...(await readDay(client, dayOf(time), shard)))
    }
    yield [shard, chain]
  }
}

async function readDay(client: Client, day: string, shard: number): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (;;) {
    const from = (entries.at(-1)?.seq ?? 0) + 1
    const page = await patiently(() => client.audit.list({ body: { day, shard, from, limit: 1000 } }))
    entries.push(...page)
    if (page.length < 1000) return entries
  }
}

/** Waits where the service asks for it. */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
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

/** Reads lines of JSON: entries and ends of chains as they are, or items as DynamoDB exports them. */
export function parseExport(text: string): { entries: AuditEntry[]; heads?: AuditHead[] } {
  const rows = text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const row = JSON.parse(line)
      const item = row.Item ? Object.fromEntries(Object.entries<Typed>(row.Item).map(([k, v]) => [k, plain(v)])) : row
      return item as Record<string, unknown>
    })
  const heads = rows.filter(row => row.pk === 'HEAD').map(row => AuditHead.parse(row))
  const entries = rows.filter(row => row.pk !== 'HEAD').map(row => AuditEntry.parse(row))
  return { entries, ...(heads.length > 0 && { heads }) }
}
