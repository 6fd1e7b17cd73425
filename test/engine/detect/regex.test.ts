import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findInBatch } from '../../../shared/engine/detect/batch-search.ts'
import { linearForm } from '../../../shared/engine/detect/regex/linear.ts'
import { measure } from '../../../shared/engine/detect/regex/measure.ts'
import { compileRule } from '../../../shared/engine/detect/regex/rule.ts'
import { createRegexSearch, defaultBudgets } from '../../../shared/engine/detect/regex/search.ts'
import { parsePattern } from '../../../shared/engine/detect/regex/syntax.ts'
import { createWatchdog } from '../../../shared/engine/detect/regex/watchdog.ts'
import { EngineError } from '../../../shared/engine/errors.ts'
import { runs } from '../../runs.ts'

type Pair = [start: number, end: number]

/** What V8 alone finds from an offset on. A pattern that takes it too long shows nothing. */
function plainly(pattern: string, flags: string, text: string, from = 0): Pair[] {
  const expected = new RegExp(pattern, `g${flags}u`)
  const found: Pair[] = []
  const ended = createWatchdog().run(500, () => {
    found.length = 0
    expected.lastIndex = from
    for (let match = expected.exec(text); match; match = expected.exec(text))
      found.push([match.index, expected.lastIndex])
  })
  fc.pre(ended)
  return found
}

const pairs = (at: number[]) =>
  Array.from({ length: at.length / 2 }, (_, index): Pair => [at[index * 2]!, at[index * 2 + 1]!])

const ruleOf = (pattern: string, flags = '') => compileRule({ type: 'REGEX', pattern, flags }, 0, 'id', 'rule')
const searchOf = (pattern: string, flags = '', budgets = {}) =>
  createRegexSearch([ruleOf(pattern, flags)], { ...defaultBudgets, ...budgets }, () => ['rules', 'id'])

/** A random pattern may take exponential time and have no linear form: then refusing it is right, and shows nothing. */
function unlessTooSlow<Result>(find: () => Result): Result {
  try {
    return find()
  } catch (error) {
    fc.pre(!(error instanceof EngineError && error.type === 'regex_budget'))
    throw error
  }
}

const atom = fc.constantFrom(
  ...['a', 'b', '1', '@', '-', '_', ' ', 'é', '🙂', '\\.', 'k', '.', '\\d', '\\w', '\\s', '\\D', '\\W', '\\S'],
  ...['[ab]', '[a-z0-9]', '[^a]', '[^\\s@]', '[é-]', '[\\s\\S]', '\\p{L}', '\\P{L}', '[\\p{Lu}1]', '[^\\d\\n]'],
)
const { pattern: anyPattern } = fc.letrec(tie => ({
  pattern: fc.oneof(
    { weight: 4, arbitrary: tie('sequence') },
    fc.tuple(tie('sequence'), tie('sequence')).map(([a, b]) => `${a}|${b}`),
  ),
  sequence: fc.array(tie('item'), { minLength: 1, maxLength: 5 }).map(items => items.join('')),
  item: fc.oneof(
    { maxDepth: 3 },
    { weight: 5, arbitrary: fc.tuple(atom, tie('quantifier')).map(([a, q]) => `${a}${q}`) },
    fc.tuple(tie('pattern'), tie('quantifier')).map(([a, q]) => `(?:${a})${q}`),
    fc.tuple(fc.constantFrom('(', '(?<g>'), atom).map(([open, a]) => `${open}${a})`),
    fc.constantFrom('\\b', '\\b', '\\B', '^', '$'),
    fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), atom).map(([open, a]) => `${open}${a})`),
  ),
  quantifier: fc.constantFrom('', '', '', '', '+', '*', '?', '{2}', '{1,3}', '{6}', '{6,8}', '+?', '{1,64}'),
})) as { pattern: fc.Arbitrary<string> }

