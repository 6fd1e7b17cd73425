import type { TableName } from '../settings.ts'

type Key = { pk: string; sk: string }

/** A key and the table that it is in. */
export type Place = { table: TableName; key: Key }

/** A place as one text, by the name of its table. */
export const placeName = (table: string, { pk, sk }: Key): string => `${table}\n${pk}\n${sk}`

/** How long an item counts as just read, milliseconds. */
const FRESH_MS = 1000

/** What was read before it was asked for. One function does one thing at a time, so it is all of one request. */
const read = new Map<string, unknown>()
let until = 0

/** Begins a request: nothing has been read yet. */
export const forgetAhead = (): void => read.clear()

/** Keeps what stands at some places, read this moment, for when it is asked for. */
export function keepAhead(places: readonly Place[], items: readonly unknown[]): void {
  until = Date.now() + FRESH_MS
  for (const [n, { table, key }] of places.entries()) read.set(placeName(table, key), items[n])
}

/** What was just read at a place, once; undefined where nothing was read there. */
export function takeAhead(table: TableName, key: Key): { item: unknown } | undefined {
  const name = placeName(table, key)
  if (!read.has(name)) return undefined
  const item = read.get(name)
  read.delete(name)
  return Date.now() < until ? { item } : undefined
}

/** Says that a table is being written to: what was read there no longer holds. */
export function dropAhead(table: TableName): void {
  for (const name of read.keys()) if (name.startsWith(`${table}\n`)) read.delete(name)
}
