import type { Naming } from '../asset-name.ts'
import { type CellStretches, mergeHits } from '../detect/cells.ts'
import { escapedLike } from '../detect/escaped-like.ts'
import { withoutEscapes } from '../detect/escapes.ts'
import type { CellHits, Span } from '../detect/span.ts'
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

/** What is being edited in some cells: what takes the place of each stretch, and of which it must still be asked for. */
type Edited = {
  bytes: string
  raw?: Uint8Array
  stretches: CellStretches
  labels: readonly string[]
  /** What takes the place of everything that a rule finds, where it is always the same. */
  fixed: readonly (string | undefined)[]
  texts: string[]
  dynamic: number[]
  targets: Target[]
}

/** A stretch that is a part of what was found, or was found in what its cell says. */
function seePart({ removed, naming }: CellWork, edited: Edited, index: number, part: Span): void {
  const { bytes, stretches, labels, fixed, texts } = edited
  const { at, rules } = stretches
  const rule = rules[index]!
  const source = bytes.slice(at[index * 2]!, at[index * 2 + 1]!)
  const owner = bytes.slice(part.start, part.end)
  if (!part.escaped) {
    removed.addBytes(source, 0, source.length)
    if (naming?.mayHold(source.charCodeAt(0), source.length)) naming.see(decode(source), rule, labels[rule]!)
    removed.addBytes(owner, 0, owner.length)
    fill(edited, index, decode(owner), decode(source))
    return
  }
  const value = withoutEscapes(decode(owner))
  removed.add(value)
  naming?.see(value, rule, labels[rule]!)
  if (fixed[rule] === undefined) fill(edited, index, value, withoutEscapes(decode(source)))
  else texts[index] = escapedLike(decode(source), fixed[rule])
}

/** Puts what takes the place of a stretch there, or notes that it is to be asked for. */
function fill(
  { stretches, labels, fixed, texts, dynamic, targets }: Edited,
  index: number,
  value: string,
  text: string,
) {
  const rule = stretches.rules[index]!
  if (fixed[rule] !== undefined) {
    texts[index] = fixed[rule]
    return
  }
  dynamic.push(index)
  targets.push({ rule, label: labels[rule]!, value, text })
}

function seeAll(work: CellWork, edited: Edited): void {
  const { removed, naming } = work
  const { bytes, raw, stretches, labels, fixed, texts } = edited
  const { at, rules, owners } = stretches
  for (let index = 0; index < rules.length; index++) {
    const part = owners.size > 0 ? owners.get(index) : undefined
    if (part) {
      seePart(work, edited, index, part)
      continue
    }
    const rule = rules[index]!
    const start = at[index * 2]!
    const end = at[index * 2 + 1]!
    removed.addBytes(bytes, start, end, raw)
    if (naming?.mayHold(bytes.charCodeAt(start), end - start))
      naming.see(decode(bytes.slice(start, end)), rule, labels[rule]!)
    const text = fixed[rule]
    if (text !== undefined) texts[index] = text
    else {
      const value = decode(bytes.slice(start, end))
      fill(edited, index, value, value)
    }
  }
}

/** How often each of so many rules stands in a list. */
function countOf(found: Int32Array, rules: number): Int32Array {
  const counts = new Int32Array(rules)
  for (let index = 0; index < found.length; index++) counts[found[index]!]!++
  return counts
}

/** Makes the editor of many cells at once; it does exactly what editing their segments does. */
export function createCellEditor(work: CellWork): (batch: Cells) => Promise<CellEdits> {
  const { rules, replacer, tally } = work
  const fixed = rules.map(({ replacement, name }) => constantOf(replacement, { label: name, rule: name }))
  const labels = rules.map(({ name }) => name)

  return async cells => {
    const { bytes, raw } = cells
    const stretches = mergeHits(work.detect(cells), labels, bytes)
    const { at, rules: found, owners } = stretches
    const texts: string[] = new Array(found.length)
    const edited: Edited = { bytes, raw, stretches, labels, fixed, texts, dynamic: [], targets: [] }
    seeAll(work, edited)
    for (const [rule, count] of countOf(found, labels.length).entries())
      if (count > 0) tally.add(rule, labels[rule]!, count)
    if (edited.targets.length > 0) {
      const rendered = await replacer(edited.targets)
      edited.dynamic.forEach((index, place) => {
        const source = owners.get(index)?.escaped && decode(bytes.slice(at[index * 2]!, at[index * 2 + 1]!))
        texts[index] = source ? escapedLike(source, rendered[place]!) : rendered[place]!
      })
    }
    const edits = { at, texts }
    if (work.formulas) work.editing.neutralised += neutraliseCells(bytes, edits)
    return edits
  }
}