/** A pattern, and a text that it matches. */
type Sampled = { pattern: string; sample: string }
const sampled = (parts: readonly Sampled[]): Sampled => ({
  pattern: parts.map(part => part.pattern).join(''),
  sample: parts.map(part => part.sample).join(''),
})
const times = fc.constantFrom(
  ...Object.entries({ '': 1, '{2}': 2, '{3}': 3, '{6}': 6, '{2,4}': 3, '+': 2, '?': 1, '{8,}': 9 }),
)
const units = {
  a: 'a',
  K: 'K',
  J: 'J',
  1: '1',
  '[ab1]': '1',
  '\\d': '1',
  '\\w': '_',
  '[A-Z]': 'A',
  '[a-zA-Z0-9]': 'b',
  '[é-ü]': 'é',
}

/** Patterns such as those of numbers that people have: a whole word of some length, which rare letters may be in. */
const { words } = fc.letrec(tie => ({
  words: fc
    .tuple(tie('sequence'), fc.constantFrom({ pattern: '', sample: '' }, { pattern: '[ -]?\\d{3}', sample: '111' }))
    .map(parts => sampled([{ pattern: '\\b', sample: '' }, ...(parts as Sampled[])])),
  sequence: fc.array(tie('item'), { minLength: 1, maxLength: 5 }).map(parts => sampled(parts as Sampled[])),
  item: fc.oneof(
    { maxDepth: 2 },
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom(...Object.entries(units)), times)
        .map(([[unit, sample], [often, count]]) => ({ pattern: unit + often, sample: sample.repeat(count) })),
    },
    fc.tuple(tie('sequence'), tie('sequence'), times).map(([one, other, [often, count]]) => {
      const [a, b] = [one as Sampled, other as Sampled]
      return { pattern: `(?:${a.pattern}|${b.pattern})${often}`, sample: b.sample.repeat(count) }
    }),
    fc.constantFrom(
      { pattern: '(?=[a1])', sample: '' },
      { pattern: '(?<!_)', sample: '' },
      { pattern: '-', sample: '-' },
    ),
  ),
})) as { words: fc.Arbitrary<Sampled> }

/** Patterns that are valid and never match the empty text. */
const valid = anyPattern.filter(pattern => {
  try {
    new RegExp(pattern, 'u')
    return measure(parsePattern(pattern).tree).min > 0
  } catch {
    return false
  }
})
const flags = fc.constantFrom('', '', '', 'i', 's', 'm', 'im')
const text = fc.string({
  unit: fc.constantFrom(
    'a',
    'a',
    'b',
    'A',
    'K',
    'k',
    '1',
    '@',
    '-',
    '_',
    ' ',
    '\n',
    '\r',
    'é',
    'É',
    '🙂',
    '\u017f',
    '\u2028',
    '.',
    'aaaaaaa',
    '11111111',
  ),
  maxLength: 40,
  size: 'max',
})

