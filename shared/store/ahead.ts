import type { TableName } from '../settings.ts'

type Key = { pk: string; sk: string }

/** A key and the table that it is in. */
export type Place = { table: TableName; key: Key }

/** A place as one text, by the name of its table. */
export const placeName = (table: string, { pk, sk }: Key): string => `${table}\n${pk}\n${sk}`

/** How long an item counts as just read, milliseconds. */
const FRESH_MS = 1000

/** What was read before it was asked for. One function does one thing at a time, so it is all of one request. */
const read = new Map<string, { value: unknown; until: number }>()

/** Begins a request: nothing has been read yet. */
export const forgetAhead = (): void => read.clear()

const keep = (name: string, value: unknown): unknown => read.set(name, { value, until: Date.now() + FRESH_MS })

function take(name: string): { value: unknown } | undefined {
  const kept = read.get(name)
  read.delete(name)
  return kept && Date.now() < kept.until ? kept : undefined
}

/** Keeps what stands at some places, read this moment, for when it is asked for. */
export function keepAhead(places: readonly Place[], items: readonly unknown[]): void {
  for (const [n, { table, key }] of places.entries()) keep(placeName(table, key), items[n])
}

/** What was just read at a place, once; undefined where nothing was read there. */
export function takeAhead(table: TableName, key: Key): { item: unknown } | undefined {
  const kept = take(placeName(table, key))
  return kept && { item: kept.value }
}

const partitionName = ({ table, ...partition }: { table: TableName }): string =>
  `${table}\n${JSON.stringify(Object.entries(partition).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`

/** Keeps the first page of a partition, which is being read from this moment on. */
export const keepPageAhead = (partition: { table: TableName }, page: Promise<unknown>): unknown =>
  keep(partitionName(partition), page)

/** The first page of a partition that was just read, once; undefined where none was. */
export const takePageAhead = (partition: { table: TableName }): Promise<unknown> | undefined =>
  take(partitionName(partition))?.value as Promise<unknown> | undefined

/** Says that a table is being written to: what was read there no longer holds. */
export function dropAhead(table: TableName): void {
  for (const name of read.keys()) if (name.startsWith(`${table}\n`)) read.delete(name)
}
