import type { Envelope, PublicJwk } from '../api/certificates.ts'
import type { Place } from './ahead.ts'
import { createItem, getItem, getTogether, type Item, queryItems, transact } from './dynamo.ts'
import type { JobRecord } from './job-record.ts'
import { JOB } from './jobs.ts'
import type { ObjectKey } from './objects.ts'
import { keyOf } from './records.ts'

/** A list of assets that stands beside a certificate: its bytes, and their SHA-256, hexadecimal. */
export type AssetList = { size: number; sha256: string }

/**
 * The certificate of a job: a row of the job, written once. With the list of assets, where it does not hold that itself, and the
 * salt of its keyed digests, hexadecimal, which is secret until the owner tells it.
 */
export type CertificateRecord = { envelope: Envelope; salt: string; list?: AssetList }

/** Where the entry of a certificate stands: the name of the log, and the number of the entry. */
export type Logged = { log: string; index: number }

const certificateKey = (jobId: string) => ({ pk: keyOf(JOB, jobId).pk, sk: 'CERTIFICATE' })

/** Where a list of a job's assets is kept: named by its content, so that what a certificate names never changes. */
export const listObject = (jobId: string, { sha256 }: AssetList): ObjectKey => ({
  bucket: 'results',
  key: `${jobId}/assets-${sha256}.ndjson`,
})

/** Where the certificate of a job stands. */
export const placeOfCertificate = (jobId: string): Place => ({ table: 'jobs', key: certificateKey(jobId) })

/** A job that has ended or not, and its certificate, read together, as far as they are there. */
export async function findWithCertificate(
  jobId: string,
): Promise<{ job?: JobRecord; certificate?: Item & CertificateRecord }> {
  const place = { table: JOB.table, key: keyOf(JOB, jobId) }
  const [job, certificate] = await getTogether([place, placeOfCertificate(jobId)])
  return { job, certificate } as { job?: Item & JobRecord; certificate?: Item & CertificateRecord }
}

/** The certificate of a job; undefined when it has none. */
export const findCertificate = (jobId: string): Promise<(Item & CertificateRecord) | undefined> =>
  getItem<Item & CertificateRecord>('jobs', certificateKey(jobId))

const UNLOGGED = 'UNLOGGED'
const unloggedKey = (jobId: string) => ({ pk: UNLOGGED, sk: jobId })

/** A certificate that the log has yet to take: the id of its job, and its entry. */
export type Unlogged = { jobId: string; entry: string }

/**
 * Keeps the certificate of a job that is still there, and its entry for the log; false when it has one already, or is gone.
 * The entry outlives the job: an erased job was certified nevertheless.
 */
export const keepCertificate = (jobId: string, certificate: CertificateRecord, entry: string): Promise<boolean> =>
  transact([
    {
      table: 'jobs',
      put: { ...certificate, ...certificateKey(jobId) },
      condition: { condition: 'attribute_not_exists(pk)' },
    },
    { table: 'jobs', put: { ...unloggedKey(jobId), entry } },
    { table: 'jobs', check: keyOf(JOB, jobId), condition: { condition: 'attribute_exists(pk)' } },
  ])

/** Certificates that the log has yet to take, at most so many. */
export async function unlogged(limit: number): Promise<Unlogged[]> {
  const found: Unlogged[] = []
  for await (const row of queryItems<Item & Unlogged>({ table: 'jobs', key: UNLOGGED }, limit))
    found.push({ jobId: row.sk, entry: row.entry })
  return found
}

const loggedKey = (entry: string) => ({ pk: `LOGGED#${entry}`, sk: 'LOGGED' })

/** Notes where the entry of a certificate stands; again is fine. The note is of digests only, and outlives the job. */
export const noteLogged = ({ jobId, entry }: Unlogged, logged: Logged): Promise<boolean> =>
  transact([
    { table: 'jobs', put: { ...loggedKey(entry), ...logged } },
    { table: 'jobs', delete: unloggedKey(jobId) },
  ])

/** Where an entry stands; undefined for one that the log has not, or not yet. */
export const findLogged = (entry: string): Promise<(Item & Logged) | undefined> =>
  getItem<Item & Logged>('jobs', loggedKey(entry))

// In the table of the audit trail, because no function may change or remove what is there.
const KEYS = 'CERTIFICATE-KEYS'

/** Publishes a key that certificates are signed with, for good; again is fine. */
export const publishKey = async (key: PublicJwk): Promise<void> => {
  await createItem('audit', { pk: KEYS, sk: key.kid, key, since: new Date().toISOString() })
}

/** The keys that certificates were ever signed with. */
export async function publishedKeys(): Promise<PublicJwk[]> {
  const keys: PublicJwk[] = []
  for await (const row of queryItems<Item & { key: PublicJwk }>({ table: 'audit', key: KEYS })) keys.push(row.key)
  return keys
}
