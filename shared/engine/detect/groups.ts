import { columnMatcher } from '../columns/match.ts'
import type { Plan, RegexDetection } from '../plan.ts'
import { findInBatch } from './batch-search.ts'
import type { CellGroup } from './cells.ts'
import type { Column, LoadModel } from './entity-model.ts'
import { linesWithEscapes } from './escapes.ts'
import { acrossHyphens, alsoInEscapes, mergeFinders } from './finders.ts'
import type { ListRule, LoadList } from './list-rules.ts'
import type { Finder, ModelRule } from './model-rules.ts'
import { isWeighed, weigher } from './regex/context.ts'
import { compileRule, type RegexRule } from './regex/rule.ts'
import { createRegexSearch, type RegexBudgets, type RegexSearch } from './regex/search.ts'
import type { ResolvedText } from './resolved-text.ts'
import type { Span } from './span.ts'

/** Rules that look at the same columns, run together. */
export type Group = {
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

/** What a detector is made with besides the plan. */
export type DetectorParts = {
  signal: AbortSignal
  load?: LoadModel
  lists?: LoadList
  budgets?: Partial<RegexBudgets>
  /** The columns of a table; asked once, where a model reads them. */
  sample?(): Promise<ReadonlyMap<string, Column>>
  /** Whether nothing counts of what is found but what is replaced. */
  onlyReplaced?: boolean
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

/** What the groups of a plan have in common. */
type Making = {
  plan: Plan
  budgets: RegexBudgets
  rulesOf: Awaited<ReturnType<typeof ruleLoaders>>
  saidBy: (text: string) => ResolvedText[]
}

const searchOf = ({ plan, budgets }: Making, rules: RegexRule[]): RegexSearch | undefined =>
  rules.length > 0 ? createRegexSearch(rules, budgets, rule => ['rules', plan.rules[rule]!.ruleId]) : undefined

/** Finds what patterns match in whole texts, but for matches that their context tells not to count. */
function patternFinder({ plan }: Making, search: RegexSearch, indexes: readonly number[]): Finder {
  const labels = plan.rules.map(({ name }) => name)
  const weigh = weighersOf(plan, indexes)
  return async (texts, from) => {
    const found = findInBatch(search, texts, from, labels)
    if (!weigh) return found
    return found.map((spans, index) => spans.flatMap(span => weigh(texts[index]!, span) ?? []))
  }
}

/** The groups of rules that name the same columns: patterns and lists, models that read any text, and those that read language. */
async function groupsOfColumns(making: Making, indexes: number[]): Promise<Group[]> {
  const { plan, rulesOf, saidBy } = making
  const regexRules: RegexRule[] = indexes.flatMap(index => {
    const { detection, ruleId, name } = plan.rules[index]!
    return detection.type === 'REGEX' ? [compileRule(detection, index, ruleId, name, rulesOf.checks)] : []
  })
  const models = await rulesOf.models(indexes)
  const listed = await rulesOf.lists(indexes)
  regexRules.push(...listed.flatMap(({ patterns }) => patterns))
  const search = searchOf(making, regexRules)
  const finders: Finder[] = []
  if (search) finders.push(alsoInEscapes(patternFinder(making, search, indexes), saidBy))
  if (listed.length > 0) finders.push(alsoInEscapes(rulesOf.findInLists(listed), saidBy))
  const { columns: names } = plan.rules[indexes[0]!]!
  const columns = names && columnMatcher(names)
  const isWeighing = indexes.some(index => isWeighedRule(plan.rules[index]!.detection))
  const [ofAscii, others] = [regexRules.filter(({ ascii }) => ascii), regexRules.filter(({ ascii }) => !ascii)]
  const cells: CellGroup | undefined =
    isWeighing || models.length > 0 || listed.length > 0 || plan.exclusions
      ? undefined
      : { columns, bytes: searchOf(making, ofAscii), text: searchOf(making, others) }
  const readers = (chosen: ModelRule[], more: Partial<Group>): Group[] => {
    const found = chosen.map(({ find, model }) =>
      alsoInEscapes(model.anyText ? find : acrossHyphens(find), text => linesWithEscapes(text, model.anyText ?? false)),
    )
    const first = Math.min(...chosen.map(({ rule }) => rule))
    return found.length > 0 ? [{ columns, find: mergeFinders(found), hasModels: true, first, ...more }] : []
  }
  const anyText = models.filter(({ model }) => model.anyText)
  const prose = models.filter(({ model }) => !model.anyText)
  const first = Math.min(...indexes)
  return [
    ...(finders.length > 0 ? [{ columns, find: mergeFinders(finders), hasModels: false, first, search, cells }] : []),
    ...readers(anyText, {}),
    ...readers(prose, { prose: true }),
  ]
}

/** Rules by the columns that they name, each group with one way to find. */
export async function groupsOf(
  plan: Plan,
  budgets: RegexBudgets,
  parts: DetectorParts,
  saidBy: (text: string) => ResolvedText[],
): Promise<Group[]> {
  const making = { plan, budgets, rulesOf: await ruleLoaders(plan, parts), saidBy }
  const byColumns = new Map<string, number[]>()
  plan.rules.forEach(({ columns }, index) => {
    const key = JSON.stringify(columns ?? null)
    byColumns.set(key, [...(byColumns.get(key) ?? []), index])
  })
  const groups: Group[] = []
  for (const indexes of byColumns.values()) groups.push(...(await groupsOfColumns(making, indexes)))
  return groups
}
