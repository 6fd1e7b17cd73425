import { columnMatcher, namesColumn } from '../columns/match.ts'
import type { Segment } from '../formats/format.ts'
import type { Plan, RegexDetection } from '../plan.ts'
import { findInBatch } from './batch-search.ts'
import { type CellGroup, findInCells } from './cells.ts'
import type { Column, LoadModel } from './entity-model.ts'
import { escapeAround, linesWithEscapes, placeIn, placeOf, type ResolvedText, readingTexts } from './escapes.ts'
import { createSpare } from './exclusions.ts'
import type { ListRule, LoadList } from './list-rules.ts'
import type { Finder, ModelRule } from './model-rules.ts'
import { isWeighed, weigher } from './regex/context.ts'
import { compileRule, type RegexRule } from './regex/rule.ts'
import { createRegexSearch, defaultBudgets, type RegexBudgets, type RegexSearch } from './regex/search.ts'
import { findShown, shownIn } from './shown.ts'
import type { Detector, Span } from './span.ts'
import { widenHits, widenSpans } from './whole-cell.ts'
import { createPieces } from './windows.ts'

/** Rules that look at the same columns, run together. */
type Group = {
  columns?: (column: string) => boolean
  /** Whether it finds things in language only. */
  prose?: true
  find: Finder
  search?: RegexSearch
  cells?: CellGroup
  hasModels: boolean
  /** The first of its rules in the plan. */
  first: number
}

const none: Span[] = []

/** Adds what was found to lists that are nobody else's to change; none gets room to grow, as very many are kept. */
function addFound(lists: Span[][], index: number, spans: Span[]): void {
  if (spans.length > 0) lists[index] = lists[index]!.length === 0 ? spans : lists[index]!.concat(spans)
}

/** Adds what was found in texts, or in the chosen ones. */
function addAllFound(lists: Span[][], found: readonly Span[][], chosen?: readonly number[]): void {
  for (let index = 0; index < found.length; index++) addFound(lists, chosen ? chosen[index]! : index, found[index]!)
}

function textsOf(segments: readonly Segment[]): string[] {
  const texts: string[] = new Array(segments.length)
  for (let index = 0; index < segments.length; index++) texts[index] = segments[index]!.text
  return texts
}

function mergeFinders(finders: Finder[]): Finder {
  if (finders.length === 1) return finders[0]!
  return async (texts, from, columns) => {
    const lists: Span[][] = texts.map(() => none)
    for (const find of finders) {
      const found = await find(texts, from, columns)
      found.forEach((spans, index) => void addFound(lists, index, spans))
    }
    return lists
  }
}

/** Leaves out what begins in the middle of an escape, `22ann@example.org` of `%22ann@example.org`, and without the rest of it reads otherwise. */
function withoutCut(spans: Span[], lines: readonly ResolvedText[], read: readonly Span[]): Span[] {
  const keyOf = (rule: number, start: number, end: number) => `${rule} ${start} ${end}`
  let known: Set<string> | undefined
  return spans.filter(({ rule, start, end }) => {
    for (const line of lines) {
      const behind = escapeAround(line, start)
      if (behind === undefined) continue
      known ??= new Set(read.map(span => keyOf(span.rule, span.start, span.end)))
      if (known.has(keyOf(rule, behind, end))) return false
    }
    return true
  })
}

/** The same, and what is found in texts, or lines, whose escapes are resolved. */
function alsoInEscapes(find: Finder, saidBy: (text: string) => ResolvedText[]): Finder {
  return async (texts, from, columns) => {
    const lists = await find(texts, from, columns)
    const lines = texts.map(saidBy)
    const resolved = lines.flat()
    if (resolved.length === 0) return lists
    const inLine = async (line: ResolvedText) => {
      const begin = placeIn(line, from)
      return begin < line.text.length ? (await find([line.text], begin))[0]! : []
    }
    // What is found from an offset on must not depend on what stands before it, so such lines are searched one by one.
    const found =
      from > 0
        ? await Promise.all(resolved.map(inLine))
        : await find(
            resolved.map(({ text }) => text),
            0,
            columns && lines.flatMap((list, index) => list.map(() => columns[index])),
          )
    let next = 0
    return lists.map((spans, index) => {
      const more = lines[index]!.flatMap(line => {
        // Without an escape too: where one stands before it, the rule may take the same characters otherwise.
        return found[next++]!.map(span => {
          const place = placeOf(line, span.start, span.end)
          return { ...span, ...place, said: place.escaped && line.text.slice(span.start, span.end) }
        })
      })
      return more.length === 0 ? spans : [...withoutCut(spans, lines[index]!, more), ...more]
    })
  }
}

const isWeighedRule = (detection: Plan['rules'][number]['detection']): detection is RegexDetection =>
  detection.type === 'REGEX' && isWeighed(detection)

/** Weighs the matches of those patterns that have context words, if any has; leaves those of others. */
function weighersOf(
  plan: Plan,
  indexes: readonly number[],
): ((text: string, span: Span) => Span | undefined) | undefined {
  const weighers = new Map(
    indexes.flatMap(index => {
      const { detection } = plan.rules[index]!
      return isWeighedRule(detection) ? [[index, weigher(detection)] as const] : []
    }),
  )
  if (weighers.size === 0) return undefined
  return (text, span) => {
    const weigh = weighers.get(span.rule)
    return weigh ? weigh(text, span) : span
  }
}

const asksFor = ({ rules }: Plan, type: Plan['rules'][number]['detection']['type']) =>
  rules.some(({ detection }) => detection.type === type)

