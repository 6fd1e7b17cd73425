import { EngineError } from '../errors.ts'
import type { Plan } from '../plan.ts'
import { createDictionary, type Dictionary } from './dictionary/dictionary.ts'
import type { ListEntry } from './dictionary/entry.ts'
import { compileRule, type RegexRule } from './regex/rule.ts'
import type { Span } from './span.ts'

/** Reads the values of a list by the name that the plan gives it; throws where there is none. */
export type LoadList = (list: string) => Promise<readonly ListEntry[]>

/** A list that a plan names, ready to be searched for. */
export async function loadDictionary(list: string, load: LoadList | undefined, loc: string[]): Promise<Dictionary> {
  if (!load) throw new EngineError('invalid_workflow', 'Lists are not available here', loc)
  return createDictionary(await load(list))
}

/** A rule whose values are those of a list. */
export type ListRule = { rule: number; name: string; dictionary: Dictionary; patterns: RegexRule[] }

/** The rules of a plan, of those with these indexes, that look for the values of lists. */
export async function loadLists(plan: Plan, indexes: number[], load: LoadList | undefined): Promise<ListRule[]> {
  const rules: ListRule[] = []
  for (const rule of indexes) {
    const { detection, ruleId, name } = plan.rules[rule]!
    if (detection.type !== 'LIST') continue
    const dictionary = await loadDictionary(detection.list, load, ['rules', ruleId])
    const patterns = dictionary.patterns.map(pattern => compileRule({ type: 'REGEX', pattern }, rule, ruleId, name))
    rules.push({ rule, name, dictionary, patterns })
  }
  return rules
}

/** What the rules of lists find in texts, patterns of the lists apart. */
export const findInLists =
  (rules: readonly ListRule[]) =>
  async (texts: readonly string[], from: number): Promise<Span[][]> =>
    texts.map(text =>
      rules.flatMap(({ rule, name, dictionary }) =>
        dictionary
          .find(text, from)
          .map(({ start, end }): Span => ({ rule, label: name, score: 1, start, end, reason: { by: 'list' } })),
      ),
    )
