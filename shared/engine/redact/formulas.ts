import { separator } from '../detect/regex/separator.ts'
import type { CellEdits, Edit } from '../formats/format.ts'

/** What makes a formula of a cell that begins with it. */
const formulaCodes: ReadonlySet<number> = new Set(Array.from('=+-@\t\r', character => character.charCodeAt(0)))

const fenceCode = separator.charCodeAt(0)

/**
 * Of the edits at the beginning of a cell, of which `first` is one: that whose replacement, or the text that it leaves
 * behind it, now begins the cell as a formula. Undefined when the cell began so before, or does not.
 */
function formulaEdit(text: string, { at, texts }: CellEdits, first: number): number | undefined {
  let index = first
  while (texts[index] === '' && at[index * 2 + 2] === at[index * 2 + 1]) index++
  const replacement = texts[index]!
  const code = replacement === '' ? text.charCodeAt(at[index * 2 + 1]!) : replacement.charCodeAt(0)
  return formulaCodes.has(code) && code !== text.charCodeAt(at[first * 2]!) ? index : undefined
}

/** Puts an apostrophe before each changed cell that a spreadsheet program would now run as a formula: how many were. */
export function neutraliseCells(bytes: string, edits: CellEdits): number {
  const { at, texts } = edits
  let neutralised = 0
  for (let first = 0; first < texts.length; first++) {
    const start = at[first * 2]!
    if (start > 0 && bytes.charCodeAt(start - 1) !== fenceCode) continue
    const index = formulaEdit(bytes, edits, first)
    if (index === undefined) continue
    texts[index] = `'${texts[index]}`
    neutralised++
  }
  return neutralised
}

/** The same for one cell; whether it was. */
export function neutraliseCell(text: string, edits: Edit[]): boolean {
  if (edits[0]?.start !== 0) return false
  const at = edits.flatMap(({ start, end }) => [start, end])
  const index = formulaEdit(text, { at, texts: edits.map(edit => edit.text) }, 0)
  if (index === undefined) return false
  edits[index] = { ...edits[index]!, text: `'${edits[index]!.text}` }
  return true
}
