import type { Naming } from '../asset-name.ts'
import { mergeHits } from '../detect/cells.ts'
import { escapedLike, withoutEscapes } from '../detect/escapes.ts'
import type { CellHits } from '../detect/span.ts'
import type { Tally } from '../findings.ts'
import type { CellEdits, Cells } from '../formats/format.ts'
import { constantOf } from '../operators/index.ts'
import type { Target } from '../operators/operator.ts'
import type { Replacer } from '../operators/replacer.ts'
import type { PlannedRule } from '../plan.ts'
import type { RemovedValues } from '../verify/removed-values.ts'
import { neutraliseCells } from './formulas.ts'

/** What editing many cells at once needs to know and to tell. */
export type CellWork = {
  rules: readonly PlannedRule[]
  detect(batch: Cells): CellHits[]
  replacer: Replacer
  removed: RemovedValues
  naming?: Naming
  tally: Tally
  /** Counts the replacements that were kept from beginning a formula. */
  editing: { neutralised: number }
  formulas: boolean
}

/** Text from its UTF-8 bytes read as characters. */
const decode = (bytes: string) => (/[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes)

/** Makes the editor of many cells at once; it does exactly what editing their segments does. */
export function createCellEditor(work: CellWork): (batch: Cells) => Promise<CellEdits> {
  const { rules, replacer, removed, naming, tally } = work
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
      const part = parts.size > 0 ? parts.get(index) : undefined
      counts[rule]!++
      const text = fixed[rule]
      if (part?.escaped) {
        const source = decode(bytes.slice(start, end))
        const value = withoutEscapes(decode(bytes.slice(part.start, part.end)))
        removed.add(value)
        naming?.see(value, rule, labels[rule]!)
        if (text === undefined) {
          dynamic.push(index)
          targets.push({ rule, label: labels[rule]!, value, text: withoutEscapes(source) })
        } else texts[index] = escapedLike(source, text)
        continue
      }
      removed.addBytes(bytes, start, end)
      if (naming?.mayHold(bytes.charCodeAt(start), end - start))
        naming.see(decode(bytes.slice(start, end)), rule, labels[rule]!)
      if (part) removed.addBytes(bytes, part.start, part.end)
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
    const edits = { at, texts }
    if (work.formulas) work.editing.neutralised += neutraliseCells(bytes, edits)
    return edits
  }
}
