import type { RE2JS } from 're2js'
import { EngineError } from '../../errors.ts'
import type { RegexDetection } from '../../plan.ts'
import { isValidator, validators } from '../validators.ts'
import { fenced } from './fence.ts'
import { linearForm } from './linear.ts'
import { type Measure, measure } from './measure.ts'
import { flagLetters, type Parsed, parsePattern } from './syntax.ts'
import { createWatchdog } from './watchdog.ts'

/** Time limits in milliseconds. */
export type RegexBudgets = {
  /** All rules together on one chunk (64 Ki characters). */
  chunk: number
  /** One rule on a chunk that was too slow, when it has a linear form to fall back on, and when it has none. */
  rule: number
  ruleWithoutFallback: number
  /** One rule in its linear form on one chunk. */
  linear: number
  /** One rule in its linear form on the whole asset. */
  linearTotal: number
}

export const defaultBudgets: RegexBudgets = {
  chunk: 250,
  rule: 50,
  ruleWithoutFallback: 1000,
  linear: 2000,
  linearTotal: 60_000,
}

/** A pattern rule made ready to run. */
export type RegexRule = {
  /** Index of the rule in the plan. */
  rule: number
  label: string
  measure: Measure
  plain: RegExp
  fenced: RegExp
  /** Where the group `redact` stands, for patterns that have it. */
  redact?: { plain: RegExp; fenced: RegExp }
  accepts?: (text: string) => boolean
  linear(): RE2JS | undefined
}

/** A match in a text (UTF-16 offsets); `rule` is the index in the plan. */
export type Match = { rule: number; start: number; end: number }

/** Compiles a pattern rule; throws `invalid_workflow` when it can't be, naming the rule. */
export function compileRule(detection: RegexDetection, rule: number, ruleId: string, name: string): RegexRule {
  const invalid = (reason: string) =>
    new EngineError('invalid_workflow', `Rule «${name}»: ${reason}`, ['rules', ruleId])
  let parsed: Parsed
  try {
    parsed = parsePattern(detection.pattern, detection.flags)
  } catch {
    throw invalid('the pattern is not a regular expression')
  }
  const size = measure(parsed.tree)
  if (size.min === 0) throw invalid('the pattern matches the empty text')
  const { validator } = detection
  if (validator !== undefined && !isValidator(validator)) throw invalid('there is no such checksum')
  const letters = flagLetters(parsed.flags)
  const sources = { plain: parsed.source, fenced: fenced(parsed) }
  let linear: { regexp?: RE2JS } | undefined
  return {
    rule,
    label: name,
    measure: size,
    plain: new RegExp(sources.plain, `g${letters}u`),
    fenced: new RegExp(sources.fenced, `g${letters}u`),
    redact: /\(\?<redact>/.test(parsed.source)
      ? { plain: new RegExp(sources.plain, `d${letters}uy`), fenced: new RegExp(sources.fenced, `d${letters}uy`) }
      : undefined,
    accepts: validator === undefined ? undefined : validators[validator],
    linear() {
      if (!linear) {
        const form = linearForm(parsed)
        linear = 'regexp' in form ? form : {}
      }
      return linear.regexp
    },
  }
}

/** Runs pattern rules over texts within their time limits. Keeps what it learns about slow rules for the next text. */
export type RegexSearch = {
  /**
   * Every match that begins at `from` or later. With `joined`, `text` is texts with a fence between them and no fence in
   * any. `split` cuts it into those texts for engines that don't know fences. Throws `regex_budget`.
   */
  find(text: string, from: number, joined: boolean): Match[]
}

/** Starts a search for one asset. */
export function createRegexSearch(
  rules: readonly RegexRule[],
  budgets: RegexBudgets,
  blame: (rule: number) => string[],
): RegexSearch {
  const watchdog = createWatchdog()
  const slow = new Set<number>()
  const spent = new Map<number, number>()

  const scan = (rule: RegexRule, text: string, from: number, joined: boolean, matches: Match[]) => {
    const regexp = joined ? rule.fenced : rule.plain
    const narrow = joined ? rule.redact?.fenced : rule.redact?.plain
    regexp.lastIndex = from
    for (let found = regexp.exec(text); found; found = regexp.exec(text)) {
      const start = found.index
      const end = start + found[0].length
      if (rule.accepts && !rule.accepts(found[0])) continue
      if (!narrow) {
        matches.push({ rule: rule.rule, start, end })
        continue
      }
      narrow.lastIndex = start
      const inner = narrow.exec(text)?.indices?.groups?.redact
      // Where the group took no part, or is empty, the whole match is what the rule found.
      matches.push({
        rule: rule.rule,
        ...(inner && inner[0] < inner[1] ? { start: inner[0], end: inner[1] } : { start, end }),
      })
    }
  }

  const scanLinear = (rule: RegexRule, regexp: RE2JS, text: string, from: number, at: number, matches: Match[]) => {
    const matcher = regexp.matcher(text)
    for (let more = matcher.find(from); more; more = matcher.find()) {
      if (rule.accepts && !rule.accepts(text.slice(matcher.start(), matcher.end()))) continue
      const [start, end] = rule.redact ? [matcher.start('redact'), matcher.end('redact')] : [-1, -1]
      matches.push({
        rule: rule.rule,
        start: at + (start < end ? start : matcher.start()),
        end: at + (start < end ? end : matcher.end()),
      })
    }
  }

  const tooSlow = (rule: RegexRule) =>
    new EngineError(
      'regex_budget',
      `Rule «${rule.label}» exceeded its time budget on this asset; nothing of it was released`,
      blame(rule.rule),
    )

  const runLinear = (rule: RegexRule, text: string, from: number, joined: boolean): Match[] => {
    const regexp = rule.linear()
    if (!regexp) throw tooSlow(rule)
    const matches: Match[] = []
    const begun = performance.now()
    const done = watchdog.run(budgets.linear, () => {
      if (!joined) return scanLinear(rule, regexp, text, from, 0, matches)
      let at = 0
      for (const part of text.split('\u001f')) {
        if (at >= from) scanLinear(rule, regexp, part, 0, at, matches)
        at += part.length + 1
      }
    })
    const total = (spent.get(rule.rule) ?? 0) + performance.now() - begun
    spent.set(rule.rule, total)
    if (!done || total > budgets.linearTotal) throw tooSlow(rule)
    return matches
  }

  /** Rule by rule, after all together took too long: finds the culprit and gives it to the linear engine. */
  const runAlone = (rule: RegexRule, text: string, from: number, joined: boolean): Match[] => {
    const matches: Match[] = []
    const budget = rule.linear() ? budgets.rule : budgets.ruleWithoutFallback
    if (watchdog.run(budget, () => scan(rule, text, from, joined, matches))) return matches
    slow.add(rule.rule)
    return runLinear(rule, text, from, joined)
  }

  return {
    find(text, from, joined) {
      const quick = rules.filter(({ rule }) => !slow.has(rule))
      let matches: Match[] = []
      const done = watchdog.run(budgets.chunk, () => {
        for (const rule of quick) scan(rule, text, from, joined, matches)
      })
      const slowBefore = rules.filter(({ rule }) => slow.has(rule))
      if (!done) matches = quick.flatMap(rule => runAlone(rule, text, from, joined))
      for (const rule of slowBefore) matches.push(...runLinear(rule, text, from, joined))
      return matches
    },
  }
}
