import { ListBucketsCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { Stage } from './setup.ts'

/** What clients of a local cloud's services are made with. */
export const local = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }

export async function resultsBucket(s3: S3Client): Promise<string> {
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}))
  return Buckets.find(({ Name }) => Name?.includes('results'))!.Name!
}

/** The names of what lies in the bucket for results below a job, unfinished uploads included. */
export async function keysOf({ cloud }: Stage, id: string): Promise<string[]> {
  const s3 = new S3Client({ ...local, endpoint: cloud.endpoints.s3, forcePathStyle: true })
  const Bucket = await resultsBucket(s3)
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${id}/` }))
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: `${id}/` }))
  s3.destroy()
  return [...Contents, ...Uploads].map(({ Key }) => Key!)
}
