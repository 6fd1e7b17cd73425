import * as z from 'zod'
import { Asset } from './assets.ts'
import { Certificate } from './certificates.ts'
import { Deleted, Description, Id, ListQuery, listBody, Name, upTo } from './common.ts'
import { NewDelivery } from './deliveries.ts'
import type { Resource } from './endpoint.ts'
import { Estimate, NewEstimate } from './estimates.ts'
import { FindingPage, FindingQuery, findingFormats } from './findings.ts'
import {
  Job,
  JobMode,
  JobStatus,
  JobSummary,
  Load,
  MAX_ASSETS,
  MAX_ENTRIES,
  NewUpload,
  PlanEntry,
  Progress,
} from './job.ts'
import { PresetId } from './preset-id.ts'
import { Decisions, JobUnderReview, NewReview, PagePicture, ProposalPage, Review, TakenDecision } from './reviews.ts'
import { sourceFailures } from './source-problems.ts'

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
    createsJob: true,
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
    problems: ['multipart_invalid', 'payload_too_large', 'preset_not_found', 'quota_exceeded'],
  },
  uploads: {
    route: 'POST /jobs/uploads',
    access: 'jobs:write',
    createsJob: true,
    extension: true,
    summary: 'Create a job and get upload URLs for large files',
    description:
      'Every asset has an `upload`: PUT the file there with its `headers`, or in parts if it is above 5 GB, then call `POST /jobs/{job_id}/uploads/complete`. The store takes exactly the announced size (403 otherwise), with `Content-Length` and not in chunks of HTTP, and each file once (412 when it is there). The parts of all files are at most 2,000.',
    body: NewUpload,
    reply: Job,
    problems: ['preset_not_found', 'quota_exceeded'],
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
  estimate: {
    route: 'POST /jobs/estimate',
    access: 'jobs:read',
    audited: false,
    extension: true,
    summary: 'Estimate what a job will take and cost before it is executed',
    description:
      'From the sizes and formats of its files and from what its rules read them with, without opening them; nothing is ' +
      'started. The speeds behind it were measured on files of each kind (`docs/costs.md`).',
    body: NewEstimate,
    reply: Estimate,
    problems: [
      'conflicting_values',
      'workflow_required',
      'workflow_not_found',
      'preset_not_found',
      'rule_not_found',
      'job_empty',
      'not_found',
    ],
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
    reply: z.object({ id: Id, status: JobStatus, progress: Progress }),
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
      assetId: Id.optional().describe('The one whose proposals come first by default'),
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
    createsJob: true,
    summary: 'Create a job from files of a source',
    body: Load,
    reply: Job,
    problems: [
      'source_unknown',
      'source_type_mismatch',
      'file_not_found',
      'preset_not_found',
      'quota_exceeded',
      ...sourceFailures,
    ],
  },
  copy: {
    route: 'POST /jobs/{job_id}/copy',
    access: 'jobs:write',
    createsJob: true,
    extension: true,
    summary: 'Create a job from the inputs of a finished one',
    description:
      'The new job is PENDING and belongs to the caller. Its assets are LOADING until the queue has copied them. Name, ' +
      'description, mode and review are those of the finished job. Its workflows or its preset are attached again if all ' +
      'of them are still there and the caller may use them; otherwise the copy has none. `assets:any` is needed to copy the ' +
      'files of others. A job that restored values cannot be copied.',
    reply: Job,
    problems: ['job_not_finished', 'inputs_gone', 'job_empty', 'quota_exceeded'],
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
