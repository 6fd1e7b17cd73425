import type { Readable } from 'node:stream'
import { type SourceConfig, type SourceKind, sourceKinds } from '../api/source-kinds.ts'
import type { SourceProblem } from '../api/source-problems.ts'
import type { Column, Entry, Opened, Page, Sample, SourceContext, WriteTarget, Written } from './connector.ts'
import { SourceError, toSourceError } from './errors.ts'
import { connectorFor } from './registry.ts'
import { sameContent } from './same-content.ts'

/** A source as the caller knows it: its secrets already opened. */
export type Source = { kind: SourceKind; config: Record<string, unknown>; secrets: Record<string, string> }

/** One stage of a connection test; what follows a failed stage was not tried. */
export type Check = { name: 'connect' | 'encryption' | 'login' | 'read'; ok: boolean; msg: string }

/** Outcome of a connection test. It is a result, not a failure, when the source cannot be reached. */
export type CheckReport = {
  ok: boolean
  latencyMs: number
  checks: Check[]
  /** Why it is not ok. */
  problem?: SourceProblem
  /** What to store with the config when it is ok: the SSH host key to hold the server to from now on. */
  pin?: { host_key_fingerprints: string[] }
  warnings: string[]
}

const stages = ['connect', 'encryption', 'login', 'read'] as const
const stageOf: Partial<Record<SourceProblem, Check['name']>> = {
  source_config_invalid: 'connect',
  source_dns_failed: 'connect',
  source_egress_denied: 'connect',
  source_unreachable: 'connect',
  source_timeout: 'connect',
  source_tls_untrusted: 'encryption',
  source_host_key_mismatch: 'encryption',
  source_host_key_unknown: 'encryption',
  source_auth_failed: 'login',
}

const complete = async ({ kind, config, secrets }: Source) => {
  const parsed = sourceKinds[kind].config.safeParse({ ...config, ...secrets })
  if (!parsed.success) throw new SourceError('source_config_invalid')
  const full = parsed.data as SourceConfig
  return { full, connector: await connectorFor(kind, full) }
}

/** Runs an operation of a connector; whatever it throws comes out as a `SourceError` or as the abort it was. */
async function run<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    throw toSourceError(error)
  }
}

