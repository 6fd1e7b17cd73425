import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marksAndRuns } from '../../../shared/engine/detect/byte-marks.ts'
import type { Code } from '../../../shared/engine/detect/code-search.ts'
import { codesIn, runsIn } from '../../../shared/engine/detect/codes.ts'
import { inBytes } from '../../../shared/engine/detect/escapes.ts'
import { runs } from '../../runs.ts'

const shortCodes = [
  ...['Anna Bergh12', 'Ann Berg', 'Grüße 12', '{"a":1,"b":23}', 'Ðanilo š 12'].map(text => Buffer.from(text)),
  ...['\ufeffAnn', 'Anna', 'Анна', 'Anna B', '\ufeffАнна '].map(text => Buffer.from(text, 'utf16le')),
  deflateSync('Anna Berg'),
].flatMap(bytes => (['hex', 'base64', 'base64url'] as const).map(encoding => bytes.toString(encoding)))
const numbers = ['4245855150976656', '5273912686698445', '4142434445464748', '4100420043004400']

const unit = fc.constantFrom(
  ...[...shortCodes, ...numbers].flatMap(code => [` ${code} `, `%${code}`, `${code}=`]),
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
  ...['> ', '\n>', '\r>', 'q=Anna+Berg', 'a+b', ' +49', '\0x', '0x'],
  ...['\u061c', '\u{e0041}', 'ا', 'ی', 'ქ', '\xff'],
)

/** All places of a search in turn. */
function all(places: (from: number) => number): number[] {
  const list: number[] = []
  for (let at = places(0); at >= 0; at = places(at + 1)) list.push(at)
  return list
}

function allCodes(next: (from: number) => Code | undefined): Code[] {
  const list: Code[] = []
  for (let code = next(0); code; code = next(code.end)) list.push(code)
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
      const places = new Set(all(runsIn(text)))
      // Runs that are no codes are left out.
      expect(all(begun).filter(place => !places.has(place))).toEqual([])
      expect(allCodes(codesIn(text, marksAndRuns(text, inBytes).runs))).toEqual(allCodes(codesIn(text)))
    }),
    { numRuns: runs(500) },
  )
})
