import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calibrationOf, entities, labelScheme, wordScores } from '../../../shared/engine/models/labels.ts'
import { textWindows } from '../../../shared/engine/models/text-windows.ts'
import { authority, type Cut, sentenceCut, windows } from '../../../shared/engine/models/windows.ts'

/** Logits that make one label per piece all but certain. */
const sure = (labels: number, picks: number[]) =>
  Float32Array.from(picks.flatMap(pick => Array.from({ length: labels }, (_, l) => (l === pick ? 12 : 0))))

const schemes: [string, string[], number[], string[]][] = [
  ['BIO', ['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC'], [1, 2, 0, 3, 3], ['PER 0-1', 'LOC 3-3', 'LOC 4-4']],
  ['BIOES', ['O', 'B-PER', 'I-PER', 'E-PER', 'S-PER'], [1, 2, 3, 0, 4], ['PER 0-2', 'PER 4-4']],
  ['BILOU', ['O', 'B-PER', 'I-PER', 'L-PER', 'U-PER'], [1, 3, 4, 0, 0], ['PER 0-1', 'PER 2-2']],
  ['plain', ['O', 'PER', 'LOC'], [1, 1, 2, 0, 1], ['PER 0-1', 'LOC 2-2', 'PER 4-4']],
  ['IO', ['O', 'I-PER', 'I-LOC'], [1, 1, 2, 0, 0], ['PER 0-1', 'LOC 2-2']],
  ['underscores', ['O', 'B_PER', 'I_PER'], [1, 2, 0, 2, 2], ['PER 0-1', 'PER 3-4']],
]

test.each(schemes)('%s labels become entities', (_, labels, picks, expected) => {
  const scheme = labelScheme(labels)
  const scores = wordScores(sure(labels.length, picks), Uint32Array.from(picks.keys()), picks.length, scheme, 'first')
  const kept = scheme.types.map(() => true)
  const found = entities(scores, picks.length, scheme.types.length, kept, 0.5, () => 'blank')
  expect(found.map(({ type, first, last }) => `${scheme.types[type]} ${first}-${last}`)).toEqual(expected)
})

test('types take other names, and are dropped by an empty one', () => {
  expect(labelScheme(['O', 'B-PER', 'I-PER', 'B-MISC'], { PER: 'PERSON', MISC: '' }).types).toEqual(['PERSON'])
})

test('calibration shifts the odds of a type and softens all of them', () => {
  const chance = (calibration?: Parameters<typeof labelScheme>[2]) => {
    const scheme = labelScheme(['O', 'B-PER', 'I-PER', 'B-LOC'], { PER: 'PERSON' }, calibration)
    return wordScores(Float32Array.of(1, 1, -50, -50), Uint32Array.of(0), 1, scheme, 'first').chances[0]!
  }
  expect(chance()).toBeCloseTo(0.5)
  expect(chance({ temperature: 1, bias: { PER: Math.log(1 / 3), LOC: 9 } })).toBeCloseTo(0.25)
  expect(chance({ temperature: 2, bias: { PER: Math.log(9) } })).toBeCloseTo(0.75)
})

describe('words of several pieces', () => {
  const scheme = labelScheme(['O', 'B-PER', 'I-PER'])
  const words = Uint32Array.from([0, 0, 0])
  const logits = sure(3, [1, 0, 0])
  const chance = (aggregation: 'first' | 'mean' | 'max') =>
    wordScores(logits, words, 1, scheme, aggregation).chances[0]!

  test('count by their first piece, the mean or the largest', () => {
    expect(chance('first')).toBeCloseTo(1, 3)
    expect(chance('mean')).toBeCloseTo(1 / 3, 3)
    expect(chance('max')).toBeCloseTo(1, 3)
  })
})

test('doubt between two types that are asked for loses nothing; a type not asked for does not count', () => {
  const scheme = labelScheme(['O', 'B-PER', 'B-LOC'])
  const logits = Float32Array.from([0, 2, 2])
  const scores = wordScores(logits, Uint32Array.of(0), 1, scheme, 'first')
  const ask = (kept: boolean[]) => entities(scores, 1, 2, kept, 0.6, () => 'blank')
  expect(ask([true, true])[0]!.score).toBeGreaterThan(0.9)
  expect(ask([true, false])).toEqual([])
})

test('a word that stands right after another continues its entity', () => {
  const scheme = labelScheme(['O', 'B-PER', 'I-PER'])
  const scores = wordScores(sure(3, [1, 1]), Uint32Array.of(0, 1), 2, scheme, 'first')
  expect(entities(scores, 2, 1, [true], 0.5, word => (word === 1 ? 'none' : 'blank'))).toMatchObject([
    { first: 0, last: 1 },
  ])
})

