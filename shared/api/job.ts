import * as z from 'zod'
import { Asset, AssetKind } from './assets.ts'
import { MAX_ANNOUNCED } from './bounds.ts'
import { Description, Id, Name, Timestamp, upTo } from './common.ts'
import { Delivery } from './deliveries.ts'
import { PresetId } from './preset-id.ts'
import { JobError, JobResult } from './results.ts'
import { Review } from './reviews.ts'

/** Most assets that one job may hold. */
export const MAX_ASSETS = 10_000
/** Largest single file, bytes (the limit of an S3 object). */
export const MAX_FILE_BYTES = 5 * 1024 ** 4

export const JobStatus = z
  .enum(['PENDING', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'CANCELLED'])
  .meta({ id: 'JobStatus' })
export type JobStatus = z.infer<typeof JobStatus>

export const JobMode = z
  .enum(['ANONYMISE', 'INSPECT'])
  .describe('`INSPECT` shows what would be replaced and where, without values, and makes no outputs')
  .meta({ id: 'JobMode' })
export type JobMode = z.infer<typeof JobMode>

/** Most workflows that one job may choose from. */
export const MAX_ENTRIES = 20

/** One of the workflows that a job chooses from, and for which of its assets. */
export const PlanEntry = z
  .strictObject({
    match: z
      .strictObject({
        type: AssetKind.optional(),
        name: upTo(255).min(1).optional().describe('Name of the file in any case, `*` standing for any characters'),
      })
      .describe('What an asset must be to fall under this entry; any asset when it is empty'),
    workflowId: Id,
  })
  .meta({ id: 'PlanEntry' })
export type PlanEntry = z.infer<typeof PlanEntry>

export const Progress = z.object({
  assets: z.int(),
  done: z.int().describe('Assets that have ended, well or badly'),
  failed: z.int(),
  bytes: z.int().nullable().describe('Bytes of all assets; null until the job is executed'),
  bytesDone: z.int().describe('Bytes that are done, also of assets under way; never falls'),
  secondsLeft: z
    .int()
    .nullable()
    .describe('Estimate from the rate so far; null while unknown, 0 once the job has ended'),
})

const summary = {
  id: Id,
  name: z.string(),
  description: z.string(),
  status: JobStatus,
  workflowId: Id.nullable(),
  presetId: PresetId.nullable().default(null).describe('A shipped workflow, in place of `workflowId`'),
  presetVersion: z.string().nullable().default(null).describe('Of the preset that the job was executed with'),
  plan: z
    .array(PlanEntry)
    .nullable()
    .default(null)
    .describe(
      'Several workflows: the first entry that fits an asset decides, `workflowId` or `presetId` where none does',
    ),
  mode: JobMode.default('ANONYMISE'),
  review: Review.nullable().default(null).describe('Where it was asked for: a pause of a job that is IN_PROGRESS'),
  sourceId: Id.optional(),
  progress: Progress,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
}

export const JobSummary = z.object({ ...summary, assetCount: z.int() }).meta({ id: 'JobSummary' })
export type JobSummary = z.infer<typeof JobSummary>

export const Job = z
  .object({
    ...summary,
    Assets: z.array(Asset),
    result: JobResult.nullable(),
    errors: z.array(JobError),
    deliveries: z.array(Delivery).describe('What was written back to sources, the newest first'),
  })
  .meta({ id: 'Job' })
export type Job = z.infer<typeof Job>

const FileName = upTo(255)
  .min(1)
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters')

/** Type and subtype, and parameters: printable ASCII, because it becomes a header. */
const ContentType = upTo(200).regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')

export const NewUpload = z
  .strictObject({
    name: Name,
    description: Description.default(''),
    presetId: PresetId.optional(),
    mode: JobMode.optional(),
    files: z
      .array(
        z.strictObject({
          filename: FileName,
          size: z.int().min(1).max(MAX_FILE_BYTES),
          contentType: ContentType.optional(),
        }),
      )
      .min(1)
      .max(MAX_ANNOUNCED),
  })
  .meta({ id: 'NewUpload' })
export type NewUpload = z.infer<typeof NewUpload>

export const Load = z
  .strictObject({
    name: Name.optional().describe('Name of the job; the name of the source by default'),
    description: Description.default(''),
    presetId: PresetId.optional(),
    mode: JobMode.optional(),
    sourceId: Id,
    sourceType: z.string().max(32).describe('Kind of the source'),
    files_load_config: z.strictObject({ filenames: z.array(z.string().min(1).max(2000)).min(1).max(MAX_ASSETS) }),
  })
  .meta({ id: 'Load' })
export type Load = z.infer<typeof Load>
