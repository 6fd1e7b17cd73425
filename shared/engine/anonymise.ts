import { createNaming, nameEdits, renamed } from './asset-name.ts'
import type { Fields } from './columns/field-names.ts'
import { EngineError } from './errors.ts'
import { openSearch, type SearchCall } from './file-search.ts'
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
  OpenFile,
  Workspace,
  WriteReport,
} from './formats/format.ts'
import type { Replaced } from './match.ts'
import { OcrPending } from './ocr/pending.ts'
import { createReplacer, type Numbering } from './operators/replacer.ts'
import type { Secrets } from './operators/scope.ts'
import type { Progress } from './progress.ts'
import { createMatches } from './redact/matches.ts'
import { type KeptPlaces, keepPlaces, type PlacesFile } from './redact/places.ts'
import { createEditing, type Editing } from './redact/segments.ts'
import { createReview, type Decision } from './review/decisions.ts'
import { type MeasuredRisk, measureRisk } from './risk/report.ts'
import type { RiskPass, Rows } from './risk/risk-pass.ts'
import { createRiskPass, suppressingOnly } from './risk/risk-pass.ts'
import { overlooked } from './verify/overlooked.ts'

/** All that the anonymisation of one asset, or of one chunk of a table, needs. */
export type AnonymiseCall = SearchCall & {
  secrets: Secrets
  numbering: Numbering
  workspace: Workspace
  /** Lists what was replaced, with its places, as far as so many matches; nothing of it is listed otherwise. */
  listMatches?: number
  /** Keeps the places of what was replaced in a file of its own. */
  keepFindings?: boolean
  /** What a review decided on this asset, in order; see {@link inspect}, which proposes. */
  decisions?: readonly Decision[]
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
  /** Places of what was replaced, where they are kept. */
  places?: PlacesFile
  output: Input
  bytesIn: number
  bytesOut: number
}

/** Times that an output is written again because it was not clean. */
const maxRounds = 4

/** How much of the work that is left is likely to be writing, and then reading the output again. Something is left for when an output must be written anew. */
const shares = { write: 0.5, verify: 0.9 }

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
  const { input, plan, range } = call
  const search = await openSearch(call)
  const { format, file, context, progress, extent, detector, columns: names, fields, known, extra } = search
  try {
    const { risk: riskPlan } = plan
    const replacer = createReplacer(
      plan.rules,
      call.secrets,
      call.numbering,
      known.map(({ value }) => value),
    )
    const naming = createNaming(input.name)
    // After a review only what is replaced counts, which editing tells.
    const { decisions, secrets } = call
    if (!decisions) for (const { value, rule, label } of known) naming.see(value, rule, label)
    const review = () => decisions && createReview(decisions, plan, { key: secrets.pseudonym, type: format.type })
    let pass: RiskPass | undefined
    let kept: KeptPlaces | undefined
    const startEditing = async (rows?: Rows) => {
      const tally = riskPlan && format.type === 'TABLE' ? await call.workspace.create('tally') : undefined
      pass =
        tally && createRiskPass({ ...plan, risk: riskPlan! }, call.secrets.pseudonym, tally, { rows, columns: names })
      const asked = call.listMatches
      kept = call.keepFindings
        ? await keepPlaces({ plan, key: call.secrets.pseudonym, known }, call.workspace)
        : undefined
      const parts = { plan, detector: search.again(), replacer, format, risk: pass, naming, review: review() }
      return createEditing(
        { ...parts, places: kept?.places, matches: asked ? createMatches(plan, asked) : undefined },
        extra,
      )
    }
    const write = async (rows?: Rows) => {
      const rehearsed = rows && riskPlan && suppressingOnly(riskPlan, rows)
      await file.prepare?.(
        createEditing({ plan, detector, replacer, format, risk: rehearsed, review: review() }, extra).edit,
      )
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
      ...(kept && { places: await kept.end() }),
      output,
      bytesIn: search.bytesIn,
      bytesOut: output.size,
    }
  } finally {
    await file.close()
  }
}
