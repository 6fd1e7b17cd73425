import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { Input } from '../../../shared/engine/formats/format.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { RiskPlan } from '../../../shared/engine/plan.ts'
import { figuresOfTallies } from '../../../shared/engine/risk/report.ts'
import { splitAsset } from '../../../shared/engine/split.ts'
import { runs } from '../../runs.ts'
import { call, regexRule } from '../call.ts'
import { makeOffice, relationships } from '../formats/package.ts'

const risk: RiskPlan = { quasiIdentifiers: ['age', 'zip'], sensitive: ['income', 'illness'], threshold: 0.2 }
const rules = [
  regexRule('age', '[\\s\\S]+', { columns: ['age'], replacement: { generalise: { range: 10 } } }),
  regexRule('zip', '[\\s\\S]+', { columns: ['zip'], replacement: { generalise: { prefix: { keep: 2 } } } }),
]

type Row = { age: string; zip: string; income: string; illness: string }
const header: (keyof Row)[] = ['age', 'zip', 'income', 'illness']

const rowOf = fc.record({
  age: fc.integer({ min: 0, max: 40 }).map(String),
  zip: fc.constantFrom('10115', '10117', '20095', '"', ''),
  income: fc.integer({ min: 1, max: 4 }).map(n => String(n * 500)),
  illness: fc.constantFrom('flu', 'cold', 'none, yet'),
})

const csvOf = (rows: Row[]) =>
  [header, ...rows.map(row => header.map(column => row[column]))]
    .map(cells => `${cells.map(cell => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`)
    .join('')

const sheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook with a header row, numbers as numbers and texts in their cells. */
function bookOf(rows: Row[]): Buffer {
  const cells = [header, ...rows.map(row => header.map(column => row[column]))].map(values =>
    values.map((value, n) =>
      /^\d+$/.test(value)
        ? `<c r="${'ABCD'[n]}ROW"><v>${value}</v></c>`
        : `<c r="${'ABCD'[n]}ROW" t="inlineStr"><is><t>${value}</t></is></c>`,
    ),
  )
  const written = cells.map((row, n) => `<row r="${n + 1}">${row.join('').replaceAll('ROW', String(n + 1))}</row>`)
  return makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="${sheet}" xmlns:r="${relations}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${sheet}"><sheetData>${written.join('')}</sheetData></worksheet>`,
  })
}

async function run(name: string, text: string | Buffer, more: Partial<Parameters<typeof call>[0]> = {}, plan = risk) {
  const base = call({ input: bufferInput(name, Buffer.from(text)), rules, assetType: 'TABLE', ...more })
  return anonymise({ ...base, plan: { ...base.plan, risk: plan } })
}

/** The figures once more, in the plainest way. */
function plainly(records: { quasi: string; income: number; illness: string }[]) {
  const classes = [...Map.groupBy(records, ({ quasi }) => quasi).values()]
  const shares = <Value>(rows: typeof records, of: (row: (typeof records)[number]) => Value) =>
    new Map([...Map.groupBy(rows, of)].map(([value, same]) => [value, same.length / rows.length]))
  const incomes = [...new Set(records.map(({ income }) => income))].sort((a, b) => a - b)
  const all = { income: shares(records, row => row.income), illness: shares(records, row => row.illness) }
  const equal = (whole: Map<unknown, number>, own: Map<unknown, number>) =>
    [...whole].reduce((sum, [value, share]) => sum + Math.abs(share - (own.get(value) ?? 0)), 0) / 2
  const ordered = (rows: typeof records) => {
    const own = shares(rows, row => row.income)
    let [sum, gap] = [0, 0]
    for (const income of incomes) {
      gap += all.income.get(income)! - (own.get(income) ?? 0)
      sum += Math.abs(gap)
    }
    return sum / (incomes.length - 1)
  }
  const entropy = (own: Map<unknown, number>) =>
    Math.exp(-[...own.values()].reduce((sum, p) => sum + p * Math.log(p), 0))
  const sizes = classes.map(({ length }) => length)
  return {
    classes: classes.length,
    k: Math.min(...sizes),
    unique: sizes.filter(size => size === 1).length,
    average: classes.length / records.length,
    histogram: [
      [1, 1],
      [2, 2],
      [3, 4],
      [5, 9],
      [10, 19],
      [20, null],
    ].map(([from, to]) => {
      const within = sizes.filter(size => size >= from! && (to === null || size <= to!))
      return { from, to, classes: within.length, records: within.reduce((a, b) => a + b, 0) }
    }),
    atRisk: sizes.filter(size => 1 / size > 0.2).reduce((a, b) => a + b, 0) / records.length,
    income: {
      distinctL: Math.min(...classes.map(rows => shares(rows, row => row.income).size)),
      entropyL: Math.min(...classes.map(rows => entropy(shares(rows, row => row.income)))),
      tEqual: Math.max(
        ...classes.map(rows =>
          equal(
            all.income,
            shares(rows, row => row.income),
          ),
        ),
      ),
      tOrdered: incomes.length < 2 ? null : Math.max(...classes.map(ordered)),
    },
    illness: {
      tEqual: Math.max(
        ...classes.map(rows =>
          equal(
            all.illness,
            shares(rows, row => row.illness),
          ),
        ),
      ),
    },
  }
}

describe('the measure of risk', () => {
  test('is what the plainest calculation gives, before and after', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rowOf, { minLength: 5, maxLength: 120 }), async rows => {
        const { before, after } = (await run('t.csv', csvOf(rows))).risk!
        const decade = (age: string) => Math.floor(Number(age) / 10)
        const prefix = (zip: string) => zip.slice(0, 2) + '*'.repeat(Math.max(0, zip.length - 2))
        for (const [figures, quasi] of [
          [before, (row: Row) => `${row.age}|${row.zip}`],
          [after, (row: Row) => `${decade(row.age)}|${prefix(row.zip)}`],
        ] as const) {
          const plain = plainly(
            rows.map(row => ({ quasi: quasi(row), income: Number(row.income), illness: row.illness })),
          )
          const [income, illness] = figures.sensitive
          expect(figures).toMatchObject({ classes: plain.classes, k: plain.k, uniqueRecords: plain.unique })
          expect(figures.prosecutor).toMatchObject({ average: plain.average, recordsAtRisk: plain.atRisk })
          expect(figures.journalist).toEqual(figures.prosecutor)
          expect(figures.histogram).toEqual(plain.histogram)
          expect(income!.distinctL).toBe(plain.income.distinctL)
          expect(income!.entropyL).toBeCloseTo(plain.income.entropyL, 9)
          expect(income!.tEqual).toBeCloseTo(plain.income.tEqual, 9)
          if (plain.income.tOrdered === null) expect(income!.tOrdered).toBeNull()
          else expect(income!.tOrdered).toBeCloseTo(plain.income.tOrdered, 9)
          expect(illness!.tEqual).toBeCloseTo(plain.illness.tEqual, 9)
          expect(illness!.tOrdered).toBeNull()
        }
      }),
      { numRuns: runs(60) },
    )
  })

  test('of chunks put together is to the last digit that of the whole, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowOf, { minLength: 60, maxLength: 200 }),
        fc.integer({ min: 150, max: 1500 }),
        async (rows, size) => {
          const text = csvOf(rows)
          const whole = await run('t.csv', text)
          const { signal } = new AbortController()
          const split = (await splitAsset({ input: bufferInput('t.csv', Buffer.from(text)), size, signal }))!
          const tallies: Input[] = []
          for (const range of split.ranges) {
            const { tally, risk: figures } = await run('t.csv', text, { range, options: split.options })
            expect(figures).toBeUndefined()
            tallies.unshift(tally!)
          }
          expect(await figuresOfTallies(risk, tallies)).toEqual(whole.risk)
        },
      ),
      { numRuns: runs(40) },
    )
  })

  test('is the same for the same records in another format', async () => {
    const rows = fc.sample(rowOf, { numRuns: 200, seed: 5 })
    const lines = rows.map(({ age, ...row }) => JSON.stringify({ age: Number(age), ...row }))
    const csv = (await run('t.csv', csvOf(rows))).risk!
    expect((await run('t.ndjson', `${lines.join('\n')}\n`)).risk).toEqual(csv)
    expect((await run('t.xlsx', bookOf(rows))).risk).toEqual(csv)
    expect((await run('t.tsv', csvOf(rows).replaceAll('none, yet', 'none').replaceAll(',', '\t'))).risk).toEqual(csv)
  })

  test('tells missing values, empty ones and lists apart', async () => {
    const lines = ['{"age":1,"zip":null,"n":1}', '{"age":1,"zip":"","n":1}', '{"age":1,"zip":["a","b"]}', '{"n":4}']
    const plan = { ...risk, sensitive: [] }
    const { risk: figures } = await run('t.ndjson', `${[...lines, ...lines].join('\n')}\n`, { rules: [] }, plan)
    expect(figures!.before).toMatchObject({ records: 8, classes: 4, k: 2 })
  })

  test('holds none of the values, nor does what chunks leave behind', async () => {
    const text = `age,zip,income,illness\n${'44444,Bermondsey,Enormous,Leprosy\n'.repeat(20)}`
    const range = { start: 0, end: text.length }
    const { tally } = await run('t.csv', text, { range, options: { header: true } })
    const bytes = Buffer.from(await tally!.read(0, tally!.size)).toString('latin1')
    const report = JSON.stringify(await run('t.csv', text))
    for (const word of ['44444', 'Bermondsey', 'Enormous', 'Leprosy']) {
      expect(bytes).not.toContain(word)
      expect(report).not.toContain(word)
    }
  })

  test.each(['t.csv', 't.ndjson'])('of columns that %s has not fails with those that it has', async name => {
    const text = name === 't.csv' ? csvOf(fc.sample(rowOf, 9)) : '{"age":1,"zip":2,"income":3}\n{"illness":4}\n'
    const plan = { ...risk, quasiIdentifiers: ['age', 'postcode'] }
    await expect(run(name, text, {}, plan)).rejects.toMatchObject({
      type: 'invalid_workflow',
      message: expect.stringMatching(/postcode; it has .*age, zip, income, illness/),
    })
  })
})

describe('what a class must keep', () => {
  const text = csvOf([
    ...Array.from({ length: 6 }, (_, n) => ({ age: '31', zip: '10115', income: `${n}`, illness: 'flu' })),
    ...Array.from({ length: 2 }, () => ({ age: '52', zip: '20095', income: '7', illness: 'cold' })),
  ])
  const plan = (require: NonNullable<RiskPlan['require']>): RiskPlan => ({ ...risk, require })

  test('is reached by suppressing the records that break it', async () => {
    const { output, risk: figures } = await run('t.csv', text, {}, plan({ k: 3, suppressAtMost: 0.25 }))
    expect(figures!.after).toMatchObject({ records: 8, suppressed: 2, classes: 1, k: 6 })
    const lines = Buffer.from(await output.read(0, output.size))
      .toString()
      .split('\n')
    expect(lines[0]).toBe('age,zip,income,illness')
    expect(lines.filter(line => line.startsWith('*,*,7,cold'))).toHaveLength(2)
    expect(lines.filter(line => line.startsWith('"[30, 40[",10***,'))).toHaveLength(6)
  })

  test.each([
    ['more records than may be', { k: 3, suppressAtMost: 0.24 }],
    ['all records', { k: 9, suppressAtMost: 0.99 }],
    ['a sensitive column without diversity', { distinctL: 2, suppressAtMost: 0.5 }],
  ])('fails the table where it takes %s', async (_, require) => {
    await expect(run('t.csv', text, {}, plan(require))).rejects.toMatchObject({ type: 'limit_exceeded' })
  })
})
