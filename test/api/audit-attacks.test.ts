import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Anchor, readAnchor } from '../../local/audit/anchor.ts'
import { operator } from '../../local/cloud.ts'
import { verifyService } from '../../local/verify-audit.ts'
import type { AuditEntry, AuditHead } from '../../shared/api/audit.ts'
import { genesis, hashOf } from '../../shared/audit/chain.ts'
import { deployed } from './deployed.ts'
import { useOwnService } from './setup.ts'

type Row = { pk: string; sk: string }
type Entry = Row & AuditEntry
type Head = Row & AuditHead

/** Whoever may write the table of the audit trail freely, and knows how hashes are made, but has no right to the key. */
describe.skipIf(deployed)('an attacker with the table in hand', async () => {
  const service = await useOwnService()
  const dynamodb = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: deployed ? undefined : service.cloud.endpoints.dynamodb,
      region: 'eu-central-1',
      credentials: operator,
    }),
  )
  const directory = mkdtempSync(join(tmpdir(), 'anchor-'))
  const anchor = join(directory, 'anchor.json')
  const TableName = 'TableAudit'
  let before: (Entry | Head)[] = []
  let chain: Entry[] = []
  let head: Head

  const body = { name: 'A', type: 'REGEX' as const, config: { regexRuleConfig: { pattern: 'a' } } }
  const createRule = () => service.admin.client.rules.create({ body })
  const scan = async () => ((await dynamodb.send(new ScanCommand({ TableName }))).Items ?? []) as (Entry | Head)[]
  const put = (row: object) => dynamodb.send(new PutCommand({ TableName, Item: row }))
  const remove = async (...rows: Row[]) => {
    for (const { pk, sk } of rows) await dynamodb.send(new DeleteCommand({ TableName, Key: { pk, sk } }))
  }
  const placed = (entry: Entry): Entry => ({ ...entry, sk: String(entry.seq).padStart(12, '0') })
  /** Entries with right numbers and hashes, as long as nobody looks at signatures. */
  const rewritten = (entries: Entry[]): Entry[] => {
    const done: Entry[] = []
    for (const entry of entries) {
      const [seq, previous] = [done.length + 1, done.at(-1)?.hash ?? genesis(entry.shard)]
      const draft = { ...entry, seq, previous }
      done.push(placed({ ...draft, hash: hashOf(draft) }))
    }
    return done
  }
  const endAt = ({ seq, at, hash, signature }: Entry): Head => ({ ...head, seq, at, hash, signature })

  beforeAll(async () => {
    // Enough for every chain to have some entries.
    for (let n = 0; n < 12; n++) await Promise.all(Array.from({ length: 16 }, createRule))
    expect((await verify('--write-anchor', anchor)).stdout).toMatch(/^\d+ entries checked, 0 faults found$/m)
    before = await scan()
    const heads = before.filter(({ pk }) => pk === 'HEAD') as Head[]
    head = heads.toSorted((a, b) => b.seq - a.seq)[0]!
    const entries = before.filter((row): row is Entry => row.pk !== 'HEAD' && row.shard === head.shard)
    chain = entries.toSorted((a, b) => a.seq - b.seq)
  }, 120_000)

  afterEach(async () => {
    await remove(...(await scan()))
    for (const row of before) await put(row)
  })

  afterAll(() => {
    dynamodb.destroy()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Runs the command as an operator would. */
  const verify = (...more: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise(resolve => {
      const args = ['local/verify-audit.ts', '--url', service.baseUrl, ...more]
      const env = { ...process.env, AUDIT_TOKEN: service.admin.token }
      execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      )
    })
  /** What it finds, asked from here. */
  const found = async (kept?: Anchor) =>
    (await verifyService(service.admin.client, { anchored: kept?.heads, publicKey: kept?.publicKey })).findings
  const at = (seq: number, msg: string) => ({ shard: head.shard, seq, msg })

  test('is noticed after changing an entry, with all hashes and the end of the chain made anew', async () => {
    const changed = rewritten(chain.with(4, { ...chain[4]!, userId: null }))
    for (const entry of changed.slice(4)) await put(entry)
    await put(endAt(changed.at(-1)!))
    // What the service writes from then on makes nothing good.
    await Promise.all(Array.from({ length: 16 }, createRule))
    expect(await found()).toContainEqual(at(5, 'was not signed by the service'))
  })

  test('is noticed after removing an entry and numbering the rest anew', async () => {
    const renumbered = rewritten(chain.toSpliced(4, 1))
    await remove(...chain.slice(4))
    for (const entry of renumbered.slice(4)) await put(entry)
    await put(endAt(renumbered.at(-1)!))
    expect(await found()).toContainEqual(at(5, 'was not signed by the service'))
  })

  test('is noticed by an anchor after cutting the tail and rolling the end back', async () => {
    await remove(...chain.slice(-5))
    await put(endAt(chain.at(-6)!))
    expect(await found()).toEqual([])
    const gone = at(chain.length - 4, 'was removed since the anchor was made')
    expect(await found(await readAnchor(anchor))).toEqual([gone])
  })

  test('is noticed after removing the first ten', async () => {
    await remove(...chain.slice(0, 10))
    expect(await found()).toEqual([at(1, 'was removed')])
  })

  test('is noticed by an anchor after removing a whole chain', async () => {
    await remove(...chain, head)
    expect(await found(await readAnchor(anchor))).toEqual([at(1, 'was removed since the anchor was made')])
  })

  test('is noticed after forging an entry, signed with a signature of another one or with none', async () => {
    const last = chain.at(-1)!
    const draft = { ...last, seq: last.seq + 1, previous: last.hash, userId: service.admin.user.id }
    for (const [signature, msg] of [
      [last.signature, 'was not signed by the service'],
      [null, 'is not signed'],
    ] as const) {
      const forged = placed({ ...draft, hash: hashOf(draft), signature })
      await put(forged)
      await put(endAt(forged))
      expect(await found()).toEqual([at(forged.seq, msg)])
    }
  })

  test('is noticed by an anchor after removing everything, though the service has gone on', async () => {
    await remove(...before)
    await Promise.all(Array.from({ length: 16 }, createRule))
    expect(await found()).toEqual([])
    const { heads, ...kept } = await readAnchor(anchor)
    expect(new Set((await found({ heads, ...kept })).map(({ shard }) => shard)).size).toBe(heads.length)
    expect((await verify('--anchor', anchor)).code).toBe(1)
  })

  test('gets no anchor of what is left', async () => {
    await remove(chain[4]!)
    const another = join(directory, 'another.json')
    expect((await verify('--write-anchor', another)).code).toBe(1)
    expect(existsSync(another)).toBe(false)
  })

  test('leaves nothing to notice when nothing was done', async () => {
    expect(await verify('--anchor', anchor)).toMatchObject({ code: 0, stderr: '' })
  })
})
