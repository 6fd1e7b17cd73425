import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { metricsNamespace } from '../../shared/settings.ts'
import { synthesise } from './synth.ts'

// biome-ignore lint/suspicious/noExplicitAny: a template is plain JSON
type Resource = { Type: string; Properties: any }

const resourcesOf = (context: Record<string, unknown> = {}) =>
  Object.values(synthesise(context).toJSON().Resources as Record<string, Resource>)
const resources = resourcesOf({ dropBuckets: 'inbox' })
const ofType = (type: string) => resources.flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []))
const alarms = ofType('AWS::CloudWatch::Alarm')
const names = alarms.map(({ AlarmName }) => AlarmName.replace('Anonymisation-', '') as string)
const manual = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')

describe('alarms', () => {
  test('have an entry each in the manual, and there is no entry of another', () => {
    const [, chapter = ''] = manual.split(/^## Alarms$/m)
    const entries = [...chapter.split(/^## /m)[0]!.matchAll(/^### (\w+)\n\n\S/gm)].map(match => match[1])
    expect(entries.sort()).toEqual([...names].sort())
  })

  test.each(['DeadLetters', 'JobFailures', 'JobsAge', 'WorkAge', 'ServerErrors', 'PipelineWorkerThrottles'])(
    '%s is among them',
    name => {
      expect(names).toContain(name)
    },
  )

  test('count what the service measures under its own name', () => {
    const own = alarms.filter(({ Namespace }) => Namespace === metricsNamespace)
    expect(own.map(({ Dimensions }) => Dimensions)).toEqual([
      [
        { Name: 'outcome', Value: 'FAILED' },
        { Name: 'service', Value: 'Anonymisation' },
      ],
      [{ Name: 'service', Value: 'Anonymisation' }],
      [{ Name: 'service', Value: 'Anonymisation' }],
    ])
    for (const { Environment } of ofType('AWS::Lambda::Function'))
      expect(Environment.Variables.POWERTOOLS_SERVICE_NAME).toBe('Anonymisation')
  })
})

test('the dashboard shows every metric of the service and every queue', () => {
  const [dashboard] = ofType('AWS::CloudWatch::Dashboard')
  const body = JSON.stringify(dashboard.DashboardBody)
  const measured = ['JobsStarted', 'Jobs', 'JobSeconds', 'Assets', 'BytesIn', 'BytesOut', 'Findings', 'Failures']
  for (const name of [...measured, 'WorkMilliseconds', 'QueueJobs', 'QueueWork', 'QueueDead', 'QueueArrivals'])
    expect(body, name).toContain(name)
})

test('tracing can be switched off', () => {
  const all = JSON.stringify(resourcesOf({ tracing: 'false' }))
  expect(all).not.toContain('xray:PutTraceSegments')
  expect(all).not.toContain('"Mode":"Active"')
  expect(all).not.toContain('"TracingEnabled":true')
})