/** Tests a connection: connects, logs in and reads a little. Throws only when the call is aborted. */
export async function checkSource(source: Source, context: SourceContext): Promise<CheckReport> {
  const started = performance.now()
  const latencyMs = () => Math.round(performance.now() - started)
  try {
    const { full, connector } = await complete(source)
    const facts = await run(() => connector.check(context, full))
    const messages = [
      'connected',
      facts.protection,
      `logged in${facts.server ? `: ${facts.server}` : ''}`,
      facts.readable,
    ]
    return {
      ok: true,
      latencyMs: latencyMs(),
      checks: stages.map((name, at) => ({ name, ok: true, msg: messages[at]! })),
      ...(facts.hostKey ? { pin: { host_key_fingerprints: [facts.hostKey] } } : {}),
      warnings: facts.warnings,
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const failed = stageOf[error.type] ?? 'read'
    const passed = stages.slice(0, stages.indexOf(failed))
    return {
      ok: false,
      latencyMs: latencyMs(),
      checks: [
        ...passed.map(name => ({ name, ok: true, msg: 'passed' })),
        { name: failed, ok: false, msg: error.message },
      ],
      problem: error.type,
      warnings: [],
    }
  }
}

/** Lists a folder or the tables of a source, a page at a time. */
export async function previewSource(
  source: Source,
  context: SourceContext,
  query: { path?: string; cursor?: string; limit?: number } = {},
): Promise<Page> {
  const { full, connector } = await complete(source)
  const limit = Math.min(Math.max(query.limit ?? 100, 1), 1000)
  return run(() => connector.discover(context, full, { ...query, limit }))
}

const CELL = 256

/** One entry with, for a table of a database, its columns and first rows (at most 20, cells cut at 256 characters). */
export async function previewEntry(
  source: Source,
  context: SourceContext,
  name: string,
  rows = 20,
): Promise<{ entry: Entry; columns?: Column[]; rows?: Sample['rows'] }> {
  const { full, connector } = await complete(source)
  return run(async () => {
    const [entry] = await connector.locate(context, full, [name])
    if (!entry) throw new SourceError('source_not_found')
    if (!connector.sample || (entry.type !== 'table' && entry.type !== 'view')) return { entry }
    const sample = await connector.sample(context, full, entry.name, Math.min(Math.max(rows, 1), 20))
    return {
      entry,
      columns: sample.columns,
      rows: sample.rows.map(row => row.map(cell => cell?.slice(0, CELL) ?? null)),
    }
  })
}

/** What a table is judged by: its first rows, with long cells cut, or the first bytes of a file. */
export type Beginning = { entry: Entry } & ({ columns: Column[]; rows: Sample['rows'] } | { bytes: Uint8Array })

const [longestCell, mostRows, mostBytes] = [4096, 200, 512 * 1024]

/** The beginning of a table or a file: at most 200 rows, or whole lines of about 512 KiB. */
export async function readBeginning(source: Source, context: SourceContext, name: string): Promise<Beginning> {
  const { full, connector } = await complete(source)
  return run(async () => {
    const [entry] = await connector.locate(context, full, [name])
    if (!entry) throw new SourceError('source_not_found')
    if (entry.type === 'folder') throw new SourceError('source_unsupported', 'A folder has no columns')
    if (connector.sample && entry.type !== 'file') {
      const { columns, rows } = await connector.sample(context, full, entry.name, mostRows)
      return { entry, columns, rows: rows.map(row => row.map(cell => cell?.slice(0, longestCell) ?? null)) }
    }
    const { body } = await connector.read(context, full, entry.name, {})
    const pieces: Uint8Array[] = []
    let length = 0
    // Whoever leaves the loop closes the connection.
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      pieces.push(piece)
      length += piece.length
      if (length >= mostBytes) break
    }
    const bytes = Buffer.concat(pieces)
    // The last line is cut off, most likely.
    return { entry, bytes: length < mostBytes ? bytes : bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1 || mostBytes) }
  })
}

/** The entries of these names in their order, undefined where the source has none: what a load asks first. */
export async function locateInSource(source: Source, context: SourceContext, names: string[]) {
  const { full, connector } = await complete(source)
  return run(() => connector.locate(context, full, names))
}

/**
 * Opens a file, from byte `start`, or a table as CSV. The body fails with a `SourceError` where the source breaks off;
 * destroying it closes the connection.
 */
export async function openFromSource(
  source: Source,
  context: SourceContext,
  name: string,
  options: { start?: number } = {},
): Promise<Opened> {
  const { full, connector } = await complete(source)
  return run(() => connector.read(context, full, name, options))
}

/** Opens a table as parts of one snapshot that may be read at the same time; a single part where that cannot be had. */
export async function openParts(
  source: Source,
  context: SourceContext,
  name: string,
  parts: number,
): Promise<Opened[]> {
  const { full, connector } = await complete(source)
  return run(async () => {
    const { readParts } = connector
    return readParts && parts > 1
      ? readParts(context, full, name, Math.min(parts, 8))
      : [await connector.read(context, full, name, {})]
  })
}

/**
 * Writes a file or a table (CSV with a header line) to a source. Safe to ask for again: a file to be created that is
 * there already with the same content, or a table of the same delivery, counts as written. Throws `source_unsupported`
 * where the source takes no results, `source_conflict` where something else is in the way.
 */
export async function writeToSource(
  source: Source,
  context: SourceContext,
  target: WriteTarget,
  body: Readable,
): Promise<Written> {
  const { full, connector } = await complete(source)
  const { write } = connector
  if (!write) throw new SourceError('source_unsupported', 'Results cannot be written to this kind of source')
  return run(async () => {
    const [existing] = target.mode === 'create' ? await connector.locate(context, full, [target.name]) : []
    if (existing?.type !== 'file') return write(context, full, target, body)
    const opened = await connector.read(context, full, existing.name, {})
    if (!(await sameContent(opened.body, body))) throw new SourceError('source_conflict')
    await connector.tidy?.(context, full, target)
    return { name: existing.name, bytes: existing.size ?? 0 }
  })
}
