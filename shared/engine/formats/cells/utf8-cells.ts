import { separator } from '../../detect/regex/separator.ts'
import { holdsFile } from '../container/file-address.ts'
import type { Cells, Editor, Place, Reading, Segment } from '../format.ts'
import { applyEdits } from '../plain/write.ts'

/** The texts of some cells as UTF-8, one character for each byte, and where they stand. All or none are visible. */
export type ByteCells = {
  texts: readonly string[]
  /** Name of the column of a cell. */
  column(index: number): string
  place(index: number): Place
  /** How people may see some of the cells, by their index, in order. */
  readings?: ReadonlyMap<number, readonly Reading[]>
  visible: boolean
  /** Whether the format itself tells what they show in the end. */
  later?: true
}

/** UTF-8 bytes read as characters, from text. */
export const toBytes = (text: string) => (/[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text)

/** Text from its UTF-8 bytes read as characters. */
export const fromBytes = (bytes: string) =>
  /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes

/** Places of a character in a text. */
function placesOf(text: string, character: string): number {
  let number = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) number++
  return number
}

/** Cells for the rules, of `count` texts that are joined by fences. */
export function cellBatch(
  { bytes, ascii, count }: { bytes: string; ascii: boolean; count: number },
  textsOf: () => readonly string[],
  column: (index: number) => string,
  readings?: ByteCells['readings'],
): Cells {
  /** A cell that holds the name of its column is none of its values. */
  const isValue = (text: string, name: string) => text.trim() !== toBytes(name)
  const isOf = (chosen: (column: string) => boolean, text: string, index: number) =>
    chosen(column(index)) && isValue(text, column(index))
  return {
    bytes,
    ascii,
    length: bytes.length - Math.max(0, count - 1),
    within: chosen =>
      textsOf()
        .map((text, index) => (isOf(chosen, text, index) ? text : separator.repeat(text.length)))
        .join(separator),
    ...(readings && {
      readings: chosen => readingsOf(textsOf(), readings, index => !chosen || isOf(chosen, textsOf()[index]!, index)),
    }),
  }
}

/** The readings of chosen cells, where these are joined by fences, as UTF-8. */
function readingsOf(
  texts: readonly string[],
  readings: NonNullable<ByteCells['readings']>,
  isChosen: (index: number) => boolean,
): (Reading & { base: number })[] {
  const found: (Reading & { base: number })[] = []
  let start = 0
  let next = 0
  for (const [index, own] of readings) {
    for (; next < index; next++) start += texts[next]!.length + 1
    if (!isChosen(index)) continue
    for (const { text, escaped } of own) {
      const bytes = toBytes(text)
      const within = (at: number) => (bytes === text ? at : toBytes(text.slice(0, at)).length)
      // What is read otherwise are numbers and dates, whose characters are bytes.
      const inBytes = escaped.map((at, place) => (place % 4 < 2 ? within(at) : start + at))
      found.push({ text: bytes, base: start, escaped: inBytes })
    }
  }
  return found
}

/** Each cell as a segment of its own. */
export const cellSegments = ({ texts, place, readings, visible, later }: ByteCells): Segment[] =>
  texts.map((text, index): Segment => {
    const segment: Segment = { text: fromBytes(text), place: place(index), visible }
    if (later) segment.later = later
    const own = readings?.get(index)
    if (own) segment.readings = own
    return segment
  })

/**
 * Asks for the edits of cells, all at once where the rules allow it. Gives the new texts of those that change, in order;
 * `note` is told each value that is replaced with what stands in its place.
 */
export async function editByteCells(
  edit: Editor,
  cells: ByteCells,
  note?: (value: string, replacement: string) => void,
): Promise<Map<number, string>> {
  const { texts, visible, later } = cells
  const changed = new Map<number, string>()
  if (texts.length === 0) return changed
  const bytes = texts.join(separator)
  if (edit.cells === undefined || holdsFile(bytes) || placesOf(bytes, separator) !== texts.length - 1) {
    const batch = cellSegments(cells)
    const edits = await edit(batch)
    batch.forEach(({ text }, index) => {
      for (const { start, end, text: by } of edits[index]!) note?.(text.slice(start, end), by)
      if (edits[index]!.length > 0) changed.set(index, toBytes(applyEdits(text, edits[index]!)))
    })
    return changed
  }
  const { at, texts: replacements } = await edit.cells.edit(
    cellBatch(
      { bytes, ascii: !/[\x80-\xff]/.test(bytes), count: texts.length },
      () => texts,
      cells.column,
      cells.readings,
    ),
  )
  let cell = 0
  let start = 0
  for (let next = 0; next < replacements.length; ) {
    while (start + texts[cell]!.length < at[next * 2]!) start += texts[cell++]!.length + 1
    const end = start + texts[cell]!.length
    let text = ''
    let done = start
    for (; next < replacements.length && at[next * 2]! < end; next++) {
      const from = at[next * 2]!
      text += bytes.slice(done, from) + toBytes(replacements[next]!)
      done = at[next * 2 + 1]!
      note?.(fromBytes(bytes.slice(from, done)), replacements[next]!)
    }
    changed.set(cell, text + bytes.slice(done, end))
  }
  if (visible && !later) {
    const shown = changed.size === 0 ? texts : texts.map((text, index) => changed.get(index) ?? text)
    edit.cells.show(Buffer.from(`${shown.join('\u00ff')}\u00ff`, 'latin1'))
  }
  return changed
}
