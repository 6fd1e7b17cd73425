import type { Envelope, PublicJwk } from '../api/certificates.ts'
import { createItem, getItem, type Item, queryItems, transact } from './dynamo.ts'
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

const certificateKey = (jobId: string) => ({ pk: keyOf(JOB, jobId).pk, sk: 'CERTIFICATE' })

/** Where a list of a job's assets is kept: named by its content, so that what a certificate names never changes. */
export const listObject = (jobId: string, { sha256 }: AssetList): ObjectKey => ({
  bucket: 'results',
  key: `${jobId}/assets-${sha256}.ndjson`,
})

/** The certificate of a job; undefined when it has none. */
export const findCertificate = (jobId: string): Promise<(Item & CertificateRecord) | undefined> =>
  getItem<Item & CertificateRecord>('jobs', certificateKey(jobId))

/** Keeps the certificate of a job that is still there; false when it has one already, or is gone. */
export const keepCertificate = (jobId: string, certificate: CertificateRecord): Promise<boolean> =>
  transact([
    {
      table: 'jobs',
      put: { ...certificate, ...certificateKey(jobId) },
      condition: { condition: 'attribute_not_exists(pk)' },
    },
    { table: 'jobs', check: keyOf(JOB, jobId), condition: { condition: 'attribute_exists(pk)' } },
  ])

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
