import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { describe, expect, test } from 'vitest'
import { acknowledged } from '../../infra/nag-suppressions.ts'
import { createStack, everyAddition } from './synth.ts'

type Finding = { ruleName: string; violatingConstructs: { constructPath: string }[] }
type Report = { pluginName: string; violations: Finding[]; suppressedViolations?: Finding[] }

function report(context: Record<string, unknown>): Report[] {
  const app = createStack(context).node.root as App
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  const { directory } = app.synth()
  return JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8')).pluginReports
}
const ids = (reports: Report[], field: 'violations' | 'suppressedViolations') =>
  reports.flatMap(found => (found[field] ?? []).map(({ ruleName }) => `${found.pluginName}::${ruleName}`))

describe('cdk-nag', () => {
  const plain = report({})
  const withEverything = report(everyAddition)

  test('checks the stack by both packs', () => {
    expect(plain.map(({ pluginName }) => pluginName)).toEqual(expect.arrayContaining(['AwsSolutions', 'Serverless']))
  })

  test('finds nothing but what is acknowledged', () => {
    expect(ids(plain, 'violations')).toEqual([])
  })

  test('finds nothing more with all that an operator may add', () => {
    expect(ids(withEverything, 'violations')).toEqual([])
  })

  test('still finds all that is acknowledged, each with its reason', () => {
    const found = new Set([...ids(plain, 'suppressedViolations'), ...ids(withEverything, 'suppressedViolations')])
    expect([...found].sort()).toEqual([...new Set(acknowledged.map(({ id }) => id))].sort())
    for (const { reason } of acknowledged) expect(reason.length).toBeGreaterThan(30)
  })
})
