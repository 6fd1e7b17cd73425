import type { RE2JS } from 're2js'
import { EngineError } from '../../errors.ts'
import { tryPrefilter } from './prefilter-search.ts'
import type { RegexRule } from './rule.ts'
import { separator } from './separator.ts'
import { createWatchdog, threadTime, type Watchdog } from './watchdog.ts'

/** Time limits in milliseconds of CPU time, for each 64 Ki characters of text. */
export type RegexBudgets = {
  /** All rules together on one chunk. */
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

/** What one rule found in a text: beginning and end (UTF-16 offsets) of each match in turn, in order. */
export type Hits = { rule: number; at: number[] }

/** Runs pattern rules over texts within their time limits. Keeps what it learns about slow rules for the next text. */
export type RegexSearch = {
  /**
   * Every match that begins at `from` or later, by rule. With `joined`, `text` is many texts with a fence between them
   * and none in any. Throws `regex_budget`.
   */
  find(text: string, from: number, joined: boolean): Hits[]
  /**
   * Refuses (`limit_exceeded`) a text that goes on behind its end when a match that begins in `[from, to)` might need
   * more of it. Throws `regex_budget`.
   */
  checkOpen(text: string, from: number, to: number): void
}

function scan(rule: RegexRule, text: string, from: number, joined: boolean, at: number[]) {
  const { accepts, prefilter } = rule
  const { search, sticky, narrow } = joined ? rule.fenced : rule.plain
  const take = (start: number, end: number) => {
    if (accepts && !accepts(text.slice(start, end))) return
    if (!narrow) {
      at.push(start, end)
      return
    }
    narrow.lastIndex = start
    const inner = narrow.exec(text)?.indices?.groups?.redact
    // Where the group took no part, or is empty, the whole match is what the rule found.
    if (inner && inner[0] < inner[1]) at.push(inner[0], inner[1])
    else at.push(start, end)
  }
  const begin = prefilter ? tryPrefilter(prefilter, sticky, text, from, take) : from
  if (begin < 0) return
  search.lastIndex = begin
  for (let found = search.exec(text); found; found = search.exec(text)) take(found.index, search.lastIndex)
}

function scanLinear(rule: RegexRule, regexp: RE2JS, text: string, from: number, base: number, at: number[]) {
  const matcher = regexp.matcher(text)
  for (let more = matcher.find(from); more; more = matcher.find()) {
    if (rule.accepts && !rule.accepts(text.slice(matcher.start(), matcher.end()))) continue
    const [start, end] = rule.plain.narrow ? [matcher.start('redact'), matcher.end('redact')] : [-1, -1]
    at.push(base + (start < end ? start : matcher.start()), base + (start < end ? end : matcher.end()))
  }
}

/** Chunks that a rule may be too slow on before it is taken to be slow on all. */
const maxStrikes = 3

const budgetFor = (ms: number, text: string) => ms * Math.max(1, text.length / (64 * 1024))

/** The search of one asset, and what it has learnt about its rules. */
type Search = {
  rules: readonly RegexRule[]
  budgets: RegexBudgets
  /** The place of a rule, for an error. */
  locOf(rule: number): string[]
  watchdog: Watchdog
  /** Chunks on which a rule was too slow; after a few it isn't tried any more but run in its linear form at once. */
  strikes: Map<RegexRule, number>
  /** CPU time that the linear form of a rule has taken, milliseconds. */
  spent: Map<RegexRule, number>
}

const isSlow = ({ strikes }: Search, rule: RegexRule) => (strikes.get(rule) ?? 0) >= maxStrikes

const strike = ({ strikes }: Search, rule: RegexRule) => strikes.set(rule, (strikes.get(rule) ?? 0) + 1)

const tooSlow = ({ locOf }: Search, { label, rule }: RegexRule) =>
  new EngineError(
    'regex_budget',
    `Rule «${label}» exceeded its time budget on this asset; nothing of it was released`,
    locOf(rule),
  )

/** Does some work of a rule's linear form within its budgets, for this text and for the asset. */
function withinBudgets(search: Search, rule: RegexRule, text: string, work: () => void): void {
  const { budgets, watchdog, spent } = search
  const begun = threadTime()
  const done = watchdog.run(budgetFor(budgets.linear, text), work)
  const total = (spent.get(rule) ?? 0) + threadTime() - begun
  spent.set(rule, total)
  if (!done || total > budgets.linearTotal) throw tooSlow(search, rule)
}

function runLinear(search: Search, rule: RegexRule, text: string, from: number, joined: boolean): Hits {
  const regexp = rule.linear()
  if (!regexp) throw tooSlow(search, rule)
  const at: number[] = []
  withinBudgets(search, rule, text, () => {
    at.length = 0
    if (!joined) return scanLinear(rule, regexp, text, from, 0, at)
    let base = 0
    for (const part of text.split(separator)) {
      if (part !== '') scanLinear(rule, regexp, part, 0, base, at)
      base += part.length + 1
    }
  })
  return { rule: rule.rule, at }
}

/** One rule by itself, after all together took too long: one that is too slow goes to the linear engine. */
function runAlone(search: Search, rule: RegexRule, text: string, from: number, joined: boolean): Hits {
  const { budgets, watchdog } = search
  const at: number[] = []
  const budget = rule.linear() ? budgets.rule : budgets.ruleWithoutFallback
  const done = watchdog.run(budgetFor(budget, text), () => {
    at.length = 0
    scan(rule, text, from, joined, at)
  })
  if (done) return { rule: rule.rule, at }
  strike(search, rule)
  return runLinear(search, rule, text, from, joined)
}

/** Where the first match begins that might go on behind the end of the text; infinity when there is none. */
function firstOpen(search: Search, rule: RegexRule, text: string, from: number): number {
  const { budgets, watchdog } = search
  let first = Number.POSITIVE_INFINITY
  const plainly = () => {
    const open = rule.open()
    open.lastIndex = from
    first = open.exec(text)?.index ?? Number.POSITIVE_INFINITY
  }
  if (!isSlow(search, rule)) {
    if (watchdog.run(budgetFor(budgets.chunk, text), plainly)) return first
    strike(search, rule)
  }
  const regexp = rule.linearOpen()
  if (!regexp) {
    if (watchdog.run(budgetFor(budgets.ruleWithoutFallback, text), plainly)) return first
    throw tooSlow(search, rule)
  }
  withinBudgets(search, rule, text, () => {
    const matcher = regexp.matcher(text)
    first = matcher.find(from) ? matcher.start() : Number.POSITIVE_INFINITY
  })
  return first
}

function checkOpen(search: Search, text: string, from: number, to: number): void {
  const room = text.length - to
  for (const rule of search.rules) {
    if (rule.measure.max + rule.measure.ahead <= room) continue
    if (rule.barrier()?.test(text.slice(to)) || firstOpen(search, rule, text, from) >= to) continue
    throw new EngineError(
      'limit_exceeded',
      `Rule «${rule.label}»: a match might be longer than ${room} characters; give its repeats a bound, such as {1,200}`,
      search.locOf(rule.rule),
    )
  }
}

function find(search: Search, text: string, from: number, joined: boolean): Hits[] {
  const { rules, budgets, watchdog, strikes } = search
  const hits: Hits[] = rules.map(({ rule }) => ({ rule, at: [] }))
  const slow = strikes.size === 0 ? [] : rules.filter(rule => isSlow(search, rule))
  const done = watchdog.run(budgetFor(budgets.chunk, text), () => {
    rules.forEach((rule, index) => {
      hits[index]!.at.length = 0
      if (!slow.includes(rule)) scan(rule, text, from, joined, hits[index]!.at)
    })
  })
  if (done && slow.length === 0) return hits
  return rules.map((rule, index) => {
    if (slow.includes(rule)) return runLinear(search, rule, text, from, joined)
    return done ? hits[index]! : runAlone(search, rule, text, from, joined)
  })
}

/** Starts a search for one asset; `locOf` gives the place of a rule for an error. */
export function createRegexSearch(
  rules: readonly RegexRule[],
  budgets: RegexBudgets,
  locOf: (rule: number) => string[],
): RegexSearch {
  const search: Search = { rules, budgets, locOf, watchdog: createWatchdog(), strikes: new Map(), spent: new Map() }
  return {
    find: (text, from, joined) => find(search, text, from, joined),
    checkOpen: (text, from, to) => checkOpen(search, text, from, to),
  }
}
