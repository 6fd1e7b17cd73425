import type { Naming } from '../asset-name.ts'
import { mergeHits } from '../detect/cells.ts'
import { escapedLike, withoutEscapes } from '../detect/escapes.ts'
import { separator } from '../detect/regex/separator.ts'
import type { CellHits } from '../detect/span.ts'
import type { Tally } from '../findings.ts'
import type { CellEdits, Cells } from '../formats/format.ts'
import { constantOf } from '../operators/index.ts'
import type { Target } from '../operators/operator.ts'
import type { Replacer } from '../operators/replacer.ts'
import type { PlannedRule } from '../plan.ts'
import type { RemovedValues } from '../verify/removed-values.ts'

/** What makes a formula of a cell that begins with it. */
export const formulaCodes: ReadonlySet<number> = new Set(Array.from('=+-@\t\r', character => character.charCodeAt(0)))

/** What editing many cells at once needs to know and to tell. */
export type CellWork = {
  rules: readonly PlannedRule[]
  detect(batch: Cells): CellHits[]
  replacer: Replacer
  gone: RemovedValues
  naming?: Naming
  tally: Tally
  /** Told for each replacement that was kept from beginning a formula. */
  neutralised(): void
  formulas: boolean
}

/** Text from its UTF-8 bytes read as characters. */
const decode = (bytes: string) => (/[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes)

/** Makes the editor of many cells at once; it does exactly what editing their segments does. */
export function createCellEditor(work: CellWork): (batch: Cells) => Promise<CellEdits> {
  const { rules, replacer, gone, naming, tally } = work
  const fixed = rules.map(({ replacement, name }) => constantOf(replacement, { label: name, rule: name }))
  const labels = rules.map(({ name }) => name)

  return async cells => {
    const { bytes } = cells
    const { at, rules: owners, owners: parts } = mergeHits(work.detect(cells), labels, bytes)
    const texts: string[] = new Array(owners.length)
    const counts = labels.map(() => 0)
    const dynamic: number[] = []
    const targets: Target[] = []
    for (let index = 0; index < owners.length; index++) {
      const rule = owners[index]!
      const start = at[index * 2]!
      const end = at[index * 2 + 1]!
      const part = parts.get(index)
      counts[rule]!++
      const text = fixed[rule]
      if (part?.escaped) {
        const source = decode(bytes.slice(start, end))
        const value = withoutEscapes(decode(bytes.slice(part.start, part.end)))
        gone.add(value)
        naming?.see(value, rule, labels[rule]!)
        if (text === undefined) {
          dynamic.push(index)
          targets.push({ rule, label: labels[rule]!, value, text: withoutEscapes(source) })
        } else texts[index] = escapedLike(source, text)
        continue
      }
      gone.addBytes(bytes, start, end)
      if (naming?.mayHold(bytes.charCodeAt(start), end - start))
        naming.see(decode(bytes.slice(start, end)), rule, labels[rule]!)
      if (part) gone.addBytes(bytes, part.start, part.end)
      if (text !== undefined) {
        texts[index] = text
        continue
      }
      dynamic.push(index)
      const value = decode(part ? bytes.slice(part.start, part.end) : bytes.slice(start, end))
      targets.push({ rule, label: labels[rule]!, value, text: part ? decode(bytes.slice(start, end)) : value })
    }
    for (const [rule, count] of counts.entries()) if (count > 0) tally.add(rule, labels[rule]!, count)
    if (targets.length > 0) {
      const rendered = await replacer(targets)
      dynamic.forEach((index, place) => {
        const source = parts.get(index)?.escaped && decode(bytes.slice(at[index * 2]!, at[index * 2 + 1]!))
        texts[index] = source ? escapedLike(source, rendered[place]!) : rendered[place]!
      })
    }
    if (work.formulas) neutralise(bytes, at, texts, work.neutralised)
    return { at, texts }
  }
}

const fenceCode = separator.charCodeAt(0)

/** Puts an apostrophe before what would now be run as a formula: cells that begin with a replacement, or with what one left. */
function neutralise(bytes: string, at: number[], texts: string[], tell: () => void) {
  /** Where the cell begins whose beginning has been removed so far, and where the removal ends. */
  let cell = -1
  let removedTo = -1
  for (let index = 0; index < texts.length; index++) {
    const start = at[index * 2]!
    const end = at[index * 2 + 1]!
    if (start !== removedTo) {
      if (start > 0 && bytes.charCodeAt(start - 1) !== fenceCode) continue
      cell = start
    }
    removedTo = -1
    const text = texts[index]!
    if (text === '' && at[index * 2 + 2] === end) {
      removedTo = end
      continue
    }
    const code = text === '' ? bytes.charCodeAt(end) : text.charCodeAt(0)
    if (formulaCodes.has(code) && code !== bytes.charCodeAt(cell)) {
      texts[index] = `'${text}`
      tell()
    }
  }
}
