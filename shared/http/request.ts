import type * as z from 'zod'
import type { Endpoint, PathParameter } from '../api/endpoint.ts'
import type { Transact } from '../store/dynamo.ts'
import type { ListQuery } from '../store/lists.ts'
import type { Trace } from './audited.ts'
import type { Caller } from './caller.ts'

/** A file of a multipart upload. */
export type UploadedFile = { name: string; contentType: string; bytes: Buffer }

/** Where a request came from. */
export type RequestInfo = {
  id: string
  /** Address of the client. */
  address: string
  userAgent: string
  /** Base URL of the interface, `/api` included. */
  baseUrl: string
  /** URL of the request itself, without its query. */
  url: string
  /** The bearer token as sent, for the endpoints that need none but act on it. */
  bearer?: string
  /** Calls of the console (`X-Console: 1`), whose refresh token is in a cookie that its program can't read. */
  console?: { refreshToken?: string }
  /** What binds a log-in by a provider to the browser that began it. */
  signOnSecret?: string
}

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : Record<string, never>

type Named<Names> = Names extends object ? Names : Record<never, string>

/** How a call says what it does. */
export type Recording = {
  /**
   * Tells the audit trail who calls or what the call is about, where neither token nor path nor reply say so, and that
   * contents are given out. A record that will be made is told just before, so that its entry is signed meanwhile.
   */
  note(known: Pick<Trace, 'userId' | 'isSelf' | 'recordId' | 'newId' | 'disclosed' | 'subject'>): void
  /**
   * Makes the change that the call is for as {@link transact} does, and its entry in the audit trail with it (at most 98 items). A record
   * that the call makes is told by `note` before, and so is all else that the trail is told. Of several changes the first holds it.
   */
  write: Transact
}

/** What a handler is given: parsed values only. */
export type Call<E extends Endpoint> = Recording & {
  /** Path parameters, checked to be identifiers or what the declaration says. */
  params: Record<PathParameter<E['route']>, string>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
  files: E extends { multipart: true } ? UploadedFile[] : undefined
  user: E['access'] extends 'public' ? undefined : Caller
  request: RequestInfo
  /** The headers that the declaration names, as they were sent. */
  headers: Partial<Record<keyof Named<E['headers']>, string>>
  /** Adds a header to the answer. */
  header(name: string, value: string): void
  /** Answers with another status that the declaration names. */
  status(code: keyof Named<E['statuses']>): void
  /** The page that a list was asked for. */
  page: ListQuery
}

/** What a handler answers: the declared reply, or more (what isn't declared is left out). */
export type Answer<E extends Endpoint> = z.input<E['reply']>
