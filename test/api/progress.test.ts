import { expect, test } from 'vitest'
import type { Job } from '../../shared/api/job.ts'
import type { NewRule } from '../../shared/api/rules.ts'
import { useService } from './setup.ts'

const service = await useService()
const { client } = await service.person()

type Progress = Job['progress']

/** A table of people of about so many bytes. */
function table(bytes: number): string {
  const rows = ['id,name,mail,note\n']
  for (let n = 0, length = 0; length < bytes; n++) {
    rows.push(`${n},Person ${n},person${n}@example.org,"a plain note of row number ${n}, of some length"\n`)
    length += rows.at(-1)!.length
  }
  return rows.join('')
}

/** A letter of about so many bytes. */
const letter = (bytes: number): string =>
  Array.from(
    { length: bytes / 90 },
    (_, n) => `${n}: Karl Meier of Ulm wrote to Ann Miller about the matter of the day.`,
  ).join('\n\n')

/** What the status of a job said on its way, and how long that took. */
type Watched = { seen: Progress[]; seconds: number }

/** Replaces what a rule finds in one large file, and watches how far it is. */
async function watched(name: string, type: 'TABLE' | 'DOCUMENT', rule: NewRule, content: string): Promise<Watched> {
  const { id: ruleId } = await client.rules.create({ body: rule })
  const config = { rules: [{ ruleId, replacement: { text: '[{{label}}]' } }] }
  const workflow = await client.workflows.create({ body: { name, supportedAssetType: type, config } })
  const body = { name, files: [{ filename: name, size: content.length }] }
  const { id, Assets } = await client.jobs.uploads({ body })
  const { url, headers } = Assets[0]!.upload as { url: string; headers: Record<string, string> }
  expect((await fetch(url, { method: 'PUT', body: content, headers })).status).toBe(200)
  await client.jobs.update({ job_id: id, body: { workflowId: workflow.id } })
  await client.jobs.execute({ job_id: id })
  const began = performance.now()
  const seen: Progress[] = []
  for (;;) {
    const { status, progress } = await client.jobs.status({ job_id: id })
    seen.push(progress)
    expect(progress.bytes).toBe(content.length)
    if (status !== 'IN_PROGRESS') {
      expect(status).toBe('SUCCEEDED')
      return { seen, seconds: (performance.now() - began) / 1000 }
    }
    await new Promise(resolve => setTimeout(resolve, 250))
  }
}

/**
 * What is done grows to all that there is and never falls: once in three seconds at least, three times where there is time
 * for it. Then the estimate falls in the end; before, it may rise where others take the processors.
 */
function expectGrowing({ seen, seconds }: Watched): void {
  const done = seen.map(({ bytesDone }) => bytesDone)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  const { bytes } = seen[0]!
  const steps = new Set(done.filter(one => one > 0 && one < bytes!)).size
  expect(steps).toBeGreaterThanOrEqual(Math.max(1, Math.min(3, Math.floor(seconds / 3))))
  expect(seen[0]).toMatchObject({ bytesDone: 0, secondsLeft: null })
  expect(seen.at(-1)).toMatchObject({ bytesDone: bytes, secondsLeft: 0 })
  const left = seen.flatMap(({ secondsLeft }) => secondsLeft ?? [])
  expect(Math.min(...left)).toBe(0)
  if (seconds >= 9) expect(Math.max(...left)).toBeGreaterThan(left.at(-2)!)
}

test('a large table in one piece shows how far it is, and how long it will take', { timeout: 300_000 }, async () => {
  const mails: NewRule = {
    name: 'Mails',
    description: '',
    type: 'REGEX',
    config: { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } },
  }
  expectGrowing(await watched('people.csv', 'TABLE', mails, table(50_000_000)))
})

test('a document that a model works on shows it as well', { timeout: 300_000 }, async () => {
  const model = { modelId: 'pii-ner', modelVersion: '1.0.0', modelParameters: { entities: ['PERSON'] } }
  const persons: NewRule = { name: 'Persons', description: '', type: 'AIMODEL', config: { aiModelRuleConfig: model } }
  expectGrowing(await watched('letter.md', 'DOCUMENT', persons, letter(300_000)))
})
