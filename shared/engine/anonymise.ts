import { createNaming, type Naming, nameEdits, renamed, whyRenamed } from './asset-name.ts'
import type { Fields } from './columns/field-names.ts'
import { EngineError, namingTooLong } from './errors.ts'
import { type FileSearch, filesOf, openSearch, type SearchCall } from './file-search.ts'
import type { Finding } from './findings.ts'
import { reportFiles } from './formats/container/emptied-files.ts'
import type {
  Edit,
  Escalation,
  Expected,
  Format,
  FormatContext,
  Input,
  Leak,
  Workspace,
  WriteReport,
} from './formats/format.ts'
import { findValues } from './found-values.ts'
import type { Replaced } from './match.ts'
import { OcrPending } from './ocr/pending.ts'
import { createReplacer, type Numbering, type Replacer } from './operators/replacer.ts'
import type { Secrets } from './operators/scope.ts'
import { comparedBy } from './plan-facts.ts'
import { createMatches } from './redact/matches.ts'
import { type KeptPlaces, keepPlaces, type PlacesFile } from './redact/places.ts'
import { createEditing, type Editing } from './redact/segments.ts'
import { findSubjects, type Subjects } from './redact/subjects.ts'
import { checkMet, coverings, createReview, type Decision, type Rounds } from './review/decisions.ts'
import { type Measured, type MeasuredRisk, measureRisk } from './risk/report.ts'
import type { RiskPass, Rows } from './risk/risk-pass.ts'
import { createRiskPass, suppressingOnly } from './risk/risk-pass.ts'
import { filterOf } from './surrogates/value-filter.ts'
import { overlooked } from './verify/overlooked.ts'

