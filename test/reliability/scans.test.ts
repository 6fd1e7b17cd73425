import { readFile } from 'node:fs/promises'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Faults } from 'aws-emulators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { encodePage } from '../../shared/engine/formats/image/codecs.ts'
import { openReader } from '../../shared/engine/formats/pdf/page-reader.ts'
import { pictureReader } from '../../shared/engine/formats/pdf/pictures/pictures.ts'
import { startOcr } from '../../shared/engine/ocr/ocr.ts'
import { typedPicture } from '../engine/formats/picture-samples.ts'
import { cancel, ended, insist, start, whileSweeping } from './jobs.ts'
import { keysOf, local, resultsBucket } from './left.ts'
import { type Stage, stageOf, startStage } from './setup.ts'

/** Pages of the scan, of which one worker reads two: two chunks for the document, two for its output. */
const PAGES = 3
/** Height of each, points: that of its lines. */
const HEIGHT = 170
const environment = { READ_PAGES: '2' }

/** A cloud where nothing goes wrong, for all tests that need no other. */
let calm: Stage
beforeAll(async () => {
  calm = await startStage({ environment })
})
afterAll(() => calm?.close())

const scan = async (pages: number): Promise<Uint8Array<ArrayBuffer>> => {
  const document = await PDFDocument.create({ updateMetadata: false })
  for (let page = 1; page <= pages; page++) {
    const lines = [`Contract number ${page}04`, 'with Zacharias Quorum', 'and the Northern Bank']
    const picture = await document.embedJpg(await encodePage(await typedPicture(lines, HEIGHT), 90))
    document.addPage([420, HEIGHT]).drawImage(picture, { x: 0, y: 0, width: 420, height: HEIGHT })
  }
  return Uint8Array.from(await document.save({ useObjectStreams: false }))
}

let content: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  content = await scan(PAGES)
}, 120_000)

