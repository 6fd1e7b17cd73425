import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { canariesIn, runCanaryJob, verdictOn } from './certified.ts'
import { problemsOf } from './http.ts'
import { makeFinishedJob, makeJob, makeWorkflow } from './requests.ts'
import { useService } from './setup.ts'
import { ended as jobEnded } from './waiting.ts'

const service = await useService()
const owner = await service.person()

type Shown = Awaited<ReturnType<Client['jobs']['certificate']>>

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

const statementOf = ({ certificate }: Shown) => JSON.parse(Buffer.from(certificate.payload, 'base64').toString())

/** Whether the service has signed a certificate, by the keys that it publishes. */
async function isSigned({ certificate: { payloadType, payload, signatures } }: Shown): Promise<boolean> {
  const { keys } = await owner.client.certificates.keys()
  const [{ keyid, sig }] = signatures as [Shown['certificate']['signatures'][number]]
  const key = createPublicKey({ format: 'jwk', key: keys.find(({ kid }) => kid === keyid)! })
  const bytes = Buffer.from(payload, 'base64')
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `), bytes])
  return verify('sha256', signed, { key, dsaEncoding: 'der' }, Buffer.from(sig, 'base64'))
}

const ended = (job_id: string) => jobEnded(owner.client, job_id)

describe('the certificate of a job', () => {
  test('is signed by a published key and names the output by its digest', async () => {
    const job_id = await makeFinishedJob(owner.client)
    const shown = await owner.client.jobs.certificate({ job_id })
    expect(await isSigned(shown)).toBe(true)
    const { result, finishedAt } = await owner.client.jobs.get({ job_id })
    const output = Buffer.from(await (await fetch(result!.assets[0]!.url!)).arrayBuffer())
    const { subject, predicate, ...told } = statementOf(shown)
    expect(told).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'urn:anonymisation-service:certificate:v1',
    })
    expect(subject).toEqual([{ name: 'a.txt', digest: { sha256: sha256(output) } }])
    expect(predicate).toMatchObject({
      job: { id: job_id, ownerId: owner.user.id, mode: 'ANONYMISE', outcome: 'SUCCEEDED', finishedAt, errors: [] },
      counts: { assets: 1, succeeded: 1, failed: 0, findings: 1, labels: [{ label: 'Numbers', count: 1 }] },
      workflow: {
        assetType: 'DOCUMENT',
        rules: [{ name: 'Numbers', detection: { type: 'REGEX' }, replacement: { form: 'text' } }],
      },
      engines: [{ version: '0.1.0', bundle: expect.stringMatching(/^[0-9a-f]{64}$/), models: [] }],
      review: null,
      assets: { count: 1 },
    })
    expect(JSON.parse(predicate.assets.list[0])).toMatchObject({
      assetId: result!.assets[0]!.assetId,
      status: 'SUCCEEDED',
      output: { name: 'a.txt', size: output.length, sha256: sha256(output) },
      findings: [{ count: 1 }],
      format: 'txt',
      examined: 12,
      errors: [],
      engines: [0],
    })
  })

  test('is the same however often it is asked for, also by several at once', async () => {
    const job_id = await makeFinishedJob(owner.client)
    const shown = await Promise.all([1, 2, 3].map(() => owner.client.jobs.certificate({ job_id })))
    expect(new Set(shown.map(({ certificate }) => JSON.stringify(certificate))).size).toBe(1)
  })

  test('holds of inputs and of the workflow keyed digests, which the owner alone can open', async () => {
    const job_id = await makeFinishedJob(owner.client)
    const { opening, ...shown } = await owner.client.jobs.certificate({ job_id })
    const { predicate } = statementOf({ opening, ...shown })
    const leaf = JSON.parse(predicate.assets.list[0])
    const keyed = (text: string) => createHmac('sha256', Buffer.from(opening!.salt, 'hex')).update(text).digest('hex')
    expect(leaf.input['hmac-sha256']).toBe(keyed(`input:${leaf.assetId}:${sha256('Call 112 now')}`))
    expect(predicate.workflow.digest).toEqual({ 'hmac-sha256': keyed(`workflow:${opening!.workflow}`) })
    expect(JSON.parse(opening!.workflow!).rules[0].detection.pattern).toBe('[0-9]+')
    expect((await service.admin.client.jobs.certificate({ job_id })).opening).toBeNull()
  })

  test('says nothing of what was in the files or in the rules', async () => {
    const { certificate } = await owner.client.jobs.certificate({ job_id: await runCanaryJob(owner.client) })
    const text = Buffer.from(certificate.payload, 'base64').toString()
    expect(text).toContain('"Names"')
    expect(canariesIn(text)).toEqual([])
    for (const word of ['Job of', sha256('Zyxandra met Qwertz17 in Plovdiv')]) expect(text).not.toContain(word)
  })

  test('of a job that only looked has the list of assets as its subject, and proves each asset of it', async () => {
    const { id: job_id } = await makeJob(owner.client)
    await owner.client.jobs.update({
      job_id,
      body: { workflowId: await makeWorkflow(owner.client), mode: 'INSPECT' },
    })
    await owner.client.jobs.execute({ job_id })
    const { Assets } = await ended(job_id)
    const shown = await owner.client.jobs.certificate({ job_id, query: { assetId: Assets[0]!.id } })
    expect(await isSigned(shown)).toBe(true)
    const { subject, predicate } = statementOf(shown)
    const list = await (await fetch(shown.list!.url!)).text()
    expect(subject).toEqual([{ name: 'assets.ndjson', digest: { sha256: sha256(list) } }])
    expect(shown.proof).toEqual({ leaf: list.trimEnd(), index: 0, path: [] })
    expect(predicate.assets).toEqual({
      count: 1,
      root: sha256(Buffer.concat([Buffer.of(0), Buffer.from(list.trimEnd())])),
    })
    const reply = await service.send('GET', `/jobs/${job_id}/certificate?assetId=${job_id}`, owner)
    expect(reply.status).toBe(404)
  })

  test('is accepted by the verifier with the outputs of the job, also where the list of assets stands beside it', async () => {
    const workflowId = await makeWorkflow(owner.client)
    for (const count of [3, 20]) {
      const files = Array.from({ length: count }, (_, n) => ({
        name: `${'n'.repeat(100)} ${n}.txt`,
        content: `Call 112${' now'.repeat(n)}`,
      }))
      const broken = { name: 'broken.docx', content: Buffer.from('PK\x03\x04 is no document') }
      const { id: job_id } = await owner.client.jobs.upload({
        body: { name: 'Some' },
        files: [...files.slice(1), broken],
      })
      await owner.client.jobs.update({ job_id, body: { workflowId } })
      await owner.client.jobs.execute({ job_id })
      expect((await ended(job_id)).status).toBe('FAILED')
      const { problems, leaves, statement } = await verdictOn(owner.client, job_id)
      expect([problems, leaves!.length]).toEqual([[], count])
      expect(statement!.predicate.counts).toMatchObject({ assets: count, succeeded: count - 1, failed: 1 })
      expect(leaves!.filter(({ output }) => !output).map(({ errors }) => errors)).toEqual([[expect.any(String)]])
      const other = await verdictOn(owner.client, job_id, content => Buffer.concat([content, Buffer.from(' ')]))
      expect(other.problems.map(({ code }) => code)).toEqual(['changed', 'missing'])
    }
  })

  test('is not there before the job has ended, for one that was cancelled, and for others', async () => {
    const { id } = await makeJob(owner.client)
    const get = (token: string) => service.send('GET', `/jobs/${id}/certificate`, { token })
    for (const _ of [1, 2]) {
      const early = await get(owner.token)
      expect([early.status, problemsOf(early)[0]!.type]).toEqual([400, 'job_not_finished'])
      await owner.client.jobs.cancel({ job_id: id })
    }
    expect((await get((await service.person()).token)).status).toBe(404)
  })
})

test('the published keys are named by their thumbprints and need no token', async () => {
  const { body, status } = await service.send('GET', '/.well-known/jwks.json')
  expect(status).toBe(200)
  const { keys } = body as { keys: { kid: string; crv: string; kty: string; x: string; y: string }[] }
  for (const { kid, crv, kty, x, y } of keys)
    expect(kid).toBe(createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url'))
})
