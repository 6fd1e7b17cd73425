import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { operator } from '../../local/cloud.ts'
import type { Service } from './setup.ts'
import type { Job } from './under-review.ts'

const aws = { region: 'us-east-1', credentials: operator }

/** The rule of jobs under review, whose workflows replace e-mail addresses. */
const mail = '[\\w.]+@[\\w.]+\\w'

/** Makes what was proposed for a job that of an older program, and has the newer one find what a pattern says. */
export async function redeploy({ cloud: { endpoints } }: Service, job: Job, pattern = mail): Promise<void> {
  const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({ ...aws, endpoint: endpoints.dynamodb }))
  const s3 = new S3Client({ ...aws, endpoint: endpoints.s3, forcePathStyle: true })
  const round = job.review!.round === 0 ? '' : `.${job.review!.round}`
  for (const { id } of job.Assets)
    await dynamodb.send(
      new UpdateCommand({
        TableName: 'TableJobs',
        Key: { pk: `JOB#${job.id}`, sk: `PROPOSALS${round}#${id}` },
        UpdateExpression: 'SET engines = :engines',
        ExpressionAttributeValues: { ':engines': [`older than ${randomUUID()}`] },
      }),
    )
  const { Buckets = [] } = await s3.send(new ListBucketsCommand())
  const Bucket = Buckets.find(({ Name }) => /results/i.test(Name!))!.Name
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${job.id}/plan-` }))
  for (const { Key } of Contents) {
    const plan = await (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body!.transformToString()
    const { rules, ...rest } = JSON.parse(plan) as { rules: { detection: object }[] }
    const changed = rules.map(rule => ({ ...rule, detection: { ...rule.detection, pattern } }))
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: JSON.stringify({ ...rest, rules: changed }) }))
  }
  dynamodb.destroy()
  s3.destroy()
}
