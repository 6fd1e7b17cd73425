import { separator } from '../../detect/regex/separator.ts'
import { cellBatch, editByteCells, toBytes } from '../cells/utf8-cells.ts'
import { holdsFile } from '../container/file-address.ts'
import type { Cells, Editor } from '../format.ts'
import { type RowCells, textsOf } from './cells.ts'

/** New texts of cells, in order. */
export type Changed = { cells: number[]; texts: string[] }

/** The byte behind each text that is digested. */
const end = 0xff

/** The cells as rules are given them, all at once; nothing where they must be looked at one by one. */
function batchOf(cells: RowCells): Cells | undefined {
  const { bytes, ascii, count, column } = cells
  if (cells.isFenced) return undefined
  const joined = bytes.toString('latin1', 0, bytes.length - separator.length)
  if (holdsFile(joined)) return undefined
  return cellBatch({ bytes: joined, ascii, count }, () => textsOf(cells), column)
}

/** Whether it is certain that nothing in some rows will be edited. */
export function isUnchanged(edit: Editor, cells: RowCells): boolean {
  if (cells.count === 0) return true
  const batch = edit.cells?.finds && batchOf(cells)
  return batch !== undefined && !edit.cells!.finds!(batch)
}

/** Asks for the edits of the cells of some rows: all at once where the rules allow it. `visible` says whether the output shows them. */
export async function editRows(edit: Editor, cells: RowCells, visible: boolean): Promise<Changed> {
  const { count, column, place } = cells
  if (count === 0) return { cells: [], texts: [] }
  const batch = edit.cells && batchOf(cells)
  if (edit.cells === undefined || batch === undefined) {
    const changed = await editByteCells(edit, { texts: textsOf(cells), column, place, visible })
    return { cells: [...changed.keys()], texts: [...changed.values()] }
  }
  const { at, texts } = await edit.cells.edit(batch)
  let [last, bytesOfLast] = ['', '']
  const replacements = texts.map(text => {
    if (text !== last) [last, bytesOfLast] = [text, toBytes(text)]
    return bytesOfLast
  })
  if (visible) edit.cells.show(shownBytes(cells, at, replacements))
  return changedCells(cells, batch.bytes, at, replacements)
}

/** The cells as they are after their edits. */
function changedCells({ ends }: RowCells, joined: string, at: ArrayLike<number>, texts: readonly string[]): Changed {
  const changed: Changed = { cells: [], texts: [] }
  let cell = 0
  for (let next = 0; next < texts.length; ) {
    while (ends[cell]! < at[next * 2]!) cell++
    let done = cell === 0 ? 0 : ends[cell - 1]! + 1
    let text = ''
    for (; next < texts.length && at[next * 2]! < ends[cell]!; next++) {
      text += joined.slice(done, at[next * 2]) + texts[next]!
      done = at[next * 2 + 1]!
    }
    changed.cells.push(cell)
    changed.texts.push(text + joined.slice(done, ends[cell]))
  }
  return changed
}

/** Bytes from which on the platform copies faster than a loop does. */
const longCopy = 64

function copy(target: Buffer, at: number, bytes: Buffer, start: number, end: number): void {
  if (end - start >= longCopy) bytes.copy(target, at, start, end)
  else for (let from = start; from < end; from++) target[at + from - start] = bytes[from]!
}

/** What the output shows of the cells after their edits, as it is digested. */
function shownBytes({ bytes, ends, count }: RowCells, at: ArrayLike<number>, texts: readonly string[]): Buffer {
  for (let index = 0; index < count; index++) bytes[ends[index]!] = end
  if (texts.length === 0) return bytes
  const longer = texts.reduce((sum, text) => sum + text.length, 0)
  const shown = Buffer.allocUnsafe(bytes.length + longer)
  let length = 0
  let done = 0
  for (let next = 0; next < texts.length; next++) {
    const start = at[next * 2]!
    copy(shown, length, bytes, done, start)
    length += start - done
    const text = texts[next]!
    for (let index = 0; index < text.length; index++) shown[length + index] = text.charCodeAt(index)
    length += text.length
    done = at[next * 2 + 1]!
  }
  copy(shown, length, bytes, done, bytes.length)
  return shown.subarray(0, length + bytes.length - done)
}
