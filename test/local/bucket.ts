import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { EmulatorOptions } from 'aws-emulators'
import { startS3 } from 'aws-emulators'
import { clientFor, emulated } from './emulated.ts'

/** The bucket that tests use. */
export const Bucket = 'files'

/** An S3 emulator with one bucket, and the two calls that every test needs. */
export async function bucket(options: Partial<EmulatorOptions> = {}) {
  const emulator = await emulated(startS3, options)
  const s3 = new S3Client(clientFor(emulator))
  await s3.send(new CreateBucketCommand({ Bucket }))
  const put = (Key: string, Body: string | Uint8Array, more = {}) =>
    s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))
  const get = async (Key: string, more = {}) =>
    Buffer.from(await (await s3.send(new GetObjectCommand({ Bucket, Key, ...more }))).Body!.transformToByteArray())
  return { emulator, s3, put, get }
}
