// npm run bench:certificates [-- JOBS]: what certificates and the log add to the end of a job, each job paired with one that
// has none of it (200 pairs unless given), on the emulators of the local cloud; how long a certificate takes to make; and how
// long the verifier takes for one asset of 10,000.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs'
import { startSQS } from 'aws-emulators'
import { certificateOf } from '../shared/jobs/certificate/certify.ts'
import { certificateKeys, signStatement } from '../shared/jobs/certificate/sign.ts'
import { pathOf } from '../shared/jobs/certificate/tree.ts'
import { endJob } from '../shared/jobs/lifecycle/finish-job.ts'
import { variable } from '../shared/settings.ts'
import { type CertificateRecord, keepCertificate, listObject } from '../shared/store/certificates.ts'
import { transact } from '../shared/store/dynamo.ts'
import type { JobRecord } from '../shared/store/job-record.ts'
import { createJob, getJob, JOB, newJob, recordResult, savePlan } from '../shared/store/jobs.ts'
import { readWhole } from '../shared/store/objects.ts'
import { keyOf } from '../shared/store/records.ts'
import { certificateEntry } from '../shared/transparency/entries.ts'
import { startLog } from '../test/transparency/running-log.ts'
import { verify } from '../verifier/verify.ts'

const pairs = Number(process.argv[2] ?? 200)
const ownerId = randomUUID()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Starts what the log needs, and what the end of a job needs besides. */
async function start(): Promise<() => Promise<void>> {
  const log = await startLog()
  const queues = await startSQS({ directory: mkdtempSync(join(tmpdir(), 'bench-certificates-')) })
  process.env.AWS_ENDPOINT_URL_SQS = queues.endpoint
  const [kms, s3, sqs] = [new KMSClient({}), new S3Client({}), new SQSClient({})]
  const key = await kms.send(new CreateKeyCommand({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' }))
  process.env[variable.key('certificates')] = key.KeyMetadata!.KeyId
  await s3.send(new CreateBucketCommand({ Bucket: 'results' }))
  process.env[variable.bucket('results')] = 'results'
  process.env[variable.queue('jobs')] = (await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }))).QueueUrl
  for (const client of [kms, s3, sqs]) client.destroy()
  return async () => {
    await log.stop()
    await queues.close()
  }
}

/** A job all of whose assets have a result. */
async function readyJob(assets: number, more: Partial<JobRecord> = {}): Promise<JobRecord> {
  const made = newJob({ id: randomUUID(), ownerId, name: 'Letters', description: '' }, assets)
  const detection = { type: 'REGEX' as const, pattern: '[0-9]+' }
  const rules = [{ ruleId: randomUUID(), name: 'Numbers', detection, replacement: { text: '#' } }]
  const planKey = await savePlan(made.id, 0, { assetType: 'DOCUMENT', rules })
  const job = { ...made, status: 'IN_PROGRESS' as const, startedAt: made.createdAt, planKey, ...more }
  await createJob(job, [])
  const engines = [{ version: '0.1.0', bundle: sha256('bundle'), models: [] }]
  const record = async (n: number) => {
    const evidence = { input: sha256(`in ${n}`), output: sha256(`out ${n}`), engines }
    const findings = [
      { ...{ ruleId: rules[0]!.ruleId, name: 'Numbers' }, count: 1, labels: [{ label: 'ID', count: 1 }] },
    ]
    const named = { assetId: randomUUID(), name: `letter ${n}.pdf`, status: 'SUCCEEDED' as const }
    const sizes = { bytesIn: 1000, bytesOut: 1000 }
    await recordResult(job, {
      ...named,
      outputAssetId: randomUUID(),
      url: null,
      findings,
      errors: [],
      ...sizes,
      evidence,
    })
  }
  for (let n = 0; n < assets; n++) await record(n)
  return getJob(job.id)
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

const at = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)]!.toFixed(1)

