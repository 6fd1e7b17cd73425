import * as z from 'zod'
import { Asset, AssetKind } from './assets.ts'
import { Certificate } from './certificates.ts'
import { Deleted, Description, Id, ListQuery, listBody, Name, Timestamp, upTo } from './common.ts'
import { Delivery, NewDelivery } from './deliveries.ts'
import type { Resource } from './endpoint.ts'
import { FindingPage, FindingQuery, findingFormats } from './findings.ts'
import { PresetId } from './preset-id.ts'
import { JobError, JobResult } from './results.ts'
import { Decisions, JobUnderReview, NewReview, PagePicture, ProposalPage, Review, TakenDecision } from './reviews.ts'
import { sourceFailures } from './source-problems.ts'

/** Most assets that one job may hold. */
export const MAX_ASSETS = 10_000
/** Most files of one upload. */
export const MAX_FILES = 20
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
const MAX_ENTRIES = 20

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

const Progress = z.object({
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
      .max(MAX_FILES),
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

const AssetIds = z.array(Id).min(1).max(MAX_ASSETS)

export const jobs = {
  list: {
    route: 'POST /jobs/list',
    access: 'jobs:read',
    audited: false,
    summary: 'List jobs',
    query: ListQuery,
    body: listBody(['status', 'name'], ['name', 'status', 'createdAt', 'updatedAt']),
    reply: z.array(JobSummary),
  },
  upload: {
    route: 'POST /jobs/upload',
    access: 'jobs:write',
    summary: 'Create a job from uploaded files',
    description:
      'Parts: `files` (repeatable), `name`, `description`, `mode`, and `presetId` to attach a preset. At most 20 files and about 4 MB; larger files go through `POST /jobs/uploads`.',
    multipart: true,
    body: z.strictObject({
      name: Name,
      description: Description.default(''),
      presetId: PresetId.optional(),
      mode: JobMode.optional(),
    }),
    reply: Job,
    problems: ['multipart_invalid', 'payload_too_large', 'preset_not_found'],
  },
  uploads: {
    route: 'POST /jobs/uploads',
    access: 'jobs:write',
    extension: true,
    summary: 'Create a job and get upload URLs for large files',
    description:
      'Every asset has an `upload`: PUT the file there with its `headers`, or in parts if it is above 5 GB, then call `POST /jobs/{job_id}/uploads/complete`. The store takes exactly the announced size (403 otherwise), with `Content-Length` and not in chunks of HTTP, and each file once (412 when it is there). The parts of all files are at most 2,000.',
    body: NewUpload,
    reply: Job,
    problems: ['preset_not_found'],
  },
  completeUploads: {
    route: 'POST /jobs/{job_id}/uploads/complete',
    access: 'jobs:write',
    extension: true,
    summary: 'Say that the announced files have been uploaded',
    reply: Job,
    problems: ['job_not_pending', 'upload_incomplete'],
  },
  get: {
    route: 'GET /jobs/{job_id}',
    access: 'jobs:read',
    audited: 'disclosures',
    summary: 'Show a job with its assets and, once finished, its result',
    description: 'The download URLs of the result are there only for callers with the permission `assets:read`.',
    reply: Job,
  },
  update: {
    route: 'PUT /jobs/{job_id}',
    access: 'jobs:write',
    summary: 'Attach a workflow, a preset or several workflows, or change mode, name or description',
    description:
      'A job has a workflow or a preset: the one that is attached takes the place of the other. A `plan` stands beside it and ' +
      'names workflows for some of the assets, by their type and name. All workflows of a job have the same `project` or none.',
    body: z.strictObject({
      workflowId: Id.nullable().optional(),
      presetId: PresetId.nullable().optional(),
      plan: z.array(PlanEntry).min(1).max(MAX_ENTRIES).nullable().optional().describe('null for none'),
      mode: JobMode.optional(),
      review: NewReview.nullable().optional().describe('A review before the release; null for none'),
      name: Name.optional(),
      description: Description.optional(),
    }),
    reply: Job,
    problems: ['workflow_not_found', 'preset_not_found', 'conflicting_values', 'plan_mismatch', 'job_not_pending'],
  },
  delete: {
    route: 'DELETE /jobs/{job_id}',
    access: 'jobs:write',
    extension: true,
    summary: 'Erase a job, its assets and their files',
    reply: Deleted,
    problems: ['job_in_progress'],
  },
  execute: {
    route: 'POST /jobs/{job_id}/execute',
    access: 'jobs:execute',
    summary: 'Execute a job',
    reply: Job,
    problems: [
      'job_not_pending',
      'too_many_running',
      'workflow_required',
      'workflow_not_found',
      'plan_mismatch',
      'preset_not_found',
      'job_empty',
      'asset_not_ready',
      'asset_type_mismatch',
      'rule_not_found',
      'hierarchy_invalid',
    ],
  },
  status: {
    route: 'GET /jobs/{job_id}/status',
    access: 'jobs:read',
    summary: 'Show the status of a job',
    reply: z.object({ id: Id, status: JobStatus, progress: summary.progress }),
  },
  cancel: {
    route: 'PUT /jobs/{job_id}/cancel',
    access: 'jobs:execute',
    summary: 'Cancel a job',
    description:
      'Takes effect immediately; work in progress stops within two seconds and leaves no output. For a finished job whose results are being delivered, it ends the delivery; results that were already delivered stay.',
    reply: Job,
    problems: ['job_finished'],
  },
  assets: {
    route: 'POST /jobs/{job_id}/assets',
    access: 'jobs:read',
    audited: false,
    summary: 'List the assets of a job',
    query: ListQuery,
    body: listBody(['status', 'type', 'name'], ['name', 'type', 'status', 'size', 'createdAt']),
    reply: z.array(Asset),
  },
  removeAssets: {
    route: 'DELETE /jobs/{job_id}/assets',
    access: 'jobs:write',
    summary: 'Remove assets from a job that has not been executed',
    description: 'The assets are named in the body, `{assetIds: [...]}`, or in the query, `?assetIds=a,b`.',
    query: z.strictObject({ assetIds: z.string().max(40_000).optional() }),
    body: z.strictObject({ assetIds: AssetIds.optional() }),
    reply: Job,
    problems: ['job_not_pending'],
  },
  findings: {
    route: 'GET /jobs/{job_id}/findings',
    access: 'jobs:read',
    extension: true,
    summary: 'List what was found in the files of a finished job, and where, without values',
    description:
      'Of documents and of all assets of a job that inspects; of tables that were anonymised, results tell the numbers. A ' +
      'page may hold fewer than `limit`: the last one is the one without a `cursor` (in CSV and SARIF, without `Link`). ' +
      'The pages of CSV make one file together.',
    query: FindingQuery,
    formats: findingFormats,
    reply: FindingPage,
    problems: ['job_not_finished'],
  },
  certificate: {
    route: 'GET /jobs/{job_id}/certificate',
    access: 'jobs:read',
    audited: true,
    extension: true,
    summary: 'Show the signed certificate of a job that SUCCEEDED or FAILED',
    description:
      'What others can check without this service: which files came out, what was looked for and found, and by which program. ' +
      'With `assetId` comes the proof that this asset is on the list of a large job.',
    query: z.strictObject({ assetId: Id.optional() }),
    reply: Certificate,
    problems: ['job_not_finished'],
  },
  review: {
    route: 'GET /jobs/{job_id}/review',
    access: 'jobs:review',
    extension: true,
    summary: 'Show a job that waits for its review: its assets, its rules, and who has released it',
    reply: JobUnderReview,
    problems: ['not_in_review'],
  },
  proposals: {
    route: 'GET /jobs/{job_id}/review/proposals',
    access: 'jobs:review',
    audited: true,
    extension: true,
    summary: 'Show what is to be replaced in a job that waits for its review, with the values',
    description:
      'Sealed until then, and removed when the review ends. The last page is the one whose `cursor` is null.',
    query: z.strictObject({ assetId: Id.optional(), cursor: upTo(300).optional() }),
    reply: ProposalPage,
    problems: ['not_in_review'],
  },
  page: {
    route: 'GET /jobs/{job_id}/review/page',
    access: 'jobs:review',
    audited: true,
    extension: true,
    summary: 'Show the picture of a page of a job that waits for its review',
    description:
      'There are pictures of the first 300 pages of a PDF, and of the pictures of a file of such. They are sealed like the ' +
      'proposals, whose `boxes` say what stands where on them.',
    query: z.strictObject({
      assetId: Id.optional().describe('The first asset of the job by default'),
      page: z.coerce.number().int().min(1).default(1),
    }),
    reply: PagePicture,
    problems: ['not_in_review', 'page_unknown'],
  },
  decisions: {
    route: 'GET /jobs/{job_id}/review/decisions',
    access: 'jobs:review',
    audited: true,
    extension: true,
    summary: 'Show the decisions that were taken in a review',
    reply: z.object({ version: z.int(), decisions: z.array(TakenDecision) }),
    problems: ['not_in_review'],
  },
  decide: {
    route: 'POST /jobs/{job_id}/decisions',
    access: 'jobs:review',
    extension: true,
    summary: 'Decide on what is to be replaced',
    description:
      'All of the decisions are taken or none. Of several about one finding the last counts; without any, what was found is ' +
      'replaced. Decisions of two persons at the same time follow one another.',
    body: Decisions,
    reply: z.object({ id: Id, review: Review }),
    problems: [
      'not_in_review',
      'review_changed',
      'finding_unknown',
      'page_unknown',
      'rule_not_found',
      'entry_invalid',
      'list_full',
    ],
  },
  release: {
    route: 'POST /jobs/{job_id}/review/release',
    access: 'jobs:review',
    extension: true,
    summary: 'Release a job after its review',
    description:
      'After the last required release, the files are processed again, following the decisions. Nobody can release a job twice.',
    body: z.strictObject({ version: z.int().min(0).describe('The version that was reviewed') }),
    reply: z.object({ id: Id, status: JobStatus, review: Review }),
    problems: ['not_in_review', 'review_changed', 'already_decided'],
  },
  rejectReview: {
    route: 'POST /jobs/{job_id}/review/reject',
    access: 'jobs:review',
    extension: true,
    summary: 'Reject a job in its review: it FAILS with `review_rejected`, and nothing of it is made',
    reply: z.object({ id: Id, status: JobStatus, review: Review }),
    problems: ['not_in_review', 'review_changed'],
  },
  load: {
    route: 'POST /jobs/load',
    access: 'jobs:write',
    summary: 'Create a job from files of a source',
    body: Load,
    reply: Job,
    problems: ['source_unknown', 'source_type_mismatch', 'file_not_found', 'preset_not_found', ...sourceFailures],
  },
  deliver: {
    route: 'POST /jobs/{job_id}/deliver',
    access: 'jobs:deliver',
    extension: true,
    summary: 'Write the results of a finished job to a source',
    description:
      'The queue writes one asset after the other; the job’s `deliveries` show what happened to each. The originals are not changed unless `place` is `original`. The successful results of a FAILED job are written.',
    body: NewDelivery,
    reply: Job,
    problems: [
      'source_unknown',
      'source_kind_unavailable',
      'job_not_finished',
      'job_without_results',
      'job_not_from_source',
      'delivery_in_progress',
    ],
  },
} as const satisfies Resource
