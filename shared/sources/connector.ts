import type { Readable } from 'node:stream'
import type { Dial } from './egress.ts'
import type { ObjectStore } from './objects/object-store.ts'

/** What every connector is given besides the config. */
export type SourceContext = {
  /** The only way to the network. */
  dial: Dial
  /** Aborted on cancel and when the time of the call is over: closes every connection. */
  signal: AbortSignal
  limits: SourceLimits
  /** Certificates (PEM) of authorities to trust besides the public ones, such as a company's own. */
  trust?: string
  /** The files of LOCAL_ASSET, already confined to what the owner of the source may see. */
  localFiles?: ObjectStore
}

export type SourceLimits = {
  /** Largest file or table that is read, bytes. */
  bytes: number
  /** Most entries of one folder that are looked at. */
  entries: number
  /** Longest silence of a connection, milliseconds. */
  idleMs: number
}

/** Limits that suit a Lambda function. */
export const defaultLimits: SourceLimits = { bytes: 5 * 1024 ** 4, entries: 100_000, idleMs: 60_000 }

/** A file, folder, table or view of a source. */
export type Entry = {
  /** What a load names it by: a path below the root of the source, or the name of a table with its schema. */
  name: string
  type: 'file' | 'folder' | 'table' | 'view'
  /** What it would become as an asset; absent for folders and for what the service cannot anonymise. */
  assetType?: 'TABLE' | 'DOCUMENT'
  supported: boolean
  /** Bytes. */
  size?: number
  /** Rows, as the database estimates them. */
  rows?: number
  modifiedAt?: string
  /** Changes whenever the content does, where the source tells. */
  etag?: string
}

/** A column of a table, with its type in the words of the database. */
export type Column = {
  name: string
  nativeType: string
  nullable: boolean
  /** Place in the primary key, counted from 1. */
  key?: number
  /** How a value is written in the CSV: as the database's own text, or bytes as `\x` and hexadecimal digits. */
  encoding: 'text' | 'hex'
}

/** One page of a folder or of the tables; `cursor` leads to the next. */
export type Page = { entries: Entry[]; cursor?: string }

export type PageQuery = {
  /** Folder below the root; the root when absent. Databases have none. */
  path?: string
  cursor?: string
  limit: number
}

/** What a connection test found out, once all its stages have passed. */
export type Facts = {
  /** Product and version of the server, as far as it tells. */
  server?: string
  /** How the connection is protected, for people: `TLSv1.3, certificate verified`. */
  protection: string
  /** What was read to show that reading works. */
  readable: string
  /** SSH host key that the server showed, to be pinned. */
  hostKey?: string
  warnings: string[]
}

/** A file or table being read. Destroying `body` closes its connection. */
export type Opened = {
  entry: Entry
  /** Name of the asset that it becomes. */
  filename: string
  contentType: string
  /** Bytes, where known before reading. */
  size?: number
  /** Columns of a table, for the sidecar. */
  columns?: Column[]
  body: Readable
}

/**
 * Where a result goes. `create` fails with `source_conflict` where the target exists, `replace` puts the new content in
 * its place at once or not at all, `update` (tables) sets the rows of the same key in one transaction.
 */
export type WriteTarget = {
  name: string
  mode: 'create' | 'replace' | 'update'
  /** Columns of a new table as they were in the original; those that are not among them are text. */
  columns?: readonly Column[]
  /** Bytes of the body where known. */
  size?: number
  /**
   * Identifier of the delivery, a UUID. A table that it makes or replaces carries it as its comment, unless that says
   * something else: the same delivery asked for again finds its work done. Files are told by their content. Drafts are
   * named by it, so that the next attempt removes what a crash has left.
   */
  delivery?: string
}

/** What was written, and where to. */
export type Written = { name: string; bytes: number; rows?: number }

/**
 * One kind of source behind the verbs that all share. Every failure is a `SourceError`; connections are closed when the
 * promise settles or, for `read`, when the body ends.
 */
export type Connector<Config> = {
  /** Connects, logs in and reads a little. The only verb that takes an SSH host key it does not know yet. */
  check(context: SourceContext, config: Config): Promise<Facts>
  /** Lists a folder, or the tables, in order of name. */
  discover(context: SourceContext, config: Config, query: PageQuery): Promise<Page>
  /** The entries of these names in their order; undefined where there is none. */
  locate(context: SourceContext, config: Config, names: string[]): Promise<(Entry | undefined)[]>
  /** The first rows of a table, `null` apart from the empty text. */
  sample?(context: SourceContext, config: Config, name: string, rows: number): Promise<Sample>
  /** Opens a file (from byte `start`) or a table as CSV. */
  read(context: SourceContext, config: Config, name: string, options: { start?: number }): Promise<Opened>
  /**
   * Opens a table as several parts of about the same size, to be read at the same time: rows of one snapshot, each once;
   * the CSV of the first has the header line.
   */
  readParts?(context: SourceContext, config: Config, name: string, parts: number): Promise<Opened[]>
  write?(context: SourceContext, config: Config, target: WriteTarget, body: Readable): Promise<Written>
  /** Removes what a writer that was killed has left beside a target that is there. */
  tidy?(context: SourceContext, config: Config, target: WriteTarget): Promise<void>
}

export type Sample = { columns: Column[]; rows: (string | null)[][] }
