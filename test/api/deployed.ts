import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { type LocalCloud, operator } from '../../local/cloud.ts'

const { DEPLOYED_URL, ADMIN_EMAIL, ADMIN_PASSWORD, FILES_BUCKET } = process.env

/**
 * The deployed service that the suite talks to instead of starting services of its own, where `BASE_URL` names one (`vitest.config.ts` hands it on);
 * `ADMIN_EMAIL` and `ADMIN_PASSWORD` are those of its administrator. Its rate limits must not stand in the way.
 */
export const deployed = DEPLOYED_URL
  ? {
      baseUrl: DEPLOYED_URL.replace(/\/$/, ''),
      administrator: { email: String(ADMIN_EMAIL), password: String(ADMIN_PASSWORD) },
    }
  : undefined

if (deployed)
  console.log('Skipped where the service is deployed: tests that look inside of it or need one of their own')

/** Stands for the inside of a service where it is out of reach, so that a test which isn't skipped says why it fails. */
export const inside = new Proxy({} as LocalCloud, {
  get(_, property) {
    throw new Error(`${String(property)} is out of reach where the service is deployed: skip this test there`)
  },
})

/** Puts a file where sources of local files find it: in the service's folder, or in the bucket that stands for it. */
export async function putFile(
  userId: string,
  folder: string,
  name: string,
  content: string | Uint8Array,
): Promise<void> {
  if (deployed) {
    const s3 = new S3Client()
    await s3.send(new PutObjectCommand({ Bucket: FILES_BUCKET, Key: `${userId}/${name}`, Body: content }))
    s3.destroy()
    return
  }
  const file = join(folder, userId, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Removes the file of an input, as the end of its time does, from a service on this machine. */
export async function loseInput({ endpoints }: LocalCloud, jobId: string, assetId: string): Promise<void> {
  const s3 = new S3Client({ region: 'us-east-1', credentials: operator, endpoint: endpoints.s3, forcePathStyle: true })
  await s3.send(new DeleteObjectCommand({ Bucket: 'bucketuploads', Key: `${jobId}/${assetId}` }))
  s3.destroy()
}
