import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { AuditEntry, AuditHead } from '../shared/api/audit.ts'
import { type Client, createClient, logIn } from '../shared/api/client.ts'
import { type Checks, checkChain, checkTrail, type Finding } from '../shared/audit/chain.ts'
import { keyFrom, readAnchor, sameKey, writeAnchor } from './audit/anchor.ts'
import { readKeptCheckpoint, readLoggedEnds } from './audit/logged.ts'
import { dayOf, parseExport, readChains, readHeads, readKey } from './audit/trail.ts'

const usage = `Checks the audit trail: that no entry was removed, changed or written by anybody but the service.

  npm run verify-audit                    asks the service, as AUDIT_EMAIL with AUDIT_PASSWORD or with the token AUDIT_TOKEN
  npm run verify-audit -- --export FILE   reads an export of the table (lines of JSON); needs --key or --anchor

  --url URL               where the service is; http://127.0.0.1:3000 when absent
  --from DAY, --to DAY    only these days (UTC); what came before them is not checked
  --write-anchor FILE     writes where the chains end now, when no fault is found
  --anchor FILE           compares with an anchor that was written before: shows also that ends of chains, whole chains or
                          all of them were removed. Keep anchors where nobody who runs the service can change them.
  --checkpoint FILE       compares with the log that had this checkpoint, as somebody kept it from GET /transparency/checkpoint:
                          shows also that ends of chains were removed, that entries of the log were, or that it holds two certificates of
                          one job. Not for single days.
  --key FILE              the public key, in PEM, instead of the one that the service tells
  --unsigned-before TIME  entries from before this time need no signature: those of a service that did not sign yet`

/** What a trail is checked against that the service doesn't tell, and which days. */
export type Asked = Pick<Checks, 'anchored' | 'logged' | 'unsignedBefore'> & {
  from?: string
  to?: string
  publicKey?: string
}

/** What came of a check, and what an anchor of it holds. */
export type Report = { entries: number; unsigned: number; findings: Finding[]; heads: AuditHead[]; publicKey?: string }

/** Checks the trail that a service tells: the ends of the chains first, as new entries may come meanwhile. */
export async function verifyService(client: Client, asked: Asked = {}): Promise<Report> {
  const today = dayOf(Date.now())
  const { from, to = today, publicKey = await readKey(client), unsignedBefore, logged } = asked
  const told = await readHeads(client)
  // What came after the last day has ends that say nothing of it.
  const heads = to < today ? undefined : told
  const anchored = asked.anchored?.filter(({ at }) => at.slice(0, 10) <= to)
  const checks: Checks = { heads, anchored, logged, unsignedBefore, from, key: keyFrom(publicKey) }
  const report: Report = { entries: 0, unsigned: 0, findings: [], heads: told, publicKey }
  const began: AuditEntry[] = []
  for await (const [shard, chain] of readChains(client, from ?? beginning([...told, ...(anchored ?? [])]), to)) {
    const endless = told.every(head => head.shard !== shard)
    if (endless) began.push(...chain.slice(-1))
    add(report, chain, checkChain(shard, chain, endless ? { ...checks, heads: undefined } : checks))
  }
  return began.length > 0 ? withoutEnds(report, began, await readHeads(client)) : report
}

/** Chains that had no end when the ends were read have one by now, if their first entry came in between. */
function withoutEnds(report: Report, began: AuditEntry[], now: AuditHead[]): Report {
  const missing = began.filter(({ shard }) => !now.some(head => head.shard === shard))
  const findings = missing.map(({ shard, seq }) => ({ shard, seq, msg: 'is the end of a chain that tells none' }))
  return { ...report, findings: [...report.findings, ...findings] }
}

function add(report: Report, entries: readonly AuditEntry[], findings: readonly Finding[]): void {
  report.entries += entries.length
  report.unsigned += entries.filter(({ signature }) => signature === null).length
  report.findings.push(...findings)
}