/** The rules of models, of lists and with checksums need much that patterns alone do without: it is loaded for plans that have some. */
async function ruleLoaders(plan: Plan, { signal, load, lists }: DetectorParts) {
  const models = asksFor(plan, 'AIMODEL') ? await import('./model-rules.ts') : undefined
  const listed = asksFor(plan, 'LIST') ? await import('./list-rules.ts') : undefined
  const isChecked = plan.rules.some(({ detection }) => detection.type === 'REGEX' && detection.validator !== undefined)
  return {
    checks: isChecked ? (await import('./validators.ts')).validators : undefined,
    models: async (indexes: number[]) => (await models?.loadModels(plan, indexes, load, signal)) ?? [],
    lists: async (indexes: number[]) => (await listed?.loadLists(plan, indexes, lists)) ?? [],
    findInLists: (rules: readonly ListRule[]) => listed!.findInLists(rules),
  }
}

/** Rules by the columns that they name, each group with one way to find. */
async function groupsOf(
  plan: Plan,
  budgets: RegexBudgets,
  parts: DetectorParts,
  saidBy: (text: string) => ResolvedText[],
): Promise<Group[]> {
  const rulesOf = await ruleLoaders(plan, parts)
  const byColumns = new Map<string, number[]>()
  plan.rules.forEach(({ columns }, index) => {
    const key = JSON.stringify(columns ?? null)
    byColumns.set(key, [...(byColumns.get(key) ?? []), index])
  })
  const groups: Group[] = []
  for (const indexes of byColumns.values()) {
    const regexRules: RegexRule[] = indexes.flatMap(index => {
      const { detection, ruleId, name } = plan.rules[index]!
      return detection.type === 'REGEX' ? [compileRule(detection, index, ruleId, name, rulesOf.checks)] : []
    })
    const models = await rulesOf.models(indexes)
    const listed = await rulesOf.lists(indexes)
    regexRules.push(...listed.flatMap(({ patterns }) => patterns))
    const findersOf = (chosen: ModelRule[]) =>
      chosen.map(({ find, model }) => alsoInEscapes(find, text => linesWithEscapes(text, model.anyText ?? false)))
    const [anyText, prose] = [models.filter(({ model }) => model.anyText), models.filter(({ model }) => !model.anyText)]
    const finders: Finder[] = []
    const blame = (rule: number) => ['rules', plan.rules[rule]!.ruleId]
    const searchOf = (rules: RegexRule[]) => (rules.length > 0 ? createRegexSearch(rules, budgets, blame) : undefined)
    const search = searchOf(regexRules)
    if (search) {
      const labels = plan.rules.map(({ name }) => name)
      const weigh = weighersOf(plan, indexes)
      const find: Finder = async (texts, from) => {
        const found = findInBatch(search, texts, from, labels)
        if (!weigh) return found
        return found.map((spans, index) => spans.flatMap(span => weigh(texts[index]!, span) ?? []))
      }
      finders.push(alsoInEscapes(find, saidBy))
    }
    if (listed.length > 0) finders.push(alsoInEscapes(rulesOf.findInLists(listed), saidBy))
    const isWeighing = indexes.some(index => isWeighedRule(plan.rules[index]!.detection))
    const { columns: names } = plan.rules[indexes[0]!]!
    const columns = names && columnMatcher(names)
    const cells =
      isWeighing || models.length > 0 || listed.length > 0 || plan.exclusions
        ? undefined
        : {
            columns,
            bytes: searchOf(regexRules.filter(({ ascii }) => ascii)),
            text: searchOf(regexRules.filter(({ ascii }) => !ascii)),
          }
    const push = (chosen: Finder[], readers: ModelRule[], more: Partial<Group>) => {
      const hasModels = readers.length > 0
      const first = Math.min(...(hasModels ? readers.map(({ rule }) => rule) : indexes))
      if (chosen.length > 0) groups.push({ columns, find: mergeFinders(chosen), hasModels, first, ...more })
    }
    push(finders, [], { search, cells })
    push(findersOf(anyText), anyText, {})
    push(findersOf(prose), prose, { prose: true })
  }
  return groups
}

type DetectorParts = {
  signal: AbortSignal
  load?: LoadModel
  lists?: LoadList
  budgets?: Partial<RegexBudgets>
  /** The columns of a table; asked once, where a model reads them. */
  sample?(): Promise<ReadonlyMap<string, Column>>
  /** Whether nothing counts of what is found but what is replaced. */
  onlyReplaced?: boolean
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
  const columnOf = groups.some(({ hasModels }) => hasModels)
    ? (await import('./column-finder.ts')).columnFinder(await sample?.(), sample !== undefined)
    : undefined
  const pieces = createPieces()
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
    }
    for (const [index, { isDecoded }] of segments.entries())
      if (isDecoded) lists[index] = lists[index]!.filter(({ coded }) => !coded)
    return lists
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
              checkOpen(text, from, to) {
                const resolved = [...saidBy(text), ...shownIn(segment, text, false)]
                for (const { search } of groups) {
                  search?.checkOpen(text, from, to)
                  for (const one of resolved) search?.checkOpen(one.text, placeIn(one, from), placeIn(one, to))
                }
              },
            }),
          )
      }
      const segments = unbroken.length === batch.length ? batch : unbroken.map(index => batch[index]!)
      const found = await findAll(segments, textsOf(segments), 0)
      for (let index = 0; index < found.length; index++)
        result[unbroken[index]!] = widenSpans(spare(segments[index]!, found[index]!), segments[index]!, whole)
      return result
    },
    spare,
    cells: cellsFinder(groups, whole, signal),
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
