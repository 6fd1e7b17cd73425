import type { Naming } from '../asset-name.ts'
import { escapedLike, withoutEscapes } from '../detect/escapes.ts'
import { resolveOverlaps } from '../detect/overlap.ts'
import type { Detector, Span } from '../detect/span.ts'
import { createTally, type Tally } from '../findings.ts'
import type { Edit, Editor, Expected, Format, Place, Segment } from '../formats/format.ts'
import { applyEdits } from '../formats/plain/write.ts'
import type { Target } from '../operators/operator.ts'
import type { Replacer } from '../operators/replacer.ts'
import type { Plan } from '../plan.ts'
import type { RiskPass } from '../risk/risk-pass.ts'
import { textDigest } from '../verify/digest.ts'
import { createRemovedValues, type RemovedValues } from '../verify/removed-values.ts'
import { createCellEditor, formulaCodes } from './cells.ts'
import { type Found, foundBy, type Matches } from './matches.ts'

/** One pass of editing over a file: what is asked by the format's writer, and what came of it. */
export type Editing = {
  edit: Editor
  /** What the output must hold; call when all batches were edited. */
  expected(): Expected
  /** Replaced detections of every rule of the plan, in its order. */
  findings: Tally['findings']
  /** The same one by one, where they are listed. */
  matches?: Matches
  /** Characters looked at; of cells edited together, bytes. */
  examined: number
  /** Replacements that would have begun a formula and were made harmless. */
  neutralised: number
}

/** Puts an apostrophe before a changed cell that a spreadsheet program would now run as a formula. */
function neutralise(text: string, edits: Edit[]): boolean {
  const changed = applyEdits(text, edits)
  if (!formulaCodes.has(changed.charCodeAt(0)) || changed[0] === text[0]) return false
  const first = edits[0]!
  if (first.start === 0) edits[0] = { ...first, text: `'${first.text}` }
  else edits.unshift({ start: 0, end: 0, text: "'" })
  return true
}

/** What is to be replaced, how the replacement is written where it stands, and whether its value is spelt otherwise there. */
type Placed = Target & { write(replacement: string): string; spelt: boolean; found?: Found }

const asItIs = (text: string) => text

/** What another detection has left of one, without the blanks where it was cut: they part two replacements. */
function inked(window: string, owner: Span, [from, to]: [number, number], base: number): [number, number] {
  let [start, end] = [from, to]
  if (start > owner.start) while (start < end && /\s/.test(window[start + base]!)) start++
  if (end < owner.end) while (start < end && /\s/.test(window[end - 1 + base]!)) end--
  return [start, end]
}

/** What an editing pass works with; `risk` measures the records that it edits. */
type EditingParts = {
  plan: Plan
  detector: Detector
  replacer: Replacer
  format: Pick<Format, 'keepsText' | 'formulas'>
  risk?: Pick<RiskPass, 'suppress' | 'add' | 'relieve'>
  naming?: Naming
  matches?: Matches
}

