import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marksAndRuns } from '../../../shared/engine/detect/byte-marks.ts'
import { runsIn } from '../../../shared/engine/detect/codes.ts'
import { inBytes } from '../../../shared/engine/detect/escapes.ts'
import { runs } from '../../runs.ts'

const unit = fc.constantFrom(
  ...[
    '%',
    '\\',
    '&amp;',
    '<b>',
    '<',
    '</b ',
    '<\\/i>',
    '#033[1m',
    '#0',
    '^[[0m',
    '^[',
    '\0',
    '\b',
    '\x1b[m',
    '\x1f',
    ' ',
  ],
  ...['a', 'bcd', '1', '-', '_', '/', '+', '=', 'A'.repeat(15), 'b'.repeat(16), 'Zz09+/_-'.repeat(3)],
  ...[
    'é',
    '\u00a0',
    '\u00ad',
    '²',
    '¹',
    'e\u0301',
    '٣',
    '۴',
    '߀',
    '\u1160',
    '\u1680',
    '\u3000',
    '、',
    '\u2011',
    '\u2012',
  ],
  ...['1\u20121', '\u2212', '\u22121', '’', '“', '€', '\u2009', '\u2060', '⼀', '好', 'ﬀ', 'ａ', '\ufeff', '𝐀', '🙂'],
  ...['\u061c', '\u{e0041}', 'ا', 'ی', 'ქ', '\xff'],
)

/** All places of a search in turn. */
function all(places: (from: number) => number): number[] {
  const list: number[] = []
  for (let at = places(0); at >= 0; at = places(at + 1)) list.push(at)
  return list
}

test('marks and runs are found together as they are one by one, at the edges of what is looked at in one go too', () => {
  const before = fc.constantFrom(0, 2048, 65_500, 65_519, 65_530, 65_536, 131_060)
  const letter = fc.constantFrom('a', ' ', '’')
  fc.assert(
    fc.property(before, letter, fc.string({ unit, maxLength: 60, size: 'max' }), (length, padding, end) => {
      const text = Buffer.from(padding.repeat(length).slice(0, length) + end).toString('latin1')
      const { marks, runs: begun } = marksAndRuns(text, inBytes)
      const search = (from: number) => {
        inBytes.search.lastIndex = from
        return inBytes.search.exec(text)?.index ?? -1
      }
      expect(all(marks)).toEqual(all(search))
      const places = runsIn(text)
      // A run is not asked for again from within.
      const isRun = (at: number) => at === 0 || !/[A-Za-z0-9+/_-]/.test(text[at - 1]!)
      expect(all(begun).filter(isRun)).toEqual(all(places).filter(isRun))
    }),
    { numRuns: runs(500) },
  )
})
