import type { Plan } from '../plan.ts'
import type { Dictionary } from './dictionary/dictionary.ts'
import type { LoadList } from './list-rules.ts'
import { compileRule } from './regex/rule.ts'
import { createRegexSearch, defaultBudgets, type RegexBudgets } from './regex/search.ts'
import type { Span, Spare } from './span.ts'

const everything: Spare = (_, spans) => spans

/**
 * What a plan says is never replaced: what lies wholly inside of a value of its lists of exclusions. What a checksum proves is
 * replaced nevertheless, unless the plan says otherwise: such a number is nobody's own name.
 */
export async function createSpare(
  { exclusions, rules: planned }: Plan,
  load: LoadList | undefined,
  budgets: Partial<RegexBudgets> = {},
): Promise<Spare> {
  if (!exclusions) return everything
  const { loadDictionary } = await import('./list-rules.ts')
  const dictionaries: Dictionary[] = []
  for (const list of exclusions.lists) dictionaries.push(await loadDictionary(list, load, ['exclusions']))
  const patterns = dictionaries.flatMap(({ patterns }) => patterns)
  const rules = patterns.map((pattern, n) => compileRule({ type: 'REGEX', pattern }, n, 'exclusions', 'exclusions'))
  const search = createRegexSearch(rules, { ...defaultBudgets, ...budgets }, () => ['exclusions'])
  const find = (text: string) => {
    const places = dictionaries.flatMap(dictionary => dictionary.find(text))
    if (rules.length === 0) return places
    for (const { at } of search.find(text, 0, false))
      for (let next = 0; next < at.length; next += 2) places.push({ start: at[next]!, end: at[next + 1]! })
    return places
  }
  const isChecked = ({ rule, reason }: Span) => {
    const detection = planned[rule]!.detection
    return reason?.by === 'checksum' || (detection.type === 'REGEX' && detection.validator !== undefined)
  }
  const isProven = (span: Span) => !exclusions.force && isChecked(span)
  return (segment, spans) => {
    if (spans.length === 0 || spans.every(isProven)) return spans
    const { before = '', text, after = '' } = segment
    const places = find(before + text + after).map(({ start, end }) => ({
      start: start - before.length,
      end: end - before.length,
    }))
    const isMarkedOne = ({ kept, value = '' }: Span) =>
      kept !== undefined && find(value).some(({ start, end }) => start === 0 && end === value.length)
    const isSpared = (span: Span) =>
      places.some(({ start, end }) => start <= span.start && span.end <= end) || isMarkedOne(span)
    return spans.filter(span => isProven(span) || !isSpared(span))
  }
}
