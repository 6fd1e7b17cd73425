import type { Readable } from 'node:stream'

/** One object of a store, its key relative to the root of the store. */
export type StoredObject = { key: string; size: number; modifiedAt?: string; etag?: string }

/** A tree of files behind keys with `/`: a folder, or a prefix of a bucket. Keys are checked before they come here. */
export type ObjectStore = {
  /** Objects and folders (with a slash at the end) directly in a folder (`''` or with a slash at the end), by name. */
  list(
    folder: string,
    query: { cursor?: string; limit: number },
    signal: AbortSignal,
  ): Promise<{ objects: StoredObject[]; folders: string[]; cursor?: string }>
  /** The object, or undefined where there is none. */
  head(key: string, signal: AbortSignal): Promise<StoredObject | undefined>
  /** The bytes from `start` on. */
  read(key: string, start: number, signal: AbortSignal): Promise<Readable>
  /** Writes an object whole or not at all; `create` throws `source_conflict` where it exists. `draft` names what is not whole. */
  write(
    key: string,
    body: Readable,
    options: { create: boolean; size?: number; draft?: string },
    signal: AbortSignal,
  ): Promise<void>
  /** Removes what a writer that was killed has left of a draft beside an object that is there. */
  tidy?(key: string, draft: string): Promise<void>
}
