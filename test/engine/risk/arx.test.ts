import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule, RiskPlan } from '../../../shared/engine/plan.ts'
import type { RiskFigures } from '../../../shared/engine/risk/measure.ts'
import { exhaustive, firstOfEach } from '../../runs.ts'
import { call, regexRule } from '../call.ts'

const folder = join(import.meta.dirname, '../../../../shared/data/open/arx')
const present = existsSync(folder)
if (!present) console.log('skipped: the reference figures of ARX (../shared/data/open/arx) are not here')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

const columns = 'sex age race marital-status education native-country workclass occupation salary-class'.split(' ')

/** A rule that generalises a whole column to a level of its hierarchy. */
function generalising(column: string, level: number): PlannedRule {
  const lines = read(`adult_hierarchy_${column}.csv`).split(/\r?\n/)
  const rows = lines.filter(line => line !== '').map(line => line.split(';'))
  return regexRule(column, '[\\s\\S]+', {
    columns: [column],
    replacement: { generalise: { hierarchy: { level, rows } } },
  })
}

async function measured(
  levels: Record<string, number>,
  risk: RiskPlan,
): Promise<{ before: RiskFigures; after: RiskFigures }> {
  const rules = Object.entries(levels).map(([column, level]) => generalising(column, level))
  const base = call({ input: bufferInput('adult.csv', Buffer.from(read('adult.csv'))), rules, assetType: 'TABLE' })
  const result = await anonymise({ ...base, plan: { ...base.plan, risk } })
  return result.risk!
}

const plan = (quasiIdentifiers: string[], more: Partial<RiskPlan> = {}): RiskPlan => ({
  quasiIdentifiers,
  sensitive: [],
  threshold: 0.2,
  ...more,
})

type Case = {
  id: string
  sensitive: string | null
  models: string
  limit: number
  metric: string
  levels: string
  loss: number
  suppressed: number
  classes: number
  averageRisk: number
  highestRisk: number
  lowestRisk: number
  recordsWithHighestRisk: number
}

const cases = present
  ? read('reference.jsonl')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Case)
  : []

const bounds = { k: 'k', 'distinct-l': 'distinctL', 'entropy-l': 'entropyL', 't-equal': 't' } as const

describe.skipIf(!present)('the figures of ARX', () => {
  test.each([
    ['all nine columns', columns, { classes: 19_502, uniqueRecords: 15_512 }, 0.6465751607983555],
    ['four columns', columns.slice(0, 4), { classes: 1690, uniqueRecords: 543 }, 1690 / 30_162],
  ])('of the table as it is, %s', async (_, quasi, figures, average) => {
    const { before, after } = await measured({}, plan(quasi))
    expect(before).toMatchObject({ records: 30_162, suppressed: 0, k: 1, ...figures })
    expect(before.prosecutor.average).toBe(average)
    expect(before.marketer.average).toBe(average)
    expect(after).toEqual(before)
    if (quasi.length < 9) return
    expect(before.uniqueness).toBe(0.5142895033485844)
    expect(before.prosecutor.recordsAtRisk).toBe(0.7781314236456468)
  })

  // Of those with the same models and the same metric the first; the long run tries all.
  const tried = firstOfEach(cases, ({ models, metric }) => `${models} ${metric}`)
  test.each(tried.map(one => [one.id, one.models, one] as const))('case %s: %s', async (_, models, reference) => {
    const levels = Object.fromEntries(
      reference.levels.split(',').map(part => [part.split('=')[0]!, Number(part.split('=')[1])]),
    )
    const require = Object.fromEntries(
      models.split(',').map(part => [bounds[part.split('=')[0] as keyof typeof bounds], Number(part.split('=')[1])]),
    )
    const sensitive = reference.sensitive ? [reference.sensitive] : []
    const quasi = Object.keys(levels).filter(column => !sensitive.includes(column))
    const { after } = await measured(
      levels,
      plan(quasi, { sensitive, require: { ...require, suppressAtMost: reference.limit } }),
    )
    const { averageRisk, highestRisk, lowestRisk, recordsWithHighestRisk, suppressed, classes } = reference
    expect(after).toMatchObject({ suppressed, classes })
    expect(after.prosecutor).toMatchObject({
      average: averageRisk,
      highest: highestRisk,
      lowest: lowestRisk,
      recordsAtHighest: recordsWithHighestRisk,
    })
    const { loss, discernibility, averageClassSize } = after.utility
    const metrics: Record<string, number | null> = {
      Loss: loss,
      'Monotonic discernability (DM*)': discernibility,
      'Average equivalence class size': averageClassSize,
    }
    expect(metrics[reference.metric]).toBe(reference.loss)
  })

  test.each(
    [
      ['1,0,1,1,3,2,2,0,1', 255559.85455731067],
      ['1,2,1,1,3,2,2,1,1', 407289.5388925293],
    ].slice(0, exhaustive ? 2 : 1) as [string, number][],
  )('the entropy metric of levels %s', async (levels, bits) => {
    const chosen = Object.fromEntries(levels.split(',').map((level, n) => [columns[n]!, Number(level)]))
    const { after } = await measured(chosen, plan(columns))
    expect(after.utility.entropy).toBe(bits)
  })
})
