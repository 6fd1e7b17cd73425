import { createNaming, nameEdits, renamed } from './asset-name.ts'
import { checkColumns } from './columns/check.ts'
import { createFields, type Fields } from './columns/field-names.ts'
import { sampleColumns } from './columns/sample.ts'
import { collectValues } from './detect/collect-values.ts'
import { createDetector } from './detect/detector.ts'
import { cachedDetector } from './detect/detector-cache.ts'
import type { LoadModel } from './detect/entity-model.ts'
import { knownValues } from './detect/known-values.ts'
import type { LoadList } from './detect/list-rules.ts'
import type { RegexBudgets } from './detect/regex/search.ts'
import { EngineError } from './errors.ts'
import type { Finding } from './findings.ts'
import type {
  Edit,
  Escalation,
  Expected,
  Extent,
  Format,
  FormatContext,
  Input,
  Leak,
  Limits,
  OpenFile,
  Output,
  WriteReport,
} from './formats/format.ts'
import { registry, sniff } from './formats/index.ts'
import { defaultLimits } from './limits.ts'
import type { Replaced } from './match.ts'
import type { OcrBudget } from './ocr/cache.ts'
import { OcrPending } from './ocr/pending.ts'
import { createReplacer, type Numbering } from './operators/replacer.ts'
import type { Secrets } from './operators/scope.ts'
import type { Plan } from './plan.ts'
import { createProgress, type Progress } from './progress.ts'
import { createMatches } from './redact/matches.ts'
import { createEditing, type Editing } from './redact/segments.ts'
import { type MeasuredRisk, measureRisk } from './risk/report.ts'
import type { RiskPass, Rows } from './risk/risk-pass.ts'
import { createRiskPass, suppressingOnly } from './risk/risk-pass.ts'
import { overlooked } from './verify/overlooked.ts'

/** Where outputs are written before they are known to be clean; a second one is made when something escalates. */
type Workspace = { create(name: string): Promise<{ output: Output; input(): Promise<Input> }> }

/** All that the anonymisation of one asset, or of one chunk of a table, needs. */
export type AnonymiseCall = {
  input: Input
  plan: Plan
  secrets: Secrets
  numbering: Numbering
  workspace: Workspace
  limits?: Partial<Limits>
  budgets?: Partial<RegexBudgets>
  /** Explicit choices for the format, such as `encoding`, `delimiter` or `header`. */
  options?: Record<string, unknown>
  /** Aborts on cancel and on time-out. */
  signal: AbortSignal
  /** One chunk of a table, as `splitAsset` gave it. */
  range?: { start: number; end: number }
  models?: LoadModel
  lists?: LoadList
  /** Bounds the pictures that this run reads; beyond it `OcrPending` is thrown, see {@link ocrPages}. */
  readings?: OcrBudget
  /** Lists what was replaced, with its places, as far as so many matches; nothing of it is listed otherwise. */
  listMatches?: number
  /** Told how far it has come, in bytes of the input or of its range: it grows, and is never more than all. */
  progress?: (bytes: number) => void
}

/** What an asset became. Holds no content. */
export type AnonymiseResult = {
  /** The name of the file, without the values that were replaced in it and in the file; and what was changed in it. */
  name: string
  nameEdits: Edit[]
  /** Identifier of the format. */
  format: string
  mediaType: string
  /** Replaced detections of every rule of the plan, in its order. */
  findings: Finding[]
  report: Omit<WriteReport, 'painted' | 'looks'> & {
    /** Characters that the rules looked at; in tables, bytes. */
    examined: number
    /** Steps taken because verification found the first output unclean. */
    escalated: Escalation[]
    /** Replacements that would have begun a formula and were made harmless. */
    neutralised: number
    /** What was detected about the file: encoding, delimiter, header, ... */
    choices: Record<string, unknown>
  }
  /** How identifiable a table is, before and after, where the plan says by what. */
  risk?: MeasuredRisk
  /** The same of a chunk, as counts that are to be put together. */
  tally?: Input
  /** Of a chunk whose records name their fields: what is to be checked of all chunks together, see {@link Fields}. */
  fields?: Fields
  /** What was replaced, where it was asked for: unlike all else here, it holds content. */
  matches?: Replaced[]
  output: Input
  bytesIn: number
  bytesOut: number
}

