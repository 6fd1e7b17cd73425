import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createScanner } from '../../../shared/engine/formats/csv/scan.ts'
import { mostScanned } from '../../../shared/engine/formats/csv/scan-code.ts'
import { createTextReader } from '../../../shared/engine/formats/csv/verify-dialect.ts'
import { createCellReader } from '../../../shared/engine/formats/csv/verify-reader.ts'
import { runs } from '../../runs.ts'

const dialect = fc
  .record({ delimiter: fc.constantFrom(',', ';', '\t', '|'), quote: fc.constantFrom('"', "'", '') })
  .map(({ delimiter, quote }) => ({ delimiter, quote, escapeWith: quote }))

const unit = fc.constantFrom(
  ...[',', ',', ';', '\t', '|', '"', '"', '""', '"\n', ',"', '",', "'", "''", '\n', '\r', '\r\n'],
  ...['a', 'bcd', 'é', '好', '=', '-', '+1', '@x', '-a', 'x'.repeat(15), 'y'.repeat(16), 'z'.repeat(33)],
)
const text = fc.string({ unit, maxLength: 40, size: 'max' })

/** What a scan found, with copies of what the next scan writes over. */
function found(scan: ReturnType<ReturnType<typeof createScanner>['scan']>) {
  if (scan === 'fence') return scan
  const { cells, starts, ends, stops, columns, texts, ...rest } = scan
  const lists = [starts, ends, stops, columns].map(list => [...list.subarray(0, cells)])
  return { ...rest, cells, lists, texts: Buffer.from(texts).toString('latin1') }
}

describe('cells of tables', () => {
  test('are found by the code as without it', () => {
    // The code is used once a part is long enough, and not for what is too long for it.
    const before = fc.constantFrom('a,b\n', 'a;"b"\r\n', 'a|b', "'a\tb\n'c\n")
    fc.assert(
      fc.property(dialect, before, text, fc.boolean(), (table, line, end, last) => {
        const short = createScanner(table)
        const long = createScanner(table)
        const padding = Buffer.from(line.repeat(Math.ceil((32 * 1024) / line.length)))
        const bytes = Buffer.concat([padding, Buffer.from(end)])
        const tooLong = Buffer.alloc(mostScanned + 1, 'a')
        expect(found(long.scan(tooLong, last))).toEqual(found(short.scan(tooLong, last)))
        const byCode = found(long.scan(bytes, last))
        expect(found(long.scan(Buffer.from(end), last))).toEqual(found(short.scan(Buffer.from(end), last)))
        long.release()
        expect(byCode).toEqual(found(short.scan(bytes, last)))
      }),
      { numRuns: runs(100) },
    )
  })

  test('are read again as by the reader of any dialect, in pieces of any size', () => {
    fc.assert(
      fc.property(dialect, text, fc.integer({ min: 1, max: 40 }), fc.boolean(), (table, end, size, isLong) => {
        const bytes = Buffer.from((isLong ? 'a,"b,\n'.repeat(11_000) : '') + end)
        const reader = createCellReader(table)
        const texts: Buffer[] = []
        const take = (more: Uint8Array) => void texts.push(Buffer.from(more))
        for (let at = 0; at < bytes.length; at += isLong ? 65_530 + size : size)
          reader.push(bytes.subarray(at, at + (isLong ? 65_530 + size : size)), take)
        take(reader.end())
        const other = createTextReader(table)
        const expected = [...other.push(bytes.toString('utf8')), ...other.end()]
        const ended = expected.flatMap(cell => [Buffer.from(cell), Buffer.of(0xff)])
        expect(Buffer.concat(texts).toString('latin1')).toEqual(Buffer.concat(ended).toString('latin1'))
      }),
      { numRuns: runs(500) },
    )
  })
})
