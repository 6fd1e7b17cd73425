import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readFolder } from '../log-leak-guard/folder.ts'
import { createTrial } from './jobs.ts'
import { type Stage, startStage } from './setup.ts'

type Line = Record<string, unknown> & { who: string }

let stage: Stage
let losing = false
beforeAll(async () => {
  stage = await startStage({
    faults: (service, action) =>
      losing && service === 'sqs' && action.startsWith('Send') ? { lose: true } : undefined,
  })
})
afterAll(() => stage?.close())

/** Every line that functions have written, as JSON; one that is not would be lost to any query. */
async function lines(): Promise<Line[]> {
  const text = await readFile(stage.cloud.logFile, 'utf8')
  return text
    .trim()
    .split('\n')
    .map(line => {
      const [, who, json] = /^\S+ (\S+) (.*)$/.exec(line)!
      return { who: who!, ...(JSON.parse(json!) as object) }
    })
}

/** The values of a metric with the dimensions that it was measured with. */
const measured = (all: Line[], metric: string, dimensions: Record<string, string>): number[] =>
  all.flatMap(line => {
    const { _aws: aws } = line as { _aws?: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][] }[] } }
    const [emf] = aws?.CloudWatchMetrics ?? []
    const fits =
      emf?.Namespace === 'Anonymisation' &&
      JSON.stringify([...emf.Dimensions[0]!].sort()) ===
        JSON.stringify(['service', ...Object.keys(dimensions)].sort()) &&
      Object.entries(dimensions).every(([name, value]) => line[name] === value)
    return fits && line.service === 'Anonymisation' && metric in line ? [line[metric] as number] : []
  })

test('what functions write is among what is searched at the end of the run', () => {
  const { logs } = readFolder(inject('quietFolder'))
  const mine = logs.find(({ name }) => stage.cloud.logFile.endsWith(name))
  expect(mine?.text).toContain('"route":"POST /workflows/"')
})

test('one id leads from a request through every step of its job, and the job is measured', async () => {
  const { client, cloud, workflowId } = stage
  const trial = await createTrial(client, workflowId, 1, 2, true)
  const { administrator, apiUrl } = cloud
  const login = await fetch(`${apiUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: administrator!.email, password: administrator!.password }),
  })
  const { access_token: token } = (await login.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  const executed = await fetch(`${apiUrl}/jobs/${trial.id}/execute`, { method: 'POST', headers })
  expect(executed.status).toBe(200)
  const requestId = executed.headers.get('x-request-id')!
  for (;;) {
    const { status } = await client.jobs.status({ job_id: trial.id })
    if (status !== 'IN_PROGRESS') break
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  await expect
    .poll(async () => (await lines()).filter(line => line.message === 'message done').length, { timeout: 10_000 })
    .toBeGreaterThanOrEqual(4)
  const all = await lines()
  const told = all.filter(line => 'message' in line)
  expect(told.filter(line => line.requestId === undefined)).toEqual([])

  const mine = told.filter(line => line.requestId === requestId)
  expect(new Set(mine.map(({ who }) => who))).toEqual(new Set(['jobs-execute', 'pipeline-planner', 'pipeline-worker']))
  expect(new Set(mine.map(({ jobId }) => jobId))).toEqual(new Set([trial.id]))
  expect(mine.filter(line => line.message === 'request done')).toMatchObject([{ status: 200 }])
  expect(mine.filter(line => line.message === 'job ended')).toMatchObject([{ status: 'FAILED' }])

  expect(measured(all, 'JobsStarted', {})).toEqual([1])
  expect(measured(all, 'Jobs', { outcome: 'FAILED' })).toEqual([1])
  expect(measured(all, 'Assets', { outcome: 'SUCCEEDED' })).toEqual([1, 1])
  expect(measured(all, 'Findings', { outcome: 'SUCCEEDED' })).toEqual([1, 1])
  expect(measured(all, 'Assets', { outcome: 'FAILED' })).toEqual([1])
  expect(measured(all, 'Failures', { type: 'unsupported_format' })).toEqual([1])
  expect(measured(all, 'WorkMilliseconds', { step: 'ANONYMISE', outcome: 'done' })).toHaveLength(3)
  expect(measured(all, 'WaitMilliseconds', { step: 'PLAN', outcome: 'done' })[0]).toBeGreaterThanOrEqual(0)
})

test('a run by schedule that finds a stalled job says which', async () => {
  const { client, cloud, workflowId } = stage
  const { id } = await createTrial(client, workflowId, 2, 1, false)
  losing = true
  await client.jobs.execute({ job_id: id })
  await new Promise(resolve => setTimeout(resolve, 3500))
  await cloud.invoke('pipeline-sweeper', {})
  losing = false
  const told = (await lines()).filter(({ who, level }) => who === 'pipeline-sweeper' && level !== 'INFO')
  expect(told).toMatchObject([{ message: 'job stalled', jobId: id, requestId: expect.any(String) }])
})
