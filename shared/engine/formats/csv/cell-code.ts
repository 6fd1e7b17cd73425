import { assemble } from '../../assembly.ts'
import { mostEdits, mostReplacing, mostScanned, mostWritten, pages, places } from './cell-memory.ts'
import { marks } from './sanitise.ts'
import { scanCode } from './scan-code.ts'
import { copyCode, spliceCode } from './splice-code.ts'

type CellCode = {
  scan(length: number, last: number, delimiter: number, quote: number): void
  splice(count: number, filled: number, consumed: number, quote: number): number
}

/** Makes the code ready that finds cells and writes them, with a memory of its own, and what is to be read and written there. */
export function loadCells() {
  const { memory, scan, splice } = assemble<CellCode>(pages, [
    { name: 'copy', parameters: 3, answers: false, body: copyCode },
    { name: 'scan', parameters: 4, answers: false, body: scanCode },
    { name: 'splice', parameters: 4, answers: true, body: spliceCode },
  ])
  memory.set(marks, places.marks)
  const list = (at: number, length = mostScanned + 1) => new Int32Array(memory.buffer, at, length)
  const bytes = (at: number, length: number) => new Uint8Array(memory.buffer, at, length)
  return {
    scan,
    bytes: bytes(places.bytes, mostScanned),
    texts: bytes(places.texts, mostScanned + 1),
    starts: list(places.starts),
    ends: list(places.ends),
    stops: list(places.stops),
    columns: list(places.columns),
    marked: list(places.marked),
    result: list(places.result, 4),
    splice,
    kinds: bytes(places.kinds, 256),
    edits: list(places.edits, 4 * mostEdits),
    replacements: bytes(places.replacements, mostReplacing),
    flagged: list(places.flagged, 3 * mostEdits),
    state: list(places.state, 8),
    shown: bytes(places.shown, mostWritten),
    output: bytes(places.output, mostWritten),
  }
}

export type CellMemory = ReturnType<typeof loadCells>
