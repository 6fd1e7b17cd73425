import { namesColumn } from '../columns/match.ts'
import type { Segment } from '../formats/format.ts'
import type { Plan } from '../plan.ts'
import { findInCells } from './cells.ts'
import { readingTexts } from './escapes.ts'
import { createSpare } from './exclusions.ts'
import { addFound, none } from './finders.ts'
import { type DetectorParts, type Group, groupsOf } from './groups.ts'
import type { Finder } from './model-rules.ts'
import { addParted } from './parted-codes.ts'
import { defaultBudgets } from './regex/search.ts'
import { placeIn, placeOf, type ResolvedText } from './resolved-text.ts'
import { createSeams } from './seams.ts'
import { findShown, shownIn } from './shown.ts'
import type { Detector, Span } from './span.ts'
import { widenHits, widenSpans } from './whole-cell.ts'
import { createPieces } from './windows.ts'

/** Adds what was found in texts, or in the chosen ones. */
function addAllFound(lists: Span[][], found: readonly Span[][], chosen?: readonly number[]): void {
  for (let index = 0; index < found.length; index++) addFound(lists, chosen ? chosen[index]! : index, found[index]!)
}

/** Adds what is found in what people may see in place of texts, or of the chosen ones. */
async function addRead(
  find: Finder,
  segments: readonly Segment[],
  chosen: readonly number[] | undefined,
  lists: Span[][],
): Promise<void> {
  const asked: { index: number; reading: ResolvedText }[] = []
  for (const index of chosen ?? segments.keys())
    for (const reading of segments[index]!.readings ?? []) asked.push({ index, reading: { ...reading, base: 0 } })
  if (asked.length === 0) return
  const found = await find(
    asked.map(({ reading }) => reading.text),
    0,
  )
  asked.forEach(({ index, reading }, at) => {
    const spans = found[at]!.map((span): Span => {
      const { start, end } = placeOf(reading, span.start, span.end)
      return { ...span, start, end, escaped: true }
    })
    addFound(lists, index, spans)
  })
}

/** Leaves out what was found in texts in base64 that are segments of their own. */
const withoutDecoded = (segments: readonly Segment[], lists: readonly Span[][]): Span[][] =>
  lists.map((spans, index) => (segments[index]!.isDecoded ? spans.filter(({ coded }) => !coded) : spans))

function textsOf(segments: readonly Segment[]): string[] {
  const texts: string[] = new Array(segments.length)
  for (let index = 0; index < segments.length; index++) texts[index] = segments[index]!.text
  return texts
}

/**
 * Makes the detector of one asset. Throws `invalid_workflow` or `model_load_failed` when a rule can't be run, and
 * while detecting `regex_budget`; a rule is never skipped.
 */
