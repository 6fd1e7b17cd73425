import type { KeyObject } from 'node:crypto'
import type { Input, Place, Segment, Workspace } from '../formats/format.ts'
import type { Placed } from '../match.ts'
import type { Plan } from '../plan.ts'
import { type Found, reasonOf } from './matches.ts'
import { createTextIds } from './text-ids.ts'

/** Takes down where something was found, in order, while a file is gone through. */
export type Places = {
  add(segment: Segment, found: readonly Found[]): void
  /** Lets go of what has been taken down, once that is much. */
  relieve(): Promise<void>
}

/** A file with a line of JSON for each {@link Placed}; and how many rows its table has, as far as its texts tell. */
export type PlacesFile = { file: Input; rows: number }

/** Places that are written to a file. */
export type KeptPlaces = { places: Places; end(): Promise<PlacesFile> }

/** What places are taken down for: `key` makes their ids, which nobody without it can guess a name from. */
type KeptFor = { plan: Plan; key: KeyObject; known: readonly { value: string }[] }

/** Characters that are held before they are written. */
const heldAtOnce = 256 * 1024
/** Names of columns and parts of which it is remembered whether they hold a value. */
const namesKept = 10_000

/** Leaves names of columns and parts out of places where they hold a value that was found, in a header or anywhere. */
function createShown(known: KeptFor['known']) {
  const values = new Set(known.map(({ value }) => value))
  const clean = new Map<string, boolean>()
  const isClean = (name: string): boolean => {
    const told = clean.get(name)
    if (told !== undefined) return told
    const isSo = ![...values].some(value => name.includes(value))
    if (clean.size >= namesKept) clean.clear()
    clean.set(name, isSo)
    return isSo
  }
  return {
    /** Takes down what was found in a name. */
    hide(value: string) {
      if (values.has(value)) return
      values.add(value)
      clean.clear()
    },
    placeOf({ offset: _, part, column, ...place }: Place): Place {
      return {
        ...place,
        ...(part !== undefined && isClean(part) && { part }),
        ...(column !== undefined && isClean(column) && { column }),
      }
    },
  }
}

/** Starts a file of places. */
export async function keepPlaces({ plan: { rules }, key, known }: KeptFor, workspace: Workspace): Promise<KeptPlaces> {
  const { output, input } = await workspace.create('places')
  const textIds = createTextIds(key)
  const shown = createShown(known)
  let held = ''
  let rows = 0
  /** A match may go on in the next piece of a long text, so the last is kept back. */
  let last: Placed | undefined
  const letGo = () => {
    if (last) held += `${JSON.stringify(last)}\n`
    last = undefined
  }
  const write = async () => {
    const bytes = Buffer.from(held)
    held = ''
    if (bytes.length > 0) await output.write(bytes)
  }
  return {
    places: {
      add(segment, found) {
        const { place } = segment
        const textId = textIds(segment)
        const { kind, offset = 0, row = 0, rows: times = 1 } = place
        rows = Math.max(rows, row + times - 1)
        for (const { value } of found)
          if (kind === 'header' || kind === 'name' || place.column?.includes(value)) shown.hide(value)
        for (const { start: at, end, owner, continues } of found) {
          if (continues) {
            if (last) last.end = end + offset
            continue
          }
          letGo()
          const start = at + offset
          const { rule, label, score } = owner
          const told = { rule, label, score, reason: reasonOf(owner, rules), place: shown.placeOf(place) }
          last = { id: `${textId()}.${start}`, start, end: end + offset, ...told }
        }
      },
      async relieve() {
        if (held.length >= heldAtOnce) await write()
      },
    },
    async end() {
      letGo()
      await write()
      return { file: await input(), rows }
    },
  }
}