/** Times two ways of doing something, in turns, and prints both and what one of them takes longer. */
async function compare(name: string, without: () => Promise<number>, within: () => Promise<number>): Promise<void> {
  const times = { without: [] as number[], within: [] as number[] }
  for (let n = -10; n < pairs; n++) {
    // Now one comes first, now the other; the first of all only warm up.
    const [first, second] = n % 2 === 0 ? ([without, within] as const) : ([within, without] as const)
    const [a, b] = [await first(), await second()]
    if (n < 0) continue
    times.without.push(n % 2 === 0 ? a : b)
    times.within.push(n % 2 === 0 ? b : a)
  }
  const longer = times.within.map((time, n) => time - times.without[n]!)
  const row = [times.without, times.within, longer].map(all => `${at(all, 0.5)} / ${at(all, 0.95)}`)
  console.log(`| ${name} | ${row.join(' | ')} |`)
}

const restores = { ownerId }
const ending = async (more: Partial<JobRecord>) => {
  const job = await readyJob(1, more)
  return timed(() => endJob(job, 'SUCCEEDED'))
}

/** Keeps a certificate as the service did before there was a log: without the row that the log takes its entry from. */
const keepAlone = (jobId: string, certificate: CertificateRecord) => {
  const { pk } = keyOf(JOB, jobId)
  const condition = { condition: 'attribute_not_exists(pk)' }
  return transact([
    { table: 'jobs', put: { ...certificate, pk, sk: 'CERTIFICATE' }, condition },
    { table: 'jobs', check: keyOf(JOB, jobId), condition: { condition: 'attribute_exists(pk)' } },
  ])
}

const keeping = async (keep: (jobId: string, certificate: CertificateRecord) => Promise<boolean>) => {
  const { id } = await readyJob(0)
  const certificate = { envelope: await signStatement({ id }), salt: '00' }
  return timed(() => keep(id, certificate))
}

/** Prints how long the certificate of a job takes and how large it is, and how long one of its assets takes to verify. */
async function certify(assets: number): Promise<void> {
  const job = await readyJob(assets)
  await endJob(job, 'SUCCEEDED')
  const ended = await getJob(job.id)
  const cpu = process.cpuUsage()
  const time = await timed(() => certificateOf(ended))
  const { user, system } = process.cpuUsage(cpu)
  const { envelope, list } = (await certificateOf(ended))!
  const bytes = (value: unknown) => Uint8Array.from(Buffer.from(JSON.stringify(value)))
  const [certificate, keys] = [bytes(envelope), bytes({ keys: await certificateKeys() })]
  const seconds = ((user + system) / 1e6).toFixed(2)
  let verified = ''
  if (list) {
    const lines = (await readWhole(listObject(job.id, list))).toString().split('\n').slice(0, -1)
    const proof = bytes({ leaf: lines[7], index: 7, path: pathOf(lines, 7) })
    const times: number[] = []
    for (let n = 0; n < 100; n++)
      times.push(await timed(() => verify({ certificate, keys, proof, files: [], all: false })))
    verified = `${at(times, 0.5)} ms`
  }
  const size = (certificate.length / 1024).toFixed(1)
  console.log(`| ${assets} | ${time.toFixed(0)} ms, ${seconds} s of CPU | ${size} KB | ${verified} |`)
}

const stop = await start()
console.log(`${pairs} pairs, median / p95 in milliseconds\n`)
console.log('| | without | with | longer by |\n|---|---|---|---|')
await compare(
  'the end of a job: its certificate is asked for',
  () => ending({ restores }),
  () => ending({}),
)
await compare(
  'keeping the certificate: with its row for the log',
  () => keeping(keepAlone),
  () => keeping((id, made) => keepCertificate(id, made, certificateEntry(id, Buffer.from(made.envelope.payload)))),
)
console.log('\n| assets | making the certificate | its size | verifying one of the assets |\n|---|---|---|---|')
for (const assets of [1, 100, 10_000]) await certify(assets)
await stop()
