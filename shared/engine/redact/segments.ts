import type { Naming } from '../asset-name.ts'
import type { Detector, Span } from '../detect/span.ts'
import { createTally, type Tally } from '../findings.ts'
import { filesIn, type HeldFile } from '../formats/container/file-address.ts'
import type { BatchEdits, Edit, Editor, Expected, Format, Segment } from '../formats/format.ts'
import { applyEdits } from '../formats/plain/write.ts'
import { isAlike } from '../operators/index.ts'
import type { Replacer } from '../operators/replacer.ts'
import type { Plan } from '../plan.ts'
import type { Review } from '../review/decisions.ts'
import type { RiskPass } from '../risk/risk-pass.ts'
import { createRemovedValues, type RemovedValues } from '../verify/removed-values.ts'
import { createCellEditor } from './cells.ts'
import { outsideFiles, withoutFiles } from './files.ts'
import { neutraliseCell } from './formulas.ts'
import type { Matches } from './matches.ts'
import type { Places } from './places.ts'
import { ShownTexts } from './shown-texts.ts'
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

/** Counts and notes what targets replace. */
function noteAll({ tally, removed, naming }: Pass, targets: readonly PlacedTarget[]): void {
  for (const { rule, label, value, text, spelt } of targets) {
    tally.add(rule, label, 1)
    removed.add(value)
    naming?.see(value, rule, label)
    if (text !== value && !spelt) removed.add(text)
  }
}

/** Renders the replacements of targets, and counts and notes what they replace. */
async function replace(pass: Pass, targets: PlacedTarget[]): Promise<string[]> {
  const texts = await pass.replacer(targets)
  noteAll(pass, targets)
  return texts
}

/** Notes what a segment becomes by its edits, whose replacements are there, and tells it. */
function settle(pass: Pass, segment: Segment, edits: Edit[], targets: readonly PlacedTarget[]): string {
  const { editing, format, risk, matches, places, shown } = pass
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
  return text
}

/** The edits of the segments of a batch, still without their texts, the targets of all of them, and files that are taken away. */
type Work = { edits: Edit[][]; targets: PlacedTarget[]; gone: HeldFile[][] }

async function findEdits(pass: Pass, batch: Segment[], extra?: (segment: Segment) => readonly Span[]): Promise<Work> {
  const found = await pass.detector.detect(batch)
  const work: Work = { edits: new Array(batch.length), targets: [], gone: [] }
  for (let index = 0; index < batch.length; index++) {
    const more = extra?.(batch[index]!) ?? none
    addEdits(pass, work, batch, index, more.length > 0 ? [...found[index]!, ...more] : found[index]!)
  }
  return work
}

/** Adds the edits of one segment of a batch. */
function addEdits(pass: Pass, work: Work, batch: readonly Segment[], index: number, found: Span[]): void {
  const { plan, review, editing, subjects, files } = pass
  const { targets } = work
  const segment = batch[index]!
  let spans = found
  if (files) {
    const held = filesIn(segment.text)
    editing.files += held.length
    if (files === 'empty' && held.length > 0) {
      work.gone[index] = held
      spans = outsideFiles(spans, held)
    }
  }
  const from = targets.length
  const asked = { listed: isListed(pass), decided: review?.see(segment) }
  work.edits[index] = targetsOf(segment, spans, plan.rules, asked, targets)
  if (subjects) for (const target of targets.slice(from)) target.subject = subjects(target.rule, segment.place)
}

/** Puts the replacements of targets into their edits: each has one, in the same order. */
function fillIn({ alike }: Pass, { edits, targets }: Work, texts: readonly string[]): void {
  let at = 0
  let next = 0
  for (const own of edits) {
    for (const edit of own) {
      const { rule, write } = targets[at++]!
      if (rule < 0) continue
      edit.text = write(texts[next++]!)
      if (alike.has(rule)) edit.isAlike = true
    }
  }
}

const none: readonly never[] = []

const isNew = ({ rule }: PlacedTarget) => rule >= 0

/** Settles the segments of a batch, and tells what each becomes. */
function settleAll(pass: Pass, batch: readonly Segment[], { edits, targets, gone }: Work): BatchEdits {
  const listed = isListed(pass)
  const edited: BatchEdits = new Array(batch.length)
  const becomes: string[] = new Array(batch.length)
  let at = 0
  for (let index = 0; index < batch.length; index++) {
    const segment = batch[index]!
    const own = edits[index]!
    const held = gone[index]
    edited[index] = pass.risk?.suppress(segment) ?? (held ? withoutFiles(own, held) : own)
    becomes[index] = settle(pass, segment, edited[index]!, listed ? targets.slice(at, at + own.length) : none)
    at += own.length
  }
  edited.texts = becomes
  return edited
}

async function editSegments(
  pass: Pass,
  batch: Segment[],
  extra?: (segment: Segment) => readonly Span[],
): Promise<BatchEdits> {
  const { risk, places, shown } = pass
  const work = await findEdits(pass, batch, extra)
  const { targets } = work
  const texts = await replace(pass, targets.every(isNew) ? targets : targets.filter(isNew))
  fillIn(pass, work, texts)
  const edited = settleAll(pass, batch, work)
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
    show: texts => shown.addAll(texts),
    finds: cells => detect(cells).length > 0,
  }
}

/** Starts an editing pass. `extra` adds spans to those of the detector (values known from elsewhere in the file). */
export function createEditing(parts: EditingParts, extra?: (segment: Segment) => readonly Span[]): Editing {
  const { plan, format, matches, review } = parts
  const tally = createTally(plan.rules)
  const removed = createRemovedValues(format.keepsText)
  const shown = new ShownTexts(format.keepsText)
  const editing: Editing = {
    findings: tally.findings,
    matches,
    examined: 0,
    neutralised: 0,
    files: 0,
    edit: Object.assign((batch: Segment[]) => editSegments(pass, batch, extra), {
      show: (texts: Parameters<ShownTexts['addTexts']>[0]) => shown.addTexts(texts),
    }),
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
