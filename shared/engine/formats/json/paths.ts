import type { Segment } from '../format.ts'
import { nameWording } from '../office/wording.ts'
import { isMessageKey, isSenderKey } from './senders.ts'

/** Where keys lead, and what the last of them tells. */
export type Path = {
  /** The name of the column that the keys make: those of arrays, and empty ones, are no part of it. */
  readonly column: string
  readonly key: string
  readonly wording: Segment['wording']
  readonly isSender: boolean
  readonly isMessage: boolean
  /** Where a further key leads. */
  within(key: string): Path
}

/** Paths that are kept: records have the same ones again and again, but names may be anything. */
const mostKept = 10_000

/** The path of no key. */
export function startPath(): Path {
  let kept = 0
  const pathOf = (column: string, key: string): Path => {
    const known = new Map<string, Path>()
    const path: Path = {
      column,
      key,
      wording: nameWording(key),
      isSender: isSenderKey(key),
      isMessage: isMessageKey(key),
      within(next) {
        let further = known.get(next)
        if (further !== undefined) return further
        further =
          next === '' ? { ...path, wording: nameWording('') } : pathOf(column === '' ? next : `${column}.${next}`, next)
        if (kept++ < mostKept) known.set(next, further)
        return further
      },
    }
    return path
  }
  return pathOf('', '')
}
