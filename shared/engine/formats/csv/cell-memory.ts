import { lane } from '../../assembly.ts'

/** Most bytes that are scanned in one go. */
export const mostScanned = 128 * 1024

const margin = 4 * lane
/** Room for a number of each cell: each takes a byte at least, and the last of a file may take none. */
const perCell = 4 * (mostScanned + 1)
const listsAt = 2 * (mostScanned + margin)
/** Most edits that are written in one go, and bytes of different replacements, and of what is written. */
export const mostEdits = 16 * 1024
export const mostReplacing = 64 * 1024
export const mostWritten = 640 * 1024
const editsAt = listsAt + 5 * perCell + 528
const writtenAt = editsAt + mostEdits * 28 + mostReplacing + 64

/** Where in memory the bytes are, the texts of cells, and the numbers that are told of each cell. */
export const places = {
  bytes: 0,
  texts: mostScanned + margin,
  starts: listsAt,
  ends: listsAt + perCell,
  stops: listsAt + 2 * perCell,
  columns: listsAt + 3 * perCell,
  /** Cells whose first byte may be that of a formula. */
  marked: listsAt + 4 * perCell,
  /** Bytes of complete records, how many cells they have, bytes of their texts, and how many cells are marked. */
  result: listsAt + 5 * perCell,
  /** For each byte whether a formula may begin with it. */
  marks: listsAt + 5 * perCell + 16,
  /** For each byte what it is in a cell that is written. */
  kinds: listsAt + 5 * perCell + 272,
  /** Of each edit: where it begins and ends in the texts, and where its replacement is and how long. */
  edits: editsAt,
  replacements: editsAt + mostEdits * 16,
  /** Of changed cells that may be formulas, or were: which one, and where it begins and ends in what is shown. */
  flagged: editsAt + mostEdits * 16 + mostReplacing,
  /** How far writing has come: edits, cells, bytes and texts that are done, what is shown, written and flagged, where the cell begins. */
  state: editsAt + mostEdits * 28 + mostReplacing,
  shown: writtenAt,
  output: writtenAt + mostWritten + margin,
}
export const pages = Math.ceil((places.output + mostWritten + margin) / 65_536)
