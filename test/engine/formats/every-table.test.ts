import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { Plan } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { layers } from './hiding.ts'
import { type TableKind, tableKinds } from './tables.ts'

const header = ['name', 'age', 'town', 'note']

/** Records with ages from 20 to 59 in six towns, so that some combinations are rare. */
const rows = Array.from({ length: 240 }, (_, n) => [
  `Ann ${n}`,
  String(20 + ((n * 7) % 40)),
  `Town ${n % 7 === 0 ? n % 6 : 0}`,
  n % 5 === 0 ? `about Ann ${n} & <others>` : 'none',
])

async function run({ name, make, read }: TableKind, plan: Partial<Plan> & Pick<Plan, 'rules'>) {
  const input = bufferInput(name, make(header, rows))
  const { rules } = plan
  const result = await anonymise({ ...call({ input, rules }), plan: { assetType: 'TABLE', ...plan } })
  return { ...result, rows: await read(await result.output.read(0, result.output.size)) }
}

const kinds = tableKinds.map(kind => [kind.name, kind] as const)

describe.each(kinds)('%s', (_, kind) => {
  test('has whole cells replaced where a rule says so, in its columns and where it matches', async () => {
    const more = { replace: 'cell', replacement: { text: '***' } } as const
    const inNote = await run(kind, { rules: [regexRule('Ann', 'Ann \\d', { ...more, columns: ['note'] })] })
    expect(inNote.rows).toEqual(rows.map(([name, age, town, note], n) => [name, age, town, n % 5 === 0 ? '***' : note]))
    expect(inNote.findings[0]!.count).toBe(rows.length / 5)
    const anywhere = await run(kind, { rules: [regexRule('five', '5', more)] })
    expect(anywhere.rows).toEqual(rows.map(cells => cells.map(text => (text.includes('5') ? '***' : text))))
  })

  test('has the same measures of risk as a CSV, before and after generalising, and rows suppressed', async () => {
    const columns = ['age']
    const rules = [
      regexRule('age', '\\d+', { columns, replacement: { generalise: { range: 10 } } }),
      regexRule('name', '.+', { columns: ['name'], replacement: { suppress: {} } }),
    ]
    const risk = { quasiIdentifiers: ['age', 'town'], sensitive: ['note'], threshold: 0.2 }
    const measured = await run(kind, { rules, risk })
    const asCsv = await run(tableKinds[0]!, { rules, risk })
    expect(measured.risk).toEqual(asCsv.risk)
    expect(measured.risk!.before.records).toBe(rows.length)
    expect(measured.risk!.after.classes).toBeLessThan(measured.risk!.before.classes)
    expect(measured.rows).toEqual(asCsv.rows)
    expect(new Set(measured.rows.map(([name]) => name))).toEqual(new Set(['*']))
    const required = await run(kind, { rules, risk: { ...risk, require: { k: 3, suppressAtMost: 0.2 } } })
    expect(required.risk!.after.suppressed).toBeGreaterThan(0)
    expect(required.rows.filter(([, age]) => age === '*')).toHaveLength(required.risk!.after.suppressed)
    expect(required.rows).toEqual(
      (await run(tableKinds[0]!, { rules, risk: { ...risk, require: { k: 3, suppressAtMost: 0.2 } } })).rows,
    )
  })
})

test.each(tableKinds.map(kind => [kind.name, kind] as const))(
  'a rule that takes whole cells of a column leaves its name in a %s',
  async (name, kind) => {
    const rule = regexRule('any', '.+', { columns: ['Zyname'], replace: 'cell' })
    const input = bufferInput(
      name,
      kind.make(
        ['id', 'Zyname'],
        [
          ['1', 'Anna'],
          ['2', 'Öcal'],
        ],
      ),
    )
    const { output } = await anonymise(call({ input, rules: [rule], assetType: 'TABLE' }))
    const bytes = await output.read(0, output.size)
    expect((await kind.read(bytes)).map(cells => cells[1])).toEqual(['[any]', '[any]'])
    expect([...layers(bytes)].some(layer => layer.includes('Zyname'))).toBe(true)
  },
)
