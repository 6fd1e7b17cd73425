import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mostScanned } from '../../../shared/engine/formats/csv/cell-memory.ts'
import { createScanner, type Scan } from '../../../shared/engine/formats/csv/scan.ts'
import { createTextReader } from '../../../shared/engine/formats/csv/verify-dialect.ts'
import { createCellReader } from '../../../shared/engine/formats/csv/verify-reader.ts'
import { createSplicer } from '../../../shared/engine/formats/csv/write.ts'
import type { CellEdits } from '../../../shared/engine/formats/format.ts'
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
  const { cells, starts, ends, stops, columns, texts, memory: _, ...rest } = scan
  const lists = [starts, ends, stops, columns].map(list => [...list.subarray(0, cells)])
  return { ...rest, cells, lists, texts: Buffer.from(texts).toString('latin1') }
}

/** Edits of some cells: of all of a cell, or of a few bytes somewhere in it. */
function editsOf({ cells, stops }: Scan, choices: readonly number[], texts: readonly string[]) {
  const edits = { at: [] as number[], texts: [] as string[] }
  for (let cell = 0; cell < cells; cell++) {
    const choice = choices[cell % choices.length]!
    const begin = cell === 0 ? 0 : stops[cell - 1]! + 1
    const end = stops[cell]!
    if (choice === 0 || begin === end) continue
    const whole = choice > 4
    for (let at = begin; at < end; at += choice + 1) {
      edits.at.push(at, whole ? end : Math.min(end, at + choice))
      edits.texts.push(texts[(cell + at) % texts.length]!)
      if (whole) break
    }
  }
  return edits
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

  test('are written by the code as without it', () => {
    const replacement = fc.constantFrom(
      '[X]',
      '',
      '=b',
      '-1',
      ' ',
      'é',
      'a b',
      'x,"y"',
      "'",
      'y'.repeat(40),
      'z'.repeat(1000),
    )
    const inRow = ['a', 'é', '=1', '-x', 'w'.repeat(20), 'x y ', '']
    const written = (splice: ReturnType<typeof createSplicer>, bytes: Uint8Array, scan: Scan, edits: CellEdits) => {
      try {
        const { output, shown, formulas } = splice(bytes, scan, edits)
        return [Buffer.from(output).toString('latin1'), Buffer.from(shown).toString('latin1'), formulas]
      } catch (error) {
        return String(error)
      }
    }
    let byCode = 0
    fc.assert(
      fc.property(
        dialect,
        text,
        fc.array(fc.constantFrom(0, 0, 0, 1, 3, 5), { minLength: 1, maxLength: 30 }),
        fc.array(replacement, { minLength: 1, maxLength: 5 }),
        (table, end, choices, texts) => {
          const { delimiter, quote } = table
          const row = `${[...inRow, `${quote}q${quote}${quote}r${quote}`].join(delimiter)}\r\n`
          const bytes = Buffer.from(row.repeat(800) + end)
          const scanner = createScanner(table)
          const splice = createSplicer(table)
          for (let turn = 0; turn < 2; turn++) {
            const scan = scanner.scan(bytes, false)
            if (scan === 'fence') return
            const copy = { ...scan, texts: scan.texts.slice(), memory: undefined }
            const edits = editsOf(scan, choices, texts)
            if (scan.memory) byCode++
            expect(written(splice, bytes, scan, edits)).toEqual(written(createSplicer(table), bytes, copy, edits))
          }
          scanner.release()
        },
      ),
      { numRuns: runs(60) },
    )
    expect(byCode).toBeGreaterThan(runs(40))
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
