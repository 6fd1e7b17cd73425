import type { RE2JS } from 're2js'
import { EngineError } from '../../errors.ts'
import { type CodedSearch, createCodedSearch } from './coded-search.ts'
import { tryPrefilter } from './prefilter-search.ts'
import type { RegexRule } from './rule.ts'
import { separator } from './separator.ts'
import { createSweep, type Sweep } from './sweep.ts'
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

/** The same in bytes; very many may be found at once. */
export type ByteHits = { rule: number; at: readonly number[] | Int32Array }

/** Runs pattern rules over texts within their time limits. Keeps what it learns about slow rules for the next text. */
export type RegexSearch = {
  /**
   * Every match that begins at `from` or later, by rule. With `joined`, `text` is many texts with a fence between them
   * and none in any. Throws `regex_budget`.
   */
  find(text: string, from: number, joined: boolean): Hits[]
  /**
   * The same of many texts in UTF-8, read as characters and joined by fences; `raw` are those bytes where they are at hand. All
   * rules must be such as find the same there.
   */
  findInBytes(text: string, raw?: Uint8Array): ByteHits[]
  /**
   * Refuses (`limit_exceeded`) a text that goes on behind its end when a match that begins in `[from, to)` might need
   * more of it. Throws `regex_budget`.
   */
  checkOpen(text: string, from: number, to: number): void
}

/** Takes the matches of a rule in a text, as what the rule found. */
function takerOf({ accepts, plain, fenced }: RegexRule, text: string, joined: boolean, at: number[]) {
  const { narrow } = joined ? fenced : plain
  return (start: number, end: number) => {
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
}

function scan(rule: RegexRule, text: string, from: number, joined: boolean, at: number[]) {
  const { prefilter } = rule
  const { sticky } = joined ? rule.fenced : rule.plain
  const take = takerOf(rule, text, joined, at)
  const begin = prefilter ? tryPrefilter(prefilter, sticky, text, from, take) : from
  if (begin >= 0) scanPlainly(rule, text, begin, joined, take)
}

function scanPlainly(rule: RegexRule, text: string, from: number, joined: boolean, take: ReturnType<typeof takerOf>) {
  const { search } = joined ? rule.fenced : rule.plain
  search.lastIndex = from
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
  /** Characters searched, and what is swept for once there were enough. */
  seen: number
  swept?: Swept
}

/** Rules whose places are looked for together. */
type Swept = { rules: readonly RegexRule[]; sweep?: Sweep }

/** Fewest characters that are swept, of one text and of those that were searched before. */
const worthSweeping = 8 * 1024

/** Fewest rules that look at every place of a text by themselves from which on they are swept for. */
const fewestSwept = 2

/** What is swept for: rules that would look at every place, and others as far as there is room beside them. */
function sweepOf({ rules }: Search): Swept {
  const able = rules.filter(rule => rule.prefilter?.kind !== 'run' && rule.beginning() !== undefined)
  const [alone, others] = [
    able.filter(({ prefilter }) => prefilter?.kind !== 'fixed'),
    able.filter(({ prefilter }) => prefilter?.kind === 'fixed'),
  ]
  if (alone.length < fewestSwept) return { rules: [] }
  const swept = [...alone, ...others].slice(0, Math.ceil(alone.length / 8) * 8)
  return { rules: swept, sweep: createSweep(swept.map(rule => rule.beginning()!)) }
}

/** Finds what the swept rules match, each in a list of its own. */
function scanTogether(
  { rules, sweep }: Swept,
  text: string,
  from: number,
  joined: boolean,
  hits: Map<RegexRule, number[]>,
) {
  const trials = rules.map(rule => {
    const { sticky } = joined ? rule.fenced : rule.plain
    return { sticky, take: takerOf(rule, text, joined, hits.get(rule)!) }
  })
  const rest = sweep!(text, from, trials)
  for (const [index, begin] of rest.entries())
    if (begin >= 0) scanPlainly(rules[index]!, text, begin, joined, trials[index]!.take)
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

/** What is swept for in so many characters, if that pays. */
function sweptIn(search: Search, length: number): Swept | undefined {
  search.seen += length
  if (length < worthSweeping || search.seen < 2 * worthSweeping) return undefined
  search.swept ??= sweepOf(search)
  return search.swept.sweep && search.swept
}

function find(search: Search, text: string, from: number, joined: boolean): Hits[] {
  const { rules, budgets, watchdog, strikes } = search
  const hits: Hits[] = rules.map(({ rule }) => ({ rule, at: [] }))
  const slow = strikes.size === 0 ? [] : rules.filter(rule => isSlow(search, rule))
  const swept = slow.length === 0 ? sweptIn(search, text.length - from) : undefined
  const done = watchdog.run(budgetFor(budgets.chunk, text), () => {
    const lists = new Map(rules.map((rule, index) => [rule, hits[index]!.at]))
    for (const at of lists.values()) at.length = 0
    if (swept) scanTogether(swept, text, from, joined, lists)
    for (const rule of rules)
      if (!slow.includes(rule) && !swept?.rules.includes(rule)) scan(rule, text, from, joined, lists.get(rule)!)
  })
  if (done && slow.length === 0) return hits
  return rules.map((rule, index) => {
    if (slow.includes(rule)) return runLinear(search, rule, text, from, joined)
    return done ? hits[index]! : runAlone(search, rule, text, from, joined)
  })
}

/** What is found by code, and the search for the other rules. */
type Divided = { coded?: CodedSearch; others: Search }

function divided(search: Search): Divided {
  const coded = createCodedSearch(search.rules)
  const others = search.rules.filter(rule => !coded?.rules.includes(rule))
  return { coded, others: { ...search, rules: others, swept: undefined } }
}

/** Times that code may need too many steps before it is left alone. */
const mostVain = 3

/** Finds what has code by it, which needs no watchdog, for it counts its steps. */
function bytesFinder(search: Search): RegexSearch['findInBytes'] {
  let parts: Divided | undefined
  let vain = 0
  return (text, raw) => {
    const plainly = () => find(search, text, 0, true)
    if (vain >= mostVain) return plainly()
    if (!parts && (text.length < worthSweeping || search.seen + text.length < 2 * worthSweeping)) return plainly()
    parts ??= divided(search)
    const { coded, others } = parts
    if (!coded) return plainly()
    const found = coded.find(text, raw)
    if (!found) {
      vain++
      return plainly()
    }
    const hits = others.rules.length === 0 ? [] : find(others, text, 0, true)
    const byRule = new Map(
      [...hits, ...found.map((at, index) => ({ rule: coded.rules[index]!.rule, at }))].map(one => [one.rule, one]),
    )
    return search.rules.map(({ rule }) => byRule.get(rule)!)
  }
}

/** Starts a search for one asset; `locOf` gives the place of a rule for an error. */
export function createRegexSearch(
  rules: readonly RegexRule[],
  budgets: RegexBudgets,
  locOf: (rule: number) => string[],
): RegexSearch {
  const search: Search = {
    rules,
    budgets,
    locOf,
    watchdog: createWatchdog(),
    strikes: new Map(),
    spent: new Map(),
    seen: 0,
  }
  return {
    find: (text, from, joined) => find(search, text, from, joined),
    findInBytes: bytesFinder(search),
    checkOpen: (text, from, to) => checkOpen(search, text, from, to),
  }
}
