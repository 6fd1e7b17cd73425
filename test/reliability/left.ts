import { ListBucketsCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { Stage } from './setup.ts'

/** The names of what lies in the bucket for results below a job, unfinished uploads included. */
export async function keysOf({ cloud }: Stage, id: string): Promise<string[]> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const s3 = new S3Client({ endpoint: cloud.endpoints.s3, region: 'us-east-1', forcePathStyle: true, credentials })
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}))
  const names: string[] = []
  for (const { Name: Bucket } of Buckets) {
    if (!/result/i.test(Bucket!)) continue
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${id}/` }))
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: `${id}/` }))
    names.push(...[...Contents, ...Uploads].map(({ Key }) => Key!))
  }
  return names
}
