import { createHash, randomBytes } from 'node:crypto'
import type { Envelope } from '../../api/certificates.ts'
import { log } from '../../log.ts'
import {
  type CertificateRecord,
  findCertificate,
  findWithCertificate,
  keepCertificate,
  listObject,
} from '../../store/certificates.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { planKeysOf, plansIfThere, resultsFrom } from '../../store/jobs.ts'
import { putObject } from '../../store/objects.ts'
import { certificateEntry } from '../../transparency/entries.ts'
import { isCertified } from './certified.ts'
import { createEngines, type Leaf, leafOf } from './leaf.ts'
import { signStatement } from './sign.ts'
import { isInline, listFile, statementOf } from './statement.ts'

/** Certifies a job that has ended; nothing happens where it has a certificate, or is not one to be certified. */
export async function certifyJob(jobId: string): Promise<void> {
  const { job, certificate } = await findWithCertificate(jobId)
  if (job && isCertified(job) && !certificate) await certify(job)
}

/**
 * The certificate of a job, made now if it has none. It is made from rows that are written once, so that it says what was so
 * when the job ended. Undefined for a job that is not certified: see `isCertified`; or one that was executed by a
 * version without certificates, or whose files have expired.
 */
export async function certificateOf(job: JobRecord): Promise<CertificateRecord | undefined> {
  if (!isCertified(job)) return undefined
  return (await findCertificate(job.id)) ?? certify(job)
}

async function certify(job: JobRecord): Promise<CertificateRecord | undefined> {
  const made = await makeCertificate(job)
  if (!made) return undefined
  // Another one may have been faster: there is only one certificate.
  if (!(await keepCertificate(job.id, made, entryOf(job.id, made.envelope)))) return findCertificate(job.id)
  log.info('job certified', { jobId: job.id })
  return made
}

/** The entry of a certificate in the log. */
export const entryOf = (jobId: string, { payload }: Envelope): string =>
  certificateEntry(jobId, Buffer.from(payload, 'base64'))

async function makeCertificate(job: JobRecord): Promise<CertificateRecord | undefined> {
  const plans = planKeysOf(job).length > 0 ? await plansIfThere(job) : undefined
  if (!plans) return undefined
  const salt = randomBytes(32).toString('hex')
  const engines = createEngines()
  const leaves: Leaf[] = []
  for await (const result of resultsFrom(job.id)) {
    const leaf = await leafOf(job.id, result, { salt, engines })
    if (!leaf) return undefined
    leaves.push(leaf)
  }
  const file = listFile(leaves)
  const list = { size: file.length, sha256: createHash('sha256').update(file).digest('hex') }
  const certified = { job, plans, leaves, engines: engines.list, salt }
  const envelope = await signStatement(statementOf(certified, list.sha256))
  if (isInline(leaves)) return { envelope, salt }
  await putObject(listObject(job.id, list), file, 'application/x-ndjson')
  return { envelope, salt, list }
}
