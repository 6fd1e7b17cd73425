import type { Place, Segment } from '../formats/format.ts'
import { suppressed } from '../operators/suppress.ts'
import type { RiskPlan } from '../plan.ts'
import type { RiskRecord, Values } from './equivalence-classes.ts'

/** Where a record stands: its sheet, and its row there. */
export type RecordPlace = { sheet: string; row: number }

/** Told each record once all of its cells were seen. */
export type RecordSink = (before: RiskRecord, after: RiskRecord, place: RecordPlace) => void

/** Puts the cells of records together as they are edited. */
export type Records = {
  /** Takes a segment and its text after editing, in the order of the file. */
  add(segment: Segment, edited: string): void
  /** Says that there are no more. */
  end(): void
  /** Names of the columns that were met. */
  seen: Set<string>
}

/** Most names of columns that are remembered. */
const maxColumns = 10_000
/** Stands between several values of one column of a record, as in a list in JSON. */
const separator = '\u001f'

/** The sheet of a place; the empty text in files that have none. */
export const sheetOf = ({ part, page }: Place): string =>
  part === undefined && page === undefined ? '' : `${part ?? ''}:${page ?? ''}`

/** A record that is all suppressed is one whatever it lacks. */
function settled(quasi: Values): Values {
  const all = quasi.every(value => value === undefined || value === suppressed) && quasi.includes(suppressed)
  return all ? quasi.map(() => suppressed) : quasi
}

/** Starts putting records together from the segments of a table, all formats alike. */
export function createRecords({ quasiIdentifiers, sensitive }: RiskPlan, tell: RecordSink): Records {
  const wanted = [...quasiIdentifiers, ...sensitive]
  const slots = new Map<string, number[]>()
  for (const [slot, column] of wanted.entries()) slots.set(column, [...(slots.get(column) ?? []), slot])
  const seen = new Set<string>()
  const none: Values = wanted.map(() => undefined)
  let before: (string | undefined)[] = [...none]
  let after: (string | undefined)[] = [...none]
  let sheet = ''
  let row = 0
  let rows = 1
  let cells = 0
  let blank = true
  /** Whether the sheet has any of the columns, and whether a record of it was seen. */
  let relevant = false
  let first = true

  const halves = (values: Values, settle = false): RiskRecord => {
    const quasi = values.slice(0, quasiIdentifiers.length)
    return { quasi: settle ? settled(quasi) : quasi, sensitive: values.slice(quasiIdentifiers.length) }
  }
  const isHeader = () =>
    sheet !== '' &&
    first &&
    before.some(value => value !== undefined) &&
    before.every((value, slot) => value === undefined || (value.trim() === wanted[slot] && !/^\d+$/.test(value)))
  const flush = () => {
    if (cells === 0) return
    const counts = relevant && !isHeader() && !(cells === 1 && blank && wanted.length > 1)
    if (counts) for (let n = 0; n < rows; n++) tell(halves(before), halves(after, true), { sheet, row })
    first = false
    before = [...none]
    after = [...none]
    cells = 0
    blank = true
  }

  return {
    seen,
    add(segment, edited) {
      const { kind, column, row: at, rows: repeated = 1 } = segment.place
      if (at === undefined) return
      const where = sheetOf(segment.place)
      if (where !== sheet || at !== row) {
        flush()
        if (where !== sheet) {
          relevant = false
          first = true
        } else if (where === '') {
          // Records without any text: in tables that have no sheets there are no empty rows either.
          const missing = relevant && row > 0 ? at - row - 1 : 0
          for (let n = 1; n <= missing; n++) tell(halves(none), halves(none), { sheet, row: row + n })
        }
        sheet = where
        row = at
        rows = repeated
      }
      if (column !== undefined && seen.size < maxColumns) seen.add(column)
      const own = column === undefined ? undefined : slots.get(column)
      if (own || sheet === '') relevant = true
      if (kind === 'header') return
      cells++
      if (segment.text !== '') blank = false
      if (kind !== 'cell' || !own) return
      const joint = segment.before === undefined ? separator : ''
      for (const slot of own) {
        before[slot] = before[slot] === undefined ? segment.text : before[slot] + joint + segment.text
        after[slot] = after[slot] === undefined ? edited : after[slot] + joint + edited
      }
    },
    end: flush,
  }
}
