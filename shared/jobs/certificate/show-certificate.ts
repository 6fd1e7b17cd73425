import type * as z from 'zod'
import { type Certificate, Envelope } from '../../api/certificates.ts'
import { notFound, ProblemError } from '../../api/problems.ts'
import { type Caller, hasPermission } from '../../http/caller.ts'
import { type CertificateRecord, listObject } from '../../store/certificates.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { plansOf } from '../../store/jobs.ts'
import { downloadUrl, readWhole } from '../../store/objects.ts'
import { receiptOf } from '../../transparency/proofs.ts'
import { certificateOf, entryOf } from './certify.ts'
import { LIST_NAME, openedWorkflow } from './statement.ts'
import { pathOf } from './tree.ts'

/** Longest workflow that an answer carries, characters. */
const LONGEST_WORKFLOW = 1_000_000

type Proof = NonNullable<Certificate['proof']>

/** The certificate of a job, for a caller who may see it; with the proof for an asset of it, where one is named. */
export async function showCertificate(job: JobRecord, user: Caller, assetId?: string): Promise<Certificate> {
  if (!job.finishedAt || job.status === 'CANCELLED')
    throw new ProblemError({ type: 'job_not_finished', msg: `The job is ${job.status}` })
  const record = await certificateOf(job)
  if (!record) throw notFound('certificate')
  const [list, proof, opening, receipt = null] = await Promise.all([
    showList(job.id, record, user),
    assetId === undefined ? null : proofOf(job.id, record, assetId),
    user.id === job.ownerId ? openingOf(job, record) : null,
    receiptOf(entryOf(job.id, record.envelope)),
  ])
  return { certificate: Envelope.parse(record.envelope), list, proof, opening, receipt }
}

async function showList(jobId: string, { list }: CertificateRecord, user: Caller): Promise<Certificate['list']> {
  if (!list) return null
  const mayDownload = hasPermission(user, 'assets:read')
  const object = listObject(jobId, list)
  const url = mayDownload ? (await downloadUrl(object, LIST_NAME, 'application/x-ndjson')).url : null
  return { name: LIST_NAME, size: list.size, url }
}

async function proofOf(jobId: string, { list, envelope }: CertificateRecord, assetId: string): Promise<Proof> {
  const lines = list ? await linesOfList(jobId, list) : linesOfCertificate(envelope)
  const index = lines.findIndex(line => (JSON.parse(line) as { assetId: string }).assetId === assetId)
  if (index < 0)
    throw new ProblemError({ type: 'not_found', msg: 'The job has no such asset', loc: ['query', 'assetId'] })
  return { leaf: lines[index]!, index, path: pathOf(lines, index) }
}

async function linesOfList(jobId: string, list: NonNullable<CertificateRecord['list']>): Promise<string[]> {
  return (await readWhole(listObject(jobId, list))).toString().split('\n').slice(0, -1)
}

const linesOfCertificate = ({ payload }: z.infer<typeof Envelope>): string[] =>
  JSON.parse(Buffer.from(payload, 'base64').toString()).predicate.assets.list

async function openingOf(job: JobRecord, { salt }: CertificateRecord): Promise<Certificate['opening']> {
  const workflow = openedWorkflow(await plansOf(job))
  return { salt, workflow: workflow.length > LONGEST_WORKFLOW ? null : workflow }
}
