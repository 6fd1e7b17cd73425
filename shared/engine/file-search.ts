import { checkColumns } from './columns/check.ts'
import { createFields } from './columns/field-names.ts'
import { sampleColumns } from './columns/sample.ts'
import { collectValues, type IsSought } from './detect/collect-values.ts'
import { createDetector } from './detect/detector.ts'
import { cachedDetector } from './detect/detector-cache.ts'
import type { LoadModel } from './detect/entity-model.ts'
import { isJoinable } from './detect/joined-names.ts'
import { type KnownValue, knownValues } from './detect/known-values.ts'
import type { LoadList } from './detect/list-rules.ts'
import type { RegexBudgets } from './detect/regex/search.ts'
import type { Detector } from './detect/span.ts'
import { EngineError } from './errors.ts'
import type { Extent, Format, FormatContext, Input, Limits, OpenFile } from './formats/format.ts'
import { registry, sniff } from './formats/index.ts'
import { defaultLimits, smallText } from './limits.ts'
import type { OcrBudget } from './ocr/cache.ts'
import { pictureQueue } from './ocr/picture-queue.ts'
import type { Secrets } from './operators/scope.ts'
import type { Plan } from './plan.ts'
import { namesColumns } from './plan-facts.ts'
import { createProgress, type Progress } from './progress.ts'
import { tellsSubjects } from './redact/subjects.ts'

/** All that finding something in one asset, or in one chunk of a table, needs. */
export type SearchCall = {
  input: Input
  plan: Plan
  secrets: Pick<Secrets, 'pseudonym'>
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
  /** Told how far it has come, in bytes of the input or of its range: it grows, and is never more than all. */
  progress?: (bytes: number) => void
}

/** An opened file, with what finds things in it. */
export type FileSearch = {
  format: Format
  file: OpenFile
  context: FormatContext
  progress: Progress
  extent: Extent | undefined
  bytesIn: number
  detector: Detector
  /** A detector for going through the whole file once more. */
  again(): Detector
  /** Names of the columns, where the plan or the format needs them. */
  columns?: string[]
  /** Of a chunk whose records name their fields: collects what is to be checked of all chunks together. */
  fields?: ReturnType<typeof createFields>
  /** All values that were found, if the file was gone through for them. */
  values?: ReadonlySet<string>
  /** Those of them that are looked for in the rest of the file, and what does so. */
  known: KnownValue[]
  extra?: ReturnType<typeof knownValues>
}

/** What becomes of files in addresses: those of documents are found and looked into by the formats. */
export function filesOf({ format, context }: FileSearch): 'empty' | 'keep' | undefined {
  if (format.type !== 'TABLE') return undefined
  return context.options.pictures === 'keep' ? 'keep' : 'empty'
}

/**
 * How much of the work that is left the first time through the file is likely to take, which is where models work.
 */
const shares = { models: 0.8, values: 0.3 }

/** Whether values are collected before a file is written, all that are found or some; and which are looked for elsewhere in it. */
function soughtIn({ type, propagates: places, identifiers = 0 }: Format, size: number, modelled: boolean) {
  const fromModel = type === 'DOCUMENT' && modelled
  const propagates = typeof places === 'number' ? size <= places : places
  const joins = size <= identifiers
  // A small workbook may hold more than a text of the largest size: what is beyond that is not looked for.
  let room = smallText
  const isJoined = (value: string) => {
    if (!joins || !isJoinable(value)) return false
    room -= value.length
    return room > 0
  }
  const holdsAll = propagates || fromModel
  const isSought: IsSought = (value, found) => propagates || (found && fromModel) || isJoined(value)
  return { collects: holdsAll || joins, holdsAll, isSought }
}

/** Opens a file and goes through it once where a value may have to be looked for before it is found. To be closed. */
export async function openSearch(call: SearchCall): Promise<FileSearch> {
  const { plan, signal, range, readings, options = {} } = call
  signal.throwIfAborted()
  const limits = { ...defaultLimits, ...call.limits }
  const bytesIn = range ? Math.min(range.end, call.input.size) - range.start : call.input.size
  const modelled = plan.rules.some(({ detection }) => detection.type === 'AIMODEL')
  const progress = createProgress(call.input, bytesIn, call.progress, { slow: modelled })
  const { input } = progress
  if (input.size > limits.bytes)
    throw new EngineError('limit_exceeded', `The file is larger than ${limits.bytes} bytes`)
  const format = await sniff(input)
  const context: FormatContext = {
    registry,
    limits,
    signal,
    options,
    range,
    readings,
    modelled,
    drawings: { pixels: 0 },
    pictures: pictureQueue(),
  }
  const sample = format.type === 'TABLE' ? () => sampleColumns(format, call.input, context) : undefined
  const { models: load, lists, budgets } = call
  const { collects, holdsAll, isSought } = soughtIn(format, input.size, modelled)
  // Otherwise what is found is looked for elsewhere too, or tells whose a value is. In tables that goes for what is replaced.
  const onlyReplaced = (!collects || format.type === 'TABLE') && !tellsSubjects(plan)
  const detector = await createDetector(plan, { signal, load, lists, budgets, sample, onlyReplaced })
  const file = await format.open(input, context)
  try {
    const told = file.choices?.columns as string[] | undefined
    const columns = told ?? (namesColumns(plan) ? await file.columns?.() : undefined)
    // One chunk of a table that only tells its columns in all of its records doesn't tell what the others have.
    const fields = range && file.columns ? createFields(call.secrets.pseudonym) : undefined
    if (columns && !fields) checkColumns(plan, columns)
    const found = collects || format.type === 'DOCUMENT' ? cachedDetector(detector) : undefined
    const extent = call.progress && file.extent?.()
    if (collects) progress.pass(modelled ? shares.models : shares.values, extent)
    const values = holdsAll ? new Set<string>() : undefined
    const asked = { isSought, values, passed: progress.batch }
    const known = collects ? await collectValues(file, found?.first ?? detector, plan, asked) : []
    const extra = known.length > 0 ? knownValues(known, detector.spare, format.type === 'TABLE') : undefined
    const again = () => found?.again() ?? detector
    return { format, file, context, progress, extent, bytesIn, detector, again, columns, fields, values, known, extra }
  } catch (error) {
    await file.close()
    throw error
  }
}