/** A job of one scan, ready to be started. */
async function scanJob(
  client: Client,
  file = content,
  more: { surrogates?: true; besides?: { name: string; content: string }[] } = {},
): Promise<string> {
  const { surrogates, besides = [] } = more
  const config = { regexRuleConfig: { pattern: 'Zacharias|Quorum' } }
  const rule = await client.rules.create({ body: { name: 'Name', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: surrogates ? { surrogate: { as: 'PERSON' } } : { text: '[NAME]' } }]
  const body = { name: 'Scans', supportedAssetType: 'DOCUMENT' as const, config: { rules } }
  const workflow = await client.workflows.create({ body })
  const files = [{ name: 'scan.pdf', content: file }, ...besides]
  const { id } = await client.jobs.upload({ body: { name: 'A scan' }, files })
  await client.jobs.update({ job_id: id, body: { workflowId: workflow.id } })
  return id
}

const played = ({ client, cloud }: Stage, id: string) => whileSweeping(cloud, 3000, () => ended(client, id))

/** Keys of all objects that belong to a job's outputs and their making. */
const resultsOf = async (current: Stage, id: string): Promise<string[]> =>
  (await keysOf(current, id)).map(key => key.slice(id.length + 1))

/** The job came out right: no page shows a name, and nothing is left but the output. */
async function checkOutput(current: Stage, id: string, pages = PAGES): Promise<void> {
  const job = await insist(() => current.client.jobs.get({ job_id: id }))
  expect(job.errors).toEqual([])
  expect(job.result?.counts).toMatchObject({ assets: 1, succeeded: 1, findings: 2 * pages })
  const [asset] = job.result!.assets
  const bytes = await insist(async () => new Uint8Array(await (await fetch(asset!.url!)).arrayBuffer()))
  const reader = await openReader(bytes)
  const pictures = pictureReader(reader, new Set(), () => startOcr(['eng'], new AbortController().signal))
  try {
    expect(reader.pages).toBe(pages)
    for (let page = 0; page < pages; page++) {
      const text = (await pictures.read(page))?.text ?? ''
      expect(text).not.toMatch(/Zachar|Quorum/)
      expect(text).toContain(`${page + 1}04`)
    }
  } finally {
    await pictures.close()
    reader.close()
  }
  await onlyOutputLeft(current, id, asset!.outputAssetId!)
}

/** Only the output stays, with the list of findings; a worker that was stopped, or came second, may still be removing the rest. */
const onlyOutputLeft = (current: Stage, id: string, output: string) =>
  expect
    .poll(async () => (await resultsOf(current, id)).filter(key => !/^(?:plan|places-)/.test(key)), { timeout: 60_000 })
    .toEqual([output])

/** What the log says of the messages that were handled to the end for a job, in order. */
const linesOf = async ({ cloud }: Stage, id: string): Promise<string[]> =>
  (await readFile(cloud.logFile, 'utf8')).split('\n').filter(line => line.includes(id) && line.includes('message done'))

/** How many of them are of a kind. */
const handled = async (stage: Stage, id: string, type: string): Promise<number> =>
  (await linesOf(stage, id)).filter(line => line.includes(`"type":"${type}"`)).length

describe('a scan of more pages than one worker reads', () => {
  test('is read by as many as its pages need, twice, and leaves nothing but its output, even of an attempt that was overtaken', {
    timeout: 300_000,
  }, async () => {
    const { client, cloud } = calm
    const id = await scanJob(client)
    await start(client, id)
    await played(calm, id)
    await checkOutput(calm, id)
    await expect.poll(() => handled(calm, id, 'READ'), { timeout: 30_000 }).toBeGreaterThanOrEqual(4)

    const { Assets, result } = await client.jobs.get({ job_id: id })
    const [asset] = Assets
    const outputOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
    const output = await outputOf(result!.assets[0]!.url!)
    // What an attempt that was slower writes when it begins its second round, and the message that it sends.
    const s3 = new S3Client({ endpoint: cloud.endpoints.s3, ...local, forcePathStyle: true })
    const Bucket = await resultsBucket(s3)
    await s3.send(new PutObjectCommand({ Bucket, Key: `${id}/readings-${asset!.id}/candidate-1`, Body: 'an output' }))
    s3.destroy()
    const sqs = new SQSClient({ endpoint: cloud.endpoints.sqs, ...local })
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}))
    const QueueUrl = QueueUrls.find(url => /Work(?!.*Dead)/.test(url))!
    const MessageBody = JSON.stringify({ type: 'READ', jobId: id, assetId: asset!.id, round: 1, n: 0 })
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: 'owner' }))
    sqs.destroy()
    await onlyOutputLeft(calm, id, result!.assets[0]!.outputAssetId!)
    const after = await client.jobs.get({ job_id: id })
    expect(after.result!.counts).toEqual(result!.counts)
    expect((await outputOf(after.result!.assets[0]!.url!)).equals(output), 'the same output').toBe(true)
  })

  test('is read once for its values and its output, where surrogates must be none of them', {
    timeout: 600_000,
  }, async () => {
    const besides = [{ name: 'letter.txt', content: 'Dear Zacharias,\n' }]
    const id = await scanJob(calm.client, content, { surrogates: true, besides })
    await start(calm.client, id)
    await played(calm, id)
    const { errors, result } = await calm.client.jobs.get({ job_id: id })
    expect([errors, result!.counts]).toEqual([[], expect.objectContaining({ succeeded: 2, findings: 2 * PAGES + 1 })])
    const outputs = result!.assets.map(({ outputAssetId }) => outputAssetId!).sort()
    await expect
      .poll(async () => (await resultsOf(calm, id)).filter(key => !/^(?:plan|places-)/.test(key)).sort(), {
        timeout: 60_000,
      })
      .toEqual(outputs)
    const done = await linesOf(calm, id)
    const united = done.findIndex(line => line.includes('"type":"UNITE"'))
    expect(united).toBeGreaterThan(0)
    // Once the values of all files are known, only outputs are read. A message that comes again reads nothing, which takes no time.
    const took = (line: string) => Number(/"milliseconds":(\d+)/.exec(line)?.[1])
    const anew = done.slice(united).filter(line => /"type":"READ".*"round":0/.test(line) && took(line) > 1000)
    expect(anew.length).toBeLessThan(2)
  })

  test('comes out right when messages come twice and workers are killed', { timeout: 600_000 }, async context => {
    const faults: Faults = (service, action) =>
      service === 'sqs' && action.startsWith('Send') ? { duplicate: true } : undefined
    const writes = new Map<string, number>()
    // Every message is worked on twice and more: of two pages, each worker reads one.
    const stage: Stage = await stageOf(context, {
      environment: { READ_PAGES: '1' },
      faults,
      // Once while each round is read, and once while an output that is still to be verified is written.
      onAccess: (name, { action, resource }) => {
        if (name !== 'pipeline-worker' || action !== 'PutObject' || !resource.includes('/readings-')) return
        const kind = /(plan|read|candidate)-\d/.exec(resource)?.[0] ?? ''
        const times = (writes.get(kind) ?? 0) + 1
        writes.set(kind, times)
        if (times === 2 && !kind.startsWith('plan')) stage.cloud.crash('pipeline-worker')
      },
    })
    const id = await scanJob(stage.client, await scan(2))
    await start(stage.client, id)
    await played(stage, id)
    expect([...writes.keys()].sort()).toEqual(
      expect.arrayContaining(['candidate-1', 'plan-0', 'plan-1', 'read-0', 'read-1']),
    )
    await checkOutput(stage, id, 2)
  })

  test('leaves nothing behind when it is cancelled', { timeout: 300_000 }, async () => {
    const { client } = calm
    const id = await scanJob(client)
    await start(client, id)
    while (!(await resultsOf(calm, id)).some(key => key.includes('/read-')))
      await new Promise(resolve => setTimeout(resolve, 100))
    await cancel(client, id)
    await expect
      .poll(async () => (await resultsOf(calm, id)).filter(key => !key.startsWith('plan')), { timeout: 60_000 })
      .toEqual([])
  })
})