/** Times that an output is written again because it was not clean. */
const maxRounds = 4

/**
 * How much of the work that is left each time through the file is likely to take: to look for values (which is where models
 * work), to write, and to read the output again. Something is left for when an output must be written anew.
 */
const shares = { models: 0.8, values: 0.3, write: 0.5, verify: 0.9 }

function leakError(leaks: Leak[]): EngineError {
  const corrupt = leaks.find(({ type }) => type === 'corrupt_file')
  const { type, reason, place } = corrupt ?? leaks[0]!
  const where = [place.part, place.page === undefined ? undefined : `page ${place.page}`].filter(
    part => part !== undefined,
  )
  return new EngineError(type, where.length > 0 ? `${reason} (${where.join(', ')})` : reason, where)
}

/** What is wrong with an output; if it can't be told before pictures of it are read, `OcrPending` carries the output. */
async function verified(format: Format, output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  try {
    return await format.verify(output, expected, context)
  } catch (error) {
    if (error instanceof OcrPending) error.output = output
    throw error
  }
}

/** An output that was proven, what became of the editing that it came of, and the values that it was proven not to hold. */
type Clean = {
  output: Input
  editing: Editing
  gone: readonly string[]
  written: Omit<WriteReport, 'painted' | 'looks'>
  escalated: Escalation[]
}

/** What is to be written, and who is told how far that has come and what the names of its fields are. */
type Writing = {
  call: AnonymiseCall
  format: Format
  file: OpenFile
  context: FormatContext
  progress: Progress
  extent: Extent | undefined
  name: Expected['name']
  overlookedIn(leaks: Leak[], expected: Expected): Promise<Leak[]>
}

/** Anonymises with a format that is already open: writes, verifies, escalates, until the output is clean or fails. */
async function writeClean(
  { call, format, file, context, progress, extent, name, overlookedIn }: Writing,
  startEditing: () => Promise<Editing>,
): Promise<Clean> {
  const escalated: Escalation[] = []
  for (let round = 0; ; round++) {
    const editing = await startEditing()
    const { output: target, input: written } = await call.workspace.create(round === 0 ? 'output' : `output-${round}`)
    progress.pass(shares.write, extent)
    const { painted = [], looks = [], ...report } = await file.write(target, progress.editor(editing.edit), escalated)
    const output = await written()
    progress.pass(shares.verify, extent)
    const options = { ...context.options, ...file.choices }
    const expected = { ...editing.expected(), painted, looks, name }
    const leaks = await verified(format, progress.output(output), expected, { ...context, options })
    if (leaks.length === 0) return { output, editing, gone: expected.gone, written: report, escalated }
    const unseen = await overlookedIn(leaks, expected)
    if (unseen.length > 0) throw leakError(unseen)
    const known = new Set(escalated.map(step => JSON.stringify(step)))
    const cures = leaks.flatMap(({ escalation }) => (escalation ? [escalation] : []))
    const fresh = [...new Map(cures.map(step => [JSON.stringify(step), step]))].filter(([key]) => !known.has(key))
    if (fresh.length === 0 || round === maxRounds) throw leakError(leaks)
    escalated.push(...fresh.map(([, step]) => step))
  }
}

/**
 * Anonymises one asset: finds its format, detects, replaces, writes the output into the workspace and proves it clean by
 * reading it again. Either the whole output is proven, or an {@link EngineError} says why there is none.
 */