/** All that the anonymisation of one asset, or of one chunk of a table, needs. */
export type AnonymiseCall = SearchCall & {
  secrets: Secrets
  numbering: Numbering
  /** Renders the replacements in place of the operators of the rules, as placeholders do. */
  replacer?: Replacer
  workspace: Workspace
  /**
   * The values of all files of its job, which `filterOf` makes: none of them becomes the surrogate of another. Without it, a whole
   * file is looked through by itself.
   */
  filter?: Uint8Array
  /** Lists what was replaced, with its places, as far as so many matches; nothing of it is listed otherwise. */
  listMatches?: number
  /** Keeps the places of what was replaced in a file of its own. */
  keepFindings?: boolean
  /** What a review decided on this asset, in order; see {@link inspect}, which proposes. */
  decisions?: readonly Decision[]
  /** Which findings were proposed to the review before, where it has more than one round. */
  rounds?: Rounds
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
  report: Omit<WriteReport, 'painted' | 'looks' | 'unfinished'> & {
    /** Characters that the rules looked at; in tables, bytes. */
    examined: number
    /** Steps taken because verification found the first output unclean. */
    escalated: Escalation[]
    /** Replacements that would have begun a formula and were made harmless. */
    neutralised: number
    /** Values that the output was searched for and no longer contains; absent if there is no output. */
    searched?: number
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

/** A part of a file in words: numbers count those of a message, and `!` leads into a file within. */
const partName = (part: string): string =>
  part
    .split('!')
    .filter(step => step !== '')
    .map(step => (/^\d[\d.]*$/.test(step) ? `part ${step}` : step))
    .join(' > ')

function leakError(leaks: Leak[]): EngineError {
  const corrupt = leaks.find(({ type }) => type === 'corrupt_file')
  const { type, reason, place } = corrupt ?? leaks[0]!
  const where = [
    place.part && partName(place.part),
    place.page === undefined ? undefined : `page ${place.page}`,
  ].filter(part => part !== undefined)
  return new EngineError(type, where.length > 0 ? `${reason} (${where.join(', ')})` : reason, where)
}

/** What is wrong with an output; if pictures of it must be read first, the output is in `OcrPending`. */
async function verified(format: Format, output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  try {
    return await format.verify(output, expected, context)
  } catch (error) {
    if (error instanceof OcrPending) error.output = output
    throw error
  }
}

/** What every writing of one output shares; `met`: the decisions that add a place which some pass has come by. */
type Writing = {
  call: AnonymiseCall
  search: FileSearch
  replacer: Replacer
  naming: Naming
  subjects?: Subjects
  met: Set<Decision>
}

/** One editing pass over a file, and what it measures and keeps. */
type Pass = { editing: Editing; risk?: RiskPass; kept?: KeptPlaces }

/** An output that was proven, the pass that it came of, and the values that it was proven not to hold. */
type Clean = Pass & {
  output: Input
  gone: readonly string[]
  written: Omit<WriteReport, 'painted' | 'looks' | 'unfinished'>
  escalated: Escalation[]
}

async function startWriting(call: AnonymiseCall, search: FileSearch): Promise<Writing> {
  const { plan, secrets, numbering, decisions, input, filter } = call
  const found = [...(search.values ?? [])]
  const naming = createNaming(input.name)
  // After a review only what is replaced counts, which editing tells.
  if (!decisions) for (const { value, rule, label } of search.known) naming.see(value, rule, label)
  const replacer = call.replacer ?? createReplacer(plan.rules, secrets, numbering, { found, filter })
  const subjects = await findSubjects(plan, search.file, search.again)
  return { call, search, replacer, naming, subjects, met: new Set() }
}

function startReview({ call: { decisions, rounds, plan, secrets }, search: { format, file }, met }: Writing) {
  const of = { key: secrets.pseudonym, type: format.type, views: file.views, met, rounds }
  return decisions && createReview(decisions, plan, of)
}

/** Starts an editing pass; `rows` are the records to suppress, where that is known. */
async function startPass(writing: Writing, rows?: Rows): Promise<Pass> {
  const { call, search, replacer, naming, subjects } = writing
  const { plan, workspace, listMatches } = call
  const { format, columns, known, extra } = search
  const key = call.secrets.pseudonym
  const tally = plan.risk && format.type === 'TABLE' ? await workspace.create('tally') : undefined
  const risk = tally && createRiskPass({ ...plan, risk: plan.risk! }, key, tally, { rows, columns })
  const kept = call.keepFindings ? await keepPlaces({ plan, key, known }, workspace) : undefined
  const matches = listMatches ? createMatches(plan, listMatches) : undefined
  const review = startReview(writing)
  const parts = {
    plan,
    detector: search.again(),
    replacer,
    format,
    risk,
    naming,
    review,
    subjects,
    places: kept?.places,
    matches,
    files: filesOf(search),
  }
  return { editing: createEditing(parts, extra), risk, kept }
}

/** Lets a format that must know its edits before it writes go through them first. */
async function prepare(writing: Writing, rows?: Rows): Promise<void> {
  const { call, search, replacer, subjects } = writing
  const { plan } = call
  const { file, format, detector, extra } = search
  const risk = rows && plan.risk && suppressingOnly(plan.risk, rows)
  await file.prepare?.(
    createEditing(
      { plan, detector, replacer, format, risk, subjects, review: startReview(writing), files: filesOf(search) },
      extra,
    ).edit,
  )
}

/** Steps that cure leaks and were not taken yet. */
function freshSteps(leaks: Leak[], taken: Escalation[]): Escalation[] {
  const known = new Set(taken.map(step => JSON.stringify(step)))
  const cures = leaks.flatMap(({ escalation }) => (escalation ? [escalation] : []))
  const fresh = [...new Map(cures.map(step => [JSON.stringify(step), step]))].filter(([key]) => !known.has(key))
  return fresh.map(([, step]) => step)
}

/** Writes, verifies and escalates, until the output is clean or fails. */
async function writeClean(writing: Writing, rows?: Rows): Promise<Clean> {
  const { call, search } = writing
  const { format, file, context, progress, extent, fields, known, detector } = search
  await prepare(writing, rows)
  const asked = coverings(call.decisions, file.views)
  const escalated: Escalation[] = []
  for (let round = 0; ; round++) {
    const pass = await startPass(writing, rows)
    const { editing } = pass
    const { output: target, input } = await call.workspace.create(round === 0 ? 'output' : `output-${round}`)
    progress.pass(shares.write, extent)
    const {
      painted = [],
      looks = [],
      unfinished,
      ...written
    } = await file.write(target, progress.editor(editing.edit), [...asked, ...escalated])
    const output = await input()
    if (unfinished && round < maxRounds) continue
    progress.pass(shares.verify, extent)
    const options = { ...context.options, ...file.choices, within: file.within?.() }
    const expected = { ...editing.expected(), painted, looks, name: fields?.add }
    const leaks = await verified(format, progress.output(output), expected, { ...context, options })
    if (leaks.length === 0) {
      // A chunk sees only some of the texts.
      if (!call.range) checkMet(call.decisions ?? [], writing.met)
      return { ...pass, output, gone: expected.gone, written, escalated }
    }
    const values = known.map(({ value }) => value)
    const unseen = await overlooked(leaks, expected, values, detector)
    if (unseen.length > 0) throw leakError(unseen)
    const fresh = freshSteps(leaks, escalated)
    if (fresh.length === 0 || round === maxRounds) throw leakError(leaks)
    escalated.push(...fresh)
  }
}

async function resultOf(
  { call, search, replacer, naming }: Writing,
  clean: Clean,
  risk?: Measured,
): Promise<AnonymiseResult> {
  const { input, range } = call
  const { format, file, fields, detector, columns, bytesIn } = search
  const { output, editing, gone, kept, written, escalated } = clean
  const edits = await nameEdits(input.name, { rules: call.plan.rules, detector, replacer, known: naming.values() })
  const name = renamed(input.name, edits)
  if (name !== input.name) written.warnings.push(whyRenamed(edits))
  written.warnings.push(...(replacer.warnings?.() ?? []))
  const { examined, neutralised } = editing
  reportFiles(written, editing, filesOf(search) === 'keep')
  return {
    name,
    nameEdits: edits,
    format: format.id,
    mediaType: format.mediaType,
    findings: editing.findings(),
    report: { ...written, examined, escalated, neutralised, searched: gone.length, choices: file.choices ?? {} },
    ...(risk?.figures && { risk: risk.figures }),
    ...(range && risk && { tally: risk.tally }),
    ...(fields && { fields: fields.end(gone, columns) }),
    ...(call.listMatches && { matches: editing.matches?.list() }),
    ...(kept && { places: await kept.end() }),
    output,
    bytesIn,
    bytesOut: output.size,
  }
}

/**
 * Anonymises one asset: finds its format, detects, replaces, writes the output into the workspace and proves it clean by
 * reading it again. Either the whole output is proven, or an {@link EngineError} says why there is none.
 */
export const anonymise = (call: AnonymiseCall): Promise<AnonymiseResult> => namingTooLong(() => anonymised(call))

/** The call with the filter of the values, if its surrogates must be none of them and it has none yet. */
async function withFilter(call: AnonymiseCall, { format, values }: FileSearch): Promise<AnonymiseCall> {
  const compared = comparedBy(call.plan)
  const isKnown = format.type !== 'TABLE' && values !== undefined
  if (isKnown || compared.length === 0 || call.filter || call.replacer) return call
  if (call.range) throw new EngineError('internal', 'The values of the whole table are not known to its chunk')
  return { ...call, filter: await filterOf([await findValues({ ...call, compared })]) }
}

async function anonymised(given: AnonymiseCall): Promise<AnonymiseResult> {
  const search = await openSearch(given)
  try {
    const call = await withFilter(given, search)
    const writing = await startWriting(call, search)
    const first = await writeClean(writing)
    if (!first.risk) return await resultOf(writing, first)
    const plan = call.plan.risk!
    const measured = await measureRisk(plan, first.risk, call.range !== undefined)
    if (!measured.rows) return await resultOf(writing, first, measured)
    const suppressed = await writeClean(writing, measured.rows)
    return await resultOf(writing, suppressed, await measureRisk(plan, suppressed.risk!, false, measured))
  } finally {
    await search.file.close()
  }
}