/** Starts an editing pass. `extra` adds spans to those of the detector (values known from elsewhere in the file). */
export function createEditing(
  { plan, detector, replacer, format, risk, naming, matches }: EditingParts,
  extra?: (segment: Segment) => Span[],
): Editing {
  const digest = textDigest()
  const visible: { place: Place; text: string }[] = []
  const hidden: string[] = []
  const gone: RemovedValues = createRemovedValues(format.keepsText)
  const tally = createTally(plan.rules)
  const isGuess = ({ rule }: Span) => plan.rules[rule]!.detection.type === 'AIMODEL'

  /** The edits of one segment without their texts, and what those are to be made from. */
  const targetsOf = (segment: Segment, spans: Span[]): { edits: Edit[]; targets: Placed[] } => {
    const { before = '', text, after = '' } = segment
    const window = before === '' && after === '' ? text : before + text + after
    const base = before.length
    const edits: Edit[] = []
    const targets: Placed[] = []
    for (const { start, end, owner } of resolveOverlaps(spans)) {
      const [from, to] = isGuess(owner) ? inked(window, owner, [start, end], base) : [start, end]
      if (from >= text.length || to <= 0 || from === to) continue
      const edit = { start: Math.max(0, from), end: Math.min(text.length, to), text: '' }
      edits.push(edit)
      // The piece before has put the replacement of what began there.
      const said = owner.escaped ? withoutEscapes : asItIs
      const value = owner.value ?? said(window.slice(owner.start + base, owner.end + base))
      const source = window.slice(from + base, to + base)
      targets.push({
        found: matches && {
          ...edit,
          owner: foundBy(owner, spans),
          value: window.slice(edit.start + base, edit.end + base),
          continues: from < 0,
        },
        rule: from < 0 ? -1 : owner.rule,
        label: owner.label,
        value,
        text: said(source),
        spelt: owner.value !== undefined,
        write: owner.escaped ? text => escapedLike(source, text) : asItIs,
      })
    }
    return { edits, targets }
  }

  const editSegments = async (batch: Segment[]): Promise<Edit[][]> => {
    const found = await detector.detect(batch)
    const work = batch.map((segment, index) =>
      targetsOf(segment, extra ? [...found[index]!, ...extra(segment)] : found[index]!),
    )
    const targets = work.flatMap(({ targets: all }) => all.filter(({ rule }) => rule >= 0))
    const texts = await replacer(targets)
    for (const { rule, label, value, text, spelt } of targets) {
      tally.add(rule, label, 1)
      gone.add(value)
      naming?.see(value, rule, label)
      if (text !== value && !spelt) gone.add(text)
    }
    let next = 0
    const shown: string[] = []
    const edited = batch.map((segment, index) => {
      const { edits: found, targets: own } = work[index]!
      own.forEach(({ rule, write }, place) => {
        if (rule >= 0) found[place]!.text = write(texts[next++]!)
      })
      const edits = risk?.suppress(segment) ?? found
      const { kind } = segment.place
      if (format.formulas && edits.length > 0 && (kind === 'cell' || kind === 'header')) {
        if (neutralise(segment.text, edits)) editing.neutralised++
      }
      const text = edits.length === 0 ? segment.text : applyEdits(segment.text, edits)
      editing.examined += segment.text.length
      const seen = segment.visible && !segment.later
      if (seen && segment.before === undefined && segment.after === undefined) shown.push(text)
      else if (seen) {
        digest.addTexts(shown.splice(0))
        digest.add({ text, before: segment.before })
      }
      risk?.add(segment, text)
      matches?.add(
        segment,
        own.map(({ found }) => found!),
        edits,
      )
      if (format.keepsText) {
        if (seen) visible.push({ place: segment.place, text })
        else hidden.push(text)
      }
      return edits
    })
    digest.addTexts(shown)
    await risk?.relieve()
    return edited
  }

  /** Many cells at once, where every rule is a pattern and no value from elsewhere is looked for. */
  const cellEditor = (): Editor['cells'] => {
    if (!detector.cells || extra || risk || matches || format.keepsText) return undefined
    const detect = detector.cells
    const neutralised = () => {
      editing.neutralised++
    }
    const formulas = format.formulas === true
    const edit = createCellEditor({ rules: plan.rules, detect, replacer, gone, naming, tally, neutralised, formulas })
    return {
      edit: cells => {
        editing.examined += cells.length
        return edit(cells)
      },
      show: texts => digest.addAll(texts),
    }
  }

  const editing: Editing = {
    findings: tally.findings,
    matches,
    examined: 0,
    neutralised: 0,
    edit: Object.assign(editSegments, {
      cells: cellEditor(),
      show(texts: readonly { place: Place; text: string }[]) {
        digest.addTexts(texts.map(({ text }) => text))
        if (format.keepsText) visible.push(...texts)
      },
    }),
    expected() {
      const texts = visible.map(({ text }) => text)
      return {
        digest: digest.hex(),
        visible,
        gone: format.keepsText ? gone.without([...texts, ...hidden]) : gone.values(),
      }
    },
  }
  return editing
}