test('in a script without blanks an entity goes on through doubt about its type, and ends where another begins', () => {
  const scheme = labelScheme(['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC'])
  const picks = [1, 4, 2, 3]
  const scores = wordScores(sure(5, picks), Uint32Array.from(picks.keys()), 4, scheme, 'first')
  const found = entities(scores, 4, 2, [true, true], 0.5, () => 'unspaced')
  expect(found).toMatchObject([
    { type: 0, first: 0, last: 2 },
    { type: 1, first: 3, last: 3 },
  ])
})

test('an entity ends with its paragraph', () => {
  const scheme = labelScheme(['O', 'B-PER', 'I-PER'])
  const scores = wordScores(sure(3, [1, 2]), Uint32Array.of(0, 1), 2, scheme, 'first')
  const found = entities(scores, 2, 1, [true], 0.5, word => (word === 1 ? 'paragraph' : 'blank'))
  expect(found).toMatchObject([
    { first: 0, last: 0 },
    { first: 1, last: 1 },
  ])
})

test('windows hold every piece, and each piece is judged by exactly one of them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3000 }),
      fc.integer({ min: 8, max: 200 }),
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.constantFrom<Cut>(0, 0, 0, 0, 1, 2), { minLength: 1, maxLength: 50 }),
      (n, size, step, cuts) => {
        const all = windows(n, size, Math.min(step, size), piece => cuts[piece % cuts.length]!)
        let next = 0
        all.forEach((window, i) => {
          const own = authority(all, i)
          expect(own.start).toBe(next)
          expect(own.start >= window.start && own.end <= window.end && window.end - window.start <= size).toBe(true)
          next = own.end
        })
        expect(next).toBe(n)
      },
    ),
  )
})

test('windows end where a sentence does, else where a line does, and overlap only where neither is near', () => {
  const cuts = new Map<number, Cut>([
    [70, 2],
    [90, 1],
    [140, 1],
    [160, 1],
  ])
  expect(windows(400, 100, 80, piece => cuts.get(piece) ?? 0)).toEqual([
    { start: 0, end: 70 },
    { start: 70, end: 160 },
    { start: 160, end: 260 },
    { start: 240, end: 340 },
    { start: 320, end: 400 },
  ])
})

test.each<[string, string, Cut]>([
  ['It rained yesterday.', ' Anna stayed.', 2],
  ['Was it late?', ' Yes', 2],
  ['He said "nothing whatever."', ' Then', 2],
  ['Name: Anna', '\n \nAge', 2],
  ['Name: Anna', '\nAge', 1],
  ['Name: Anna', ' Petersson', 0],
  ['She met Prof.', ' Andersson', 0],
  ['See example.', 'org', 0],
])('%j before %j may be cut: %i', (before, after, expected) => {
  const words = Array.from(`${before}${after}`.matchAll(/\w+|[^\w\s]/g))
  const starts = Uint32Array.from(words, word => word.index)
  const ends = Uint32Array.from(words, word => word.index + word[0].length)
  const encoding = { ids: new Int32Array(words.length), starts, ends, words: starts }
  expect(sentenceCut(before + after, encoding)(ends.indexOf(before.length) + 1)).toBe(expected)
})

test('long texts are cut into overlapping parts that answer for every character once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200_000 }), fc.constantFrom('a', 'word ', '😀', 'x\n'), (length, unit) => {
      const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
      let next = 0
      for (const { start, end, from, to } of textWindows(text)) {
        expect(from).toBe(next)
        expect(start <= from && to <= end).toBe(true)
        if (to < text.length) expect(end - to).toBeGreaterThan(500)
        next = to
      }
      expect(next).toBe(text.length)
    }),
    { numRuns: 30 },
  )
})

test('hardly any of a long text is read twice', () => {
  const text = 'word '.repeat(200_000)
  const read = Array.from(textWindows(text)).reduce((sum, { start, end }) => sum + end - start, 0)
  expect(read / text.length).toBeLessThan(1.02)
})

test('a language adds its biases to those of all', () => {
  const calibration = { temperature: 2, bias: { PER: -1, LOC: 0.5 }, languages: { de: { PER: 1.5, ORG: 1 } } }
  expect(calibrationOf(calibration, 'de')).toEqual({ temperature: 2, bias: { PER: 0.5, LOC: 0.5, ORG: 1 } })
  expect(calibrationOf(calibration, 'xx')).toEqual({ temperature: 2, bias: { PER: -1, LOC: 0.5 } })
})