describe('finds what V8 alone finds', () => {
  test('with shortcuts', () => {
    fc.assert(
      fc.property(valid, flags, text, fc.nat(5), (pattern, letters, subject, from) => {
        const start = Math.min(from, subject.length)
        const found = plainly(pattern, letters, subject, start)
        const [hits] = unlessTooSlow(() => searchOf(pattern, letters).find(subject, start, false))
        expect(pairs(hits!.at)).toEqual(found)
      }),
      { numRuns: runs(500) },
    )
  })

  test('of whole words', () => {
    let shortcuts = 0
    const long = words.filter(({ pattern }) => measure(parsePattern(pattern).tree).min > 0)
    fc.assert(
      fc.property(long, fc.constantFrom('', '', 'i'), text, text, ({ pattern, sample }, letters, before, after) => {
        const subject = `${before} ${sample}${after}`
        const found = plainly(pattern, letters, subject)
        if (found.length > 0 && ruleOf(pattern, letters).prefilter) shortcuts++
        const [hits] = unlessTooSlow(() => searchOf(pattern, letters).find(subject, 0, false))
        expect(pairs(hits!.at)).toEqual(found)
      }),
      { numRuns: runs(500) },
    )
    expect(shortcuts).toBeGreaterThan(runs(20))
  })

  test('in texts joined by fences', () => {
    fc.assert(
      fc.property(valid, flags, fc.array(text, { minLength: 2, maxLength: 5 }), (pattern, letters, texts) => {
        const lists = unlessTooSlow(() => findInBatch(searchOf(pattern, letters), texts, 0, ['rule']))
        const expected = texts.map(subject => plainly(pattern, letters, subject))
        expect(lists.map(spans => spans.map(({ start, end }) => [start, end]))).toEqual(expected)
      }),
      { numRuns: runs(400) },
    )
  })

  test('in the bytes of UTF-8, where the pattern is of ASCII only', () => {
    let seen = 0
    fc.assert(
      fc.property(valid, flags, text, (pattern, letters, subject) => {
        if (!ruleOf(pattern, letters).ascii) return
        seen++
        const bytes = Buffer.from(subject).toString('latin1')
        const values = (of: string) => plainly(pattern, letters, of).map(([start, end]) => of.slice(start, end))
        expect(values(bytes)).toEqual(values(subject))
      }),
      { numRuns: 700 },
    )
    expect(seen).toBeGreaterThan(20)
  })

  test('in linear time, where there is a linear form', () => {
    let seen = 0
    fc.assert(
      fc.property(valid, flags, text, (pattern, letters, subject) => {
        const form = linearForm(parsePattern(pattern, letters))
        if (!('regexp' in form)) return
        seen++
        const matcher = form.regexp.matcher(subject)
        const found: Pair[] = []
        while (matcher.find()) found.push([matcher.start(), matcher.end()])
        expect(found).toEqual(plainly(pattern, letters, subject))
      }),
      { numRuns: 500 },
    )
    expect(seen).toBeGreaterThan(20)
  })

  test('and nothing goes on over a character that stands in no match', () => {
    let seen = 0
    fc.assert(
      fc.property(valid, flags, text, fc.nat(40), (pattern, letters, subject, to) => {
        // V8 also tries places between the halves of a character.
        fc.pre(!/[\ud800-\udfff]/.test(subject))
        const rule = ruleOf(pattern, letters)
        if (!rule.barrier()?.test(subject.slice(to))) return
        let first = Number.POSITIVE_INFINITY
        const ended = createWatchdog().run(500, () => {
          first = rule.open().exec(subject)?.index ?? first
        })
        fc.pre(ended)
        seen++
        expect(first).toBeGreaterThanOrEqual(to)
      }),
      { numRuns: runs(400) },
    )
    expect(seen).toBeGreaterThan(runs(400) / 20)
    expect(ruleOf('(?:[\\w.]+)@x', '').barrier()!.exec('ab.c@ d')?.index).toBe(5)
    expect(ruleOf('(a)\\1', '').barrier()).toBeUndefined()
  })

  test('in linear time too, where a match might go on behind the end of the text', () => {
    let seen = 0
    fc.assert(
      fc.property(valid, flags, text, (pattern, letters, subject) => {
        // What may be open is written out for each of its parts.
        fc.pre(pattern.length < 24)
        // V8 also tries places between the halves of a character.
        fc.pre(!/[\ud800-\udfff]/.test(subject))
        const rule = ruleOf(pattern, letters)
        const linear = rule.linearOpen()
        if (!linear) return
        let first: number | undefined
        const ended = createWatchdog().run(500, () => {
          first = new RegExp(rule.open().source, `${letters}u`).exec(subject)?.index
        })
        fc.pre(ended)
        seen++
        const matcher = linear.matcher(subject)
        expect(matcher.find() ? matcher.start() : undefined).toBe(first)
      }),
      { numRuns: 100 },
    )
    expect(seen).toBeGreaterThan(20)
  })
})

test('work under a watchdog may have a watchdog of its own, of which each stops its own work', () => {
  const done: string[] = []
  const outer = createWatchdog().run(5000, () => {
    const inner = createWatchdog().run(20, () => {
      for (;;);
    })
    done.push(`inner ${inner}`)
    done.push(`next ${createWatchdog().run(5000, () => {})}`)
  })
  expect([outer, done]).toEqual([true, ['inner false', 'next true']])
  expect(createWatchdog().run(20, () => /^(?:a+)+$/.test(`${'a'.repeat(40)}!`))).toBe(false)
})