export async function createDetector(plan: Plan, parts: DetectorParts): Promise<Detector> {
  const { signal, lists, budgets, sample } = parts
  const onlyReplaced = parts.onlyReplaced && !plan.exclusions
  const saidBy = readingTexts()
  const groups = await groupsOf(plan, { ...defaultBudgets, ...budgets }, parts, saidBy)
  const spare = await createSpare(plan, lists, budgets)
  const columnOf = groups.some(({ hasModels }) => hasModels) ? await columnFinderOf(sample) : undefined
  const pieces = createPieces()
  const addOverSeams = createSeams()
  const whole = new Set(plan.rules.flatMap(({ replace }, rule) => (replace === 'cell' ? [rule] : [])))

  const findAll = async (segments: readonly Segment[], texts: readonly string[], from: number): Promise<Span[][]> => {
    const lists: Span[][] = new Array(texts.length).fill(none)
    for (const { columns, prose, find, hasModels, first } of groups) {
      const isAsked = (segment: Segment, index: number) => {
        const { column } = segment.place
        const isChosen = !columns || (column !== undefined && columns(column) && !namesColumn(segment))
        if (!isChosen || (prose ? segment.wording : hasModels && segment.wording === 'vocabulary')) return false
        return !onlyReplaced || !hasModels || !isTaken(segment, lists[index]!, first)
      }
      const isLimited = columns || (hasModels && (onlyReplaced || segments.some(({ wording }) => wording)))
      const chosen = isLimited ? [...segments.keys()].filter(index => isAsked(segments[index]!, index)) : undefined
      if (chosen?.length === 0) continue
      const judged = hasModels ? segments.map(columnOf!) : undefined
      const found = await find(
        chosen ? chosen.map(index => texts[index]!) : texts,
        from,
        judged && (chosen?.map(index => judged[index]) ?? judged),
      )
      addAllFound(lists, found, chosen)
      for (const index of chosen ?? segments.keys()) {
        const shown = shownIn(segments[index]!, texts[index]!, prose === true)
        if (shown.length > 0) addFound(lists, index, await findShown(find, shown, from, judged?.[index]))
      }
      if (!hasModels) await addRead(find, segments, chosen, lists)
    }
    return withoutDecoded(segments, lists)
  }

  const findSpared = async (segments: readonly Segment[]) => {
    const found = await findAll(segments, textsOf(segments), 0)
    return found.map((spans, index) => spare(segments[index]!, spans))
  }

  return {
    async detect(batch) {
      signal.throwIfAborted()
      const result: Span[][] = new Array(batch.length)
      const unbroken: number[] = []
      for (let index = 0; index < batch.length; index++) {
        const segment = batch[index]!
        if (segment.before === undefined && segment.after === undefined) unbroken.push(index)
        else
          result[index] = spare(
            segment,
            await pieces.detect(segment, {
              find: async (text, from) => (await findAll([segment], [text], from))[0]!,
              checkOpen: (text, from, to) =>
                checkOpen(groups, text, [...saidBy(text), ...shownIn(segment, text, false)], from, to),
            }),
          )
      }
      const segments = unbroken.length === batch.length ? batch : unbroken.map(index => batch[index]!)
      for (const [index, spans] of (await findSpared(segments)).entries()) result[unbroken[index]!] = spans
      await addParted(batch, result, findSpared)
      await addOverSeams(batch, result, findSpared)
      for (const index of unbroken) result[index] = widenSpans(result[index]!, batch[index]!, whole)
      return result
    },
    spare,
    cells: cellsFinder(groups, whole, signal),
  }
}

const columnFinderOf = async (sample: DetectorParts['sample']) =>
  (await import('./column-finder.ts')).columnFinder(await sample?.(), sample !== undefined)

/** Refuses a text where a match that begins between two places might need more than there is, also as the text reads. */
function checkOpen(
  groups: readonly Group[],
  text: string,
  resolved: readonly ResolvedText[],
  from: number,
  to: number,
): void {
  for (const { search } of groups) {
    search?.checkOpen(text, from, to)
    for (const one of resolved) search?.checkOpen(one.text, placeIn(one, from), placeIn(one, to))
  }
}

/** Whether a rule before another has taken a whole cell: then nothing that the other finds in it is replaced by it. */
const isTaken = ({ place, text, before, after }: Segment, spans: readonly Span[], rule: number): boolean =>
  place.kind === 'cell' &&
  before === undefined &&
  after === undefined &&
  spans.some(span => span.start === 0 && span.end === text.length && span.rule < rule)

/** Finds what pattern rules alone find in many cells at once; nothing where there are others. */
function cellsFinder(groups: readonly Group[], whole: ReadonlySet<number>, signal: AbortSignal): Detector['cells'] {
  if (!groups.every(({ cells }) => cells)) return undefined
  return batch => {
    signal.throwIfAborted()
    const hits = findInCells(
      groups.map(({ cells }) => cells!),
      batch,
    )
    return hits.map(found => (whole.has(found.rule) ? widenHits(found, batch.bytes) : found))
  }
}