export async function anonymise(call: AnonymiseCall): Promise<AnonymiseResult> {
  const { plan, signal, range } = call
  signal.throwIfAborted()
  const limits = { ...defaultLimits, ...call.limits }
  const bytesIn = range ? Math.min(range.end, call.input.size) - range.start : call.input.size
  const progress = createProgress(call.input, bytesIn, call.progress)
  const { input } = progress
  if (input.size > limits.bytes)
    throw new EngineError('limit_exceeded', `The file is larger than ${limits.bytes} bytes`)
  const format = await sniff(input)
  const { readings, options = {} } = call
  const context: FormatContext = { registry, limits, signal, options, range, readings, drawings: { pixels: 0 } }
  const sample = format.type === 'TABLE' ? () => sampleColumns(format, call.input, context) : undefined
  const detector = await createDetector(plan, {
    signal,
    load: call.models,
    lists: call.lists,
    budgets: call.budgets,
    sample,
  })
  const file = await format.open(input, context)
  try {
    const { risk: riskPlan } = plan
    const named = riskPlan !== undefined || plan.rules.some(({ columns }) => columns !== undefined)
    const told = file.choices?.columns as string[] | undefined
    const names = told ?? (named ? await file.columns?.() : undefined)
    // One chunk of a table that only tells its columns in all of its records doesn't tell what the others have.
    const fields = range && file.columns ? createFields(call.secrets.pseudonym) : undefined
    if (names && !fields) checkColumns(plan, names)
    const fromModel = format.type === 'DOCUMENT' && plan.rules.some(({ detection }) => detection.type === 'AIMODEL')
    const found = format.type === 'DOCUMENT' ? cachedDetector(detector) : undefined
    const asking = found?.first ?? detector
    const extent = call.progress && file.extent?.()
    const collects = format.propagates || fromModel
    if (collects) progress.pass(fromModel ? shares.models : shares.values, extent)
    const known = collects
      ? await collectValues(file, asking, plan, { propagates: format.propagates, passed: progress.batch })
      : []
    const extra = known.length > 0 ? knownValues(known, detector.spare) : undefined
    const replacer = createReplacer(
      plan.rules,
      call.secrets,
      call.numbering,
      known.map(({ value }) => value),
    )
    const naming = createNaming(input.name)
    for (const { value, rule, label } of known) naming.see(value, rule, label)
    let pass: RiskPass | undefined
    const startEditing = async (rows?: Rows) => {
      const tally = riskPlan && format.type === 'TABLE' ? await call.workspace.create('tally') : undefined
      pass =
        tally && createRiskPass({ ...plan, risk: riskPlan! }, call.secrets.pseudonym, tally, { rows, columns: names })
      const asked = call.listMatches
      const parts = { plan, detector: found?.again() ?? detector, replacer, format, risk: pass, naming }
      return createEditing({ ...parts, matches: asked ? createMatches(plan, asked) : undefined }, extra)
    }
    const write = async (rows?: Rows) => {
      const rehearsed = rows && riskPlan && suppressingOnly(riskPlan, rows)
      await file.prepare?.(createEditing({ plan, detector, replacer, format, risk: rehearsed }, extra).edit)
      const values = known.map(({ value }) => value)
      const overlookedIn: Writing['overlookedIn'] = (leaks, expected) => overlooked(leaks, expected, values, detector)
      const writing = { call, format, file, context, progress, extent, name: fields?.add, overlookedIn }
      return writeClean(writing, () => startEditing(rows))
    }
    const first = await write()
    const measured = pass && (await measureRisk(plan.risk!, pass, range !== undefined))
    const suppressing = measured?.rows
    const { output, editing, gone, written, escalated } = suppressing ? await write(suppressing) : first
    const risk = suppressing ? await measureRisk(plan.risk!, pass!, false, measured) : measured
    const edits = await nameEdits(input.name, { detector, replacer, known: naming.values() })
    const name = renamed(input.name, edits)
    if (name !== input.name) written.warnings.push('The name of the file was changed: it held what the rules replace')
    return {
      name,
      nameEdits: edits,
      format: format.id,
      mediaType: format.mediaType,
      findings: editing.findings(),
      report: {
        ...written,
        examined: editing.examined,
        escalated,
        neutralised: editing.neutralised,
        choices: file.choices ?? {},
      },
      ...(risk?.figures && { risk: risk.figures }),
      ...(range && risk && { tally: risk.tally }),
      ...(fields && { fields: fields.end(gone, names) }),
      ...(call.listMatches && { matches: editing.matches?.list() }),
      output,
      bytesIn,
      bytesOut: output.size,
    }
  } finally {
    await file.close()
  }
}