/** Patterns on which a backtracking engine takes exponential, cubic or quadratic time. */
const slow: [pattern: string, text: string][] = [
  ['(a+)+$', `${'a'.repeat(40)}!`],
  ['(x+x+)+y', 'x'.repeat(60)],
  ['^(\\w+\\s?)*$', `${'word '.repeat(12)}!`],
  ['([a-z]+)*\\d', 'a'.repeat(60)],
  ['(a|aa)+$', `${'a'.repeat(80)}!`],
  ['(a|a)*b', 'a'.repeat(60)],
  ['(.*a){12}$', `${'a'.repeat(60)}!`],
  ['(\\d+[ -]?)+X', '1'.repeat(60)],
  ['.*.*=.*', 'x'.repeat(8000)],
  ['\\s+$', `${' '.repeat(64_000)}x`],
  ['a*b', 'a'.repeat(64_000)],
  ['[^@]+@[^@]+', 'x'.repeat(64_000)],
  ['(x{1,100}){1,100}y', 'x'.repeat(10_000)],
  ['((a{0,5}){0,5}){0,5}[c]', 'a'.repeat(60_000)],
]

describe('slow patterns', () => {
  test.each(slow)('%s ends in bounded time, with its result or a named error', (pattern, subject) => {
    let search: ReturnType<typeof searchOf>
    try {
      search = searchOf(pattern, '', { chunk: 50, rule: 20, ruleWithoutFallback: 50, linear: 500 })
    } catch (error) {
      expect(error).toMatchObject({ type: 'invalid_workflow' })
      return
    }
    try {
      expect(pairs(search.find(subject, 0, false)[0]!.at)).toEqual([])
      // Once more: the rule is known to be slow now.
      expect(pairs(search.find(subject, 0, false)[0]!.at)).toEqual([])
    } catch (error) {
      expect(error).toMatchObject({ type: 'regex_budget', loc: ['rules', 'id'] })
      expect((error as Error).message).not.toContain(subject.slice(0, 10))
    }
  })

  test('an innocent rule beside a slow one finds everything', () => {
    const rules = [ruleOf('(a+)+$'), compileRule({ type: 'REGEX', pattern: 'b\\d' }, 1, 'other', 'other')]
    const search = createRegexSearch(rules, { ...defaultBudgets, chunk: 30, rule: 20 }, () => [])
    const subject = `b1 ${'a'.repeat(40)}! b2`
    for (const _ of [1, 2])
      expect(search.find(subject, 0, false).map(({ at }) => pairs(at))).toEqual([
        [],
        [
          [0, 2],
          [45, 47],
        ],
      ])
  })

  test('a slow rule refuses a text only where a match might go on behind its end', () => {
    const budgets = { chunk: 50, rule: 20 }
    const runs = `${'1'.repeat(30)} and `.repeat(2000)
    const search = searchOf('(\\d+[ -]?)+X', '', budgets)
    for (const _ of [1, 2, 3, 4, 5]) expect(search.checkOpen(runs, 0, runs.length)).toBeUndefined()
    const cut = runs + '1'.repeat(30)
    expect(search.checkOpen(cut, 0, runs.length)).toBeUndefined()
    expect(() => search.checkOpen(cut, 0, cut.length)).toThrow(expect.objectContaining({ type: 'limit_exceeded' }))
    const unbounded = searchOf('(?=(a+)+$)a', '', { ...budgets, ruleWithoutFallback: 30 })
    expect(() => unbounded.checkOpen(`${'a'.repeat(40)}!`, 0, 41)).toThrow(
      expect.objectContaining({ type: 'regex_budget' }),
    )
  })

  test('a slow rule without a linear form fails, and is never skipped', () => {
    const search = searchOf('(?=(a+)+$)a', '', { chunk: 30, ruleWithoutFallback: 30 })
    expect(() => search.find(`${'a'.repeat(40)}!`, 0, false)).toThrow(expect.objectContaining({ type: 'regex_budget' }))
  })
})
