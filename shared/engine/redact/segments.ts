import type { Naming } from '../asset-name.ts'
import type { Detector, Span } from '../detect/span.ts'
import { createTally, type Tally } from '../findings.ts'
import type { Edit, Editor, Expected, Format, Segment } from '../formats/format.ts'
import { applyEdits } from '../formats/plain/write.ts'
import { isAlike } from '../operators/index.ts'
import type { Replacer } from '../operators/replacer.ts'
import type { Plan } from '../plan.ts'
import type { Review } from '../review/decisions.ts'
import type { RiskPass } from '../risk/risk-pass.ts'
import { createRemovedValues, type RemovedValues } from '../verify/removed-values.ts'
import { createCellEditor } from './cells.ts'
import { filesIn, outsideFiles, withoutFiles } from './files.ts'
import { neutraliseCell } from './formulas.ts'
import type { Matches } from './matches.ts'
import type { Places } from './places.ts'
import { createShownTexts, type ShownTexts } from './shown-texts.ts'
import type { Subjects } from './subjects.ts'
import { type PlacedTarget, targetsOf } from './targets.ts'

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
  /** Files in addresses of tables, into which nobody looks. */
  files: number
}

/** What an editing pass works with; `risk` measures the records that it edits, `files` says what becomes of {@link filesIn}. */
type EditingParts = {
  plan: Plan
  detector: Detector
  replacer: Replacer
  format: Pick<Format, 'keepsText' | 'formulas'>
  risk?: Pick<RiskPass, 'suppress' | 'add' | 'relieve'>
  naming?: Naming
  matches?: Matches
  places?: Places
  review?: Review
  files?: 'empty' | 'keep'
  /** Whose values are, where replacements go by that. */
  subjects?: Subjects
}

/** A pass and what it collects on the way. */
type Pass = EditingParts & {
  editing: Editing
  tally: Tally
  removed: RemovedValues
  shown: ShownTexts
  /** Rules whose replacements read like values. */
  alike: ReadonlySet<number>
}

/** Whether what is found is told one by one. */
const isListed = ({ matches, places }: Pick<EditingParts, 'matches' | 'places'>): boolean =>
  matches !== undefined || places !== undefined

/** Renders the replacements of targets, and counts and notes what they replace. */
async function replace({ replacer, tally, removed, naming }: Pass, targets: PlacedTarget[]): Promise<string[]> {
  const texts = await replacer(targets)
  for (const { rule, label, value, text, spelt } of targets) {
    tally.add(rule, label, 1)
    removed.add(value)
    naming?.see(value, rule, label)
    if (text !== value && !spelt) removed.add(text)
  }
  return texts
}

/** Settles the edits of one segment, whose replacements are there, and notes what it becomes. */
function settle(pass: Pass, segment: Segment, replacements: Edit[], targets: PlacedTarget[]): Edit[] {
  const { editing, format, risk, matches, places, shown } = pass
  const edits = risk?.suppress(segment) ?? replacements
  const { kind } = segment.place
  if (format.formulas && (kind === 'cell' || kind === 'header') && neutraliseCell(segment.text, edits))
    editing.neutralised++
  const text = edits.length === 0 ? segment.text : applyEdits(segment.text, edits)
  editing.examined += segment.text.length
  shown.add(segment, text)
  risk?.add(segment, text)
  if (isListed(pass)) {
    const found = targets.map(target => target.found!)
    matches?.add(segment, found, edits)
    places?.add(segment, found)
  }
  return edits
}

async function editSegments(
  pass: Pass,
  batch: Segment[],
  extra?: (segment: Segment) => readonly Span[],
): Promise<Edit[][]> {
  const { plan, detector, risk, places, review, shown, editing, subjects } = pass
  const found = await detector.detect(batch)
  const work = batch.map((segment, index) => {
    const files = pass.files ? filesIn(segment.text) : []
    editing.files += files.length
    const gone = pass.files === 'empty' ? files : []
    const more = extra?.(segment) ?? []
    const all = more.length > 0 ? [...found[index]!, ...more] : found[index]!
    const asked = { listed: isListed(pass), decided: review?.see(segment) }
    const { edits, targets } = targetsOf(segment, outsideFiles(all, gone), plan.rules, asked)
    if (subjects) for (const target of targets) target.subject = subjects(target.rule, segment.place)
    return { edits, targets, gone }
  })
  const replaced: PlacedTarget[] = []
  for (const { targets } of work) for (const target of targets) if (target.rule >= 0) replaced.push(target)
  const texts = await replace(pass, replaced)
  let next = 0
  const edited = batch.map((segment, index) => {
    const { edits, targets, gone } = work[index]!
    targets.forEach(({ rule, write }, place) => {
      if (rule < 0) return
      edits[place]!.text = write(texts[next++]!)
      if (pass.alike.has(rule)) edits[place]!.isAlike = true
    })
    return settle(pass, segment, withoutFiles(edits, gone), targets)
  })
  shown.flush()
  await risk?.relieve()
  await places?.relieve()
  return edited
}

/** Edits many cells at once, where every rule is a pattern and nothing needs the text of a cell by itself. */
function cellEditor({ plan, detector, replacer, format, naming, ...pass }: Pass): Editor['cells'] {
  const { editing, tally, removed, shown } = pass
  const { cells: detect } = detector
  if (!detect || pass.risk || pass.review || pass.subjects || isListed(pass) || format.keepsText) return undefined
  const formulas = format.formulas === true
  const edit = createCellEditor({ rules: plan.rules, detect, replacer, removed, naming, tally, editing, formulas })
  return {
    edit: cells => {
      editing.examined += cells.length
      return edit(cells)
    },
    show: shown.addAll,
  }
}

/** Starts an editing pass. `extra` adds spans to those of the detector (values known from elsewhere in the file). */
export function createEditing(parts: EditingParts, extra?: (segment: Segment) => readonly Span[]): Editing {
  const { plan, format, matches, review } = parts
  const tally = createTally(plan.rules)
  const removed = createRemovedValues(format.keepsText)
  const shown = createShownTexts(format.keepsText)
  const editing: Editing = {
    findings: tally.findings,
    matches,
    examined: 0,
    neutralised: 0,
    files: 0,
    edit: Object.assign((batch: Segment[]) => editSegments(pass, batch, extra), { show: shown.addTexts }),
    expected() {
      const expected = shown.expected(removed)
      return review ? { ...expected, gone: expected.gone.filter(value => !review.left(value)) } : expected
    },
  }
  const alike = new Set(plan.rules.flatMap(({ replacement }, rule) => (isAlike(replacement) ? [rule] : [])))
  const pass: Pass = { ...parts, editing, tally, removed, shown, alike }
  if (!extra) editing.edit.cells = cellEditor(pass)
  return editing
}