/** The day of the first entry, as far as the ends of the chains tell it. */
function beginning(heads: readonly AuditHead[]): string {
  const unknown = heads.find(({ since }) => since === null)
  if (unknown) throw new Error(`Chain ${unknown.shard} does not tell when it began: name the first day by --from`)
  return heads.map(({ since }) => since!.slice(0, 10)).toSorted()[0] ?? dayOf(Date.now())
}

/** Checks an export of the table. */
export function verifyExport(text: string, { publicKey, ...checks }: Omit<Asked, 'to'>): Report {
  const { entries, heads } = parseExport(text)
  const key = publicKey === undefined ? undefined : keyFrom(publicKey)
  if (!key && entries.some(({ signature }) => signature !== null))
    throw new Error('The entries are signed: name the key that checks them by --key or --anchor')
  const report: Report = { entries: 0, unsigned: 0, findings: [], heads: heads ?? [], publicKey }
  add(report, entries, checkTrail(entries, { ...checks, heads, key }))
  return report
}

async function connect(baseUrl: string): Promise<Client> {
  const { AUDIT_TOKEN: token, AUDIT_EMAIL: email, AUDIT_PASSWORD: password } = process.env
  if (token) return createClient({ baseUrl, token })
  if (email && password) return logIn({ baseUrl, email, password })
  throw new Error(usage)
}

const options = {
  url: { type: 'string', default: 'http://127.0.0.1:3000' },
  from: { type: 'string' },
  to: { type: 'string' },
  export: { type: 'string' },
  anchor: { type: 'string' },
  'write-anchor': { type: 'string' },
  checkpoint: { type: 'string' },
  key: { type: 'string' },
  'unsigned-before': { type: 'string' },
  help: { type: 'boolean' },
} as const

type Kept = { checkpoint?: string; url: string; from?: string; to?: string }

/** What the log holds of the trail, by a checkpoint that was kept: its files are for everybody. */
async function loggedEnds({ checkpoint, url, from, to }: Kept): Promise<Checks['logged']> {
  if (checkpoint === undefined) return undefined
  if (from !== undefined || to !== undefined)
    throw new Error('--checkpoint is about the whole trail: leave out --from and --to')
  return readLoggedEnds(createClient({ baseUrl: url }), await readKeptCheckpoint(checkpoint))
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options })
  if (values.help) return console.log(usage)
  const { from, to, 'unsigned-before': since, 'write-anchor': target } = values
  const anchor = values.anchor === undefined ? undefined : await readAnchor(values.anchor)
  const publicKey = values.key === undefined ? anchor?.publicKey : await readFile(values.key, 'utf8')
  const unsignedBefore = since ?? anchor?.unsignedBefore
  const asked = { from, to, publicKey, unsignedBefore, anchored: anchor?.heads, logged: await loggedEnds(values) }
  let report: Report
  if (values.export !== undefined) report = verifyExport(await readFile(values.export, 'utf8'), asked)
  else {
    const client = await connect(values.url)
    report = await verifyService(client, asked)
    const told = await readKey(client)
    if (!sameKey(told, report.publicKey!)) {
      throw new Error('The service signs with another key than the one that its trail is to be checked with')
    }
  }
  const { entries, unsigned, findings, heads } = report
  for (const { shard, seq, msg } of findings) console.error(`Entry ${seq} of chain ${shard} ${msg}`)
  if (from) console.log(`What came before ${from} was not checked`)
  if (unsigned > 0) console.log(`${unsigned} entries carry no signature: only their order was checked`)
  console.log(`${entries} entries checked, ${findings.length} faults found`)
  if (findings.length > 0) process.exitCode = 1
  else if (target) await writeAnchor(target, { publicKey: report.publicKey!, unsignedBefore, heads })
}

if (import.meta.main) {
  await main().catch(error => {
    console.error(error.message)
    process.exitCode = 2
  })
}
