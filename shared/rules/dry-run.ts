import { EngineError } from 'anonymisation-engine'
import { explain, patternSource, type RuleUnderTest } from 'anonymisation-engine/rules'
import { ProblemError } from '../api/problems.ts'
import type { RuleFinding, RuleTest } from '../api/rules.ts'
import type { Caller } from '../http/caller.ts'
import { comprehendSource } from '../models/comprehend.ts'
import { fetchModel, modelCache } from '../models/fetch.ts'
import { classifierSources, THREADS_OF_REQUESTS } from '../models/shipped.ts'
import { current } from '../store/list-file.ts'
import { readEntries } from '../store/value-lists.ts'
import { checkRule } from './check.ts'
import { detectionOf } from './detection.ts'
import { createPreviews } from './previews.ts'
import { resolveRules } from './resolve.ts'

/** Time that the rules have, milliseconds: less than the gateway waits for an answer. */
const LIMIT_MS = 24_000

/**
 * What the rules find in the text, and why. Refuses rules that are not there or could not be saved, and those that can't
 * be run on this text (400, with the rule's place). Keeps nothing.
 */
export async function tryRules({ text, rules }: RuleTest, user: Caller): Promise<RuleFinding[]> {
  const entries = rules.map((rule, n) => ({ rule, loc: ['body', 'rules', String(n)] }))
  const named = entries.flatMap(({ rule, loc }) => ('ruleId' in rule ? [{ ruleId: rule.ruleId, loc }] : []))
  const stored = await resolveRules(named, user)
  const byId = new Map(stored.map(rule => [rule.id, rule]))
  for (const { rule, loc } of entries) if (!('ruleId' in rule)) await checkRule(rule, user, loc)
  const tested = entries.map(({ rule }, n): RuleUnderTest => {
    const known = 'ruleId' in rule ? byId.get(rule.ruleId)! : { ...rule, name: rule.name ?? `Rule ${n + 1}` }
    return { name: known.name, detection: detectionOf(known) }
  })
  const previews = createPreviews(
    tested,
    rules.map(({ replacement }) => replacement),
  )
  const signal = AbortSignal.timeout(LIMIT_MS)
  const findings: RuleFinding[] = []
  for (const [n, one] of tested.entries()) {
    for (const { rule: _, ...found } of await run(text, one, entries[n]!.loc, signal)) {
      const { rule } = entries[n]!
      const value = text.slice(found.start, found.end)
      const preview = found.counts ? await previews[n]?.({ label: found.label, value }) : undefined
      const shown = preview !== undefined && { preview }
      findings.push({ rule: n, ...('ruleId' in rule && { ruleId: rule.ruleId }), name: one.name, ...found, ...shown })
    }
  }
  return findings.sort((a, b) => a.start - b.start || a.end - b.end || a.rule - b.rule)
}

const readList = async (listId: string) => current(await readEntries(listId), new Date().toISOString())

async function run(text: string, rule: RuleUnderTest, loc: string[], signal: AbortSignal) {
  try {
    if (rule.detection.type === 'AIMODEL') await fetchModel(rule.detection)
    const sources = [patternSource, ...classifierSources(modelCache, THREADS_OF_REQUESTS), comprehendSource()]
    return await explain(text, [rule], sources, signal, readList)
  } catch (error) {
    if (signal.aborted) throw new ProblemError({ type: 'regex_budget', msg: 'The rules took too long', loc })
    if (!(error instanceof EngineError)) throw error
    if (error.type === 'model_load_failed') throw new ProblemError({ type: error.type, msg: error.message, loc })
    if (error.type === 'regex_budget') throw new ProblemError({ type: error.type, loc })
    throw error
  }
}
