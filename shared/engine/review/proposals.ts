import type { KeyObject } from 'node:crypto'
import type { AssetType, Input, Place, Segment, Workspace } from '../formats/format.ts'
import type { Box, PageViews } from '../formats/page-views.ts'
import type { Reason } from '../match.ts'
import type { Plan } from '../plan.ts'
import { reasonOf } from '../redact/matches.ts'
import type { KeptPlaces } from '../redact/places.ts'
import { createReviewIds } from './review-ids.ts'

type Proposed = { id: string; rule: number; label: string; score: number; reason: Reason }

/** A text of a document and what is to be replaced in it (UTF-16 offsets in `text`), on pages with its boxes. Holds content. */
export type ProposedText = {
  id: string
  place: Place
  text: string
  findings: (Proposed & { start: number; end: number; boxes?: Box[] })[]
}

/** A page as people see it: a JPEG in base64, and its size in pixels. Holds content. */
export type ProposedPage = { page: number; width: number; height: number; picture: string }

/** A value of a column of a table that is to be replaced, how often it stands there, and the first rows. Holds content. */
export type ProposedValue = Proposed & { value: string; column?: string; count: number; rows: number[] }

/** Distinct values of a column, and of a table, that are told; those beyond are replaced as they are found. */
const valuesOfColumn = 10_000
const valuesOfTable = 200_000
/** Rows that are told of a value. */
const rowsOfValue = 3
/** Characters that are held before they are written. */
const heldAtOnce = 256 * 1024

/** Pages that are drawn; of those beyond the text is told. */
const drawnPages = 300

/** Starts to bring together the values of a table, each once for its column, with how often it stands there. */
export function createProposedValues() {
  const values = new Map<string, ProposedValue>()
  const told = new Map<string, number>()
  return {
    add(value: ProposedValue) {
      const known = values.get(value.id)
      if (known) {
        known.count += value.count
        known.rows = [...known.rows, ...value.rows].slice(0, rowsOfValue)
        return
      }
      const { column = '' } = value
      const seen = told.get(column) ?? 0
      if (seen === valuesOfColumn || values.size === valuesOfTable) return
      told.set(column, seen + 1)
      values.set(value.id, value)
    },
    all: (): Iterable<ProposedValue> => values.values(),
  }
}

/** Starts a file of proposals for review: lines of JSON, each a {@link ProposedText}, {@link ProposedValue} or {@link ProposedPage}. */
export async function keepProposals(
  { rules }: Plan,
  { key, type, views }: { key: KeyObject; type: AssetType; views?: PageViews },
  workspace: Workspace,
): Promise<KeptPlaces> {
  const { output, input } = await workspace.create('proposals')
  const idsOf = createReviewIds(key, rules, type)
  const values = createProposedValues()
  let rows = 0
  let held = ''
  /** The id of what may go on in the next piece of a long text. */
  let last = ''
  const write = async () => {
    const bytes = Buffer.from(held)
    held = ''
    if (bytes.length > 0) await output.write(bytes)
  }
  const add = (segment: Segment, found: Parameters<KeptPlaces['places']['add']>[1]) => {
    const { text, place, visible } = segment
    const ids = idsOf(segment)
    const findings = found.map(({ start, end, owner, value, continues }) => {
      const { rule, label, score } = owner
      if (!continues) last = ids.finding(start + (place.offset ?? 0), { rule, label, value })
      return { id: last, start, end, rule, label, score, reason: reasonOf(owner, rules), value }
    })
    if (type === 'DOCUMENT') {
      if (!visible && findings.length === 0) return
      const boxes = visible && findings.length > 0 ? views?.boxes(place, findings) : undefined
      const shown = findings.map(({ value: _, ...finding }, n) => ({ ...finding, ...(boxes && { boxes: boxes[n]! }) }))
      held += `${JSON.stringify({ id: ids.text(), place, text, findings: shown } satisfies ProposedText)}\n`
      return
    }
    const { column, row, rows: times = 1 } = place
    rows = Math.max(rows, (row ?? 0) + times - 1)
    for (const { start: _, end: __, ...finding } of findings)
      values.add({
        ...finding,
        ...(column !== undefined && { column }),
        count: 1,
        rows: row === undefined ? [] : [row],
      })
  }
  return {
    places: {
      add,
      async relieve() {
        if (held.length >= heldAtOnce) await write()
      },
    },
    async end() {
      for (const value of values.all()) held += `${JSON.stringify(value)}\n`
      await write()
      for (let page = 1; page <= Math.min(views?.count ?? 0, drawnPages); page++) {
        const { bytes, ...size } = await views!.draw(page)
        const picture = Buffer.from(bytes).toString('base64')
        held = `${JSON.stringify({ page, ...size, picture } satisfies ProposedPage)}\n`
        await write()
      }
      return { file: await (input() as Promise<Input>), rows }
    },
  }
}
