import type { Comparison } from 'anonymisation-engine'
import type { JobMode, JobStatus, PlanEntry } from '../api/job.ts'
import type { JobError } from '../api/results.ts'
import type { LabelAttributes } from './label-counts.ts'
import type { ProgressAttributes } from './progress.ts'
import type { Stored } from './records.ts'
import type { ReviewRecord } from './review-record.ts'
import type { TokenKeyRef } from './token-keys.ts'

/** How the values of a job are compared that its surrogates must not be, and how many files there are that may hold such. */
type FoundValues = { compared: Comparison[]; tables: number; documents?: number }

/** The filter that was made of these values. */
export type FilterRef = { sha256: string }

/** A job as stored. Its assets, results and chunks are rows of the same partition. */
export type JobRecord = Stored & {
  name: string
  description: string
  status: JobStatus
  /** What it does with its assets; it anonymises them when absent. */
  mode?: JobMode
  workflowId: string | null
  /** The shipped workflow that it runs with instead, and its version once it was executed. */
  presetId: string | null
  presetVersion: string | null
  /** The workflows for some of its assets, each with the key of its snapshot once the job was executed. */
  plan?: (PlanEntry & { planKey?: string })[] | null
  sourceId?: string
  /** The day (UTC) on which it and its bytes were counted against the quota of its owner. */
  counted?: string
  /** Number of assets, and how many have ended well or badly. */
  assetCount: number
  done: number
  failed: number
  findings: number
  /** Bytes of all assets, once it was executed; and of those that have ended. */
  bytes?: number
  bytesIn: number
  bytesOut: number
  /** Changes with every change of the assets or the workflow, so that execution can't miss one. */
  revision: number
  /** Key of the snapshot of workflow and rules, in the bucket for results; of the assets that no entry of `plan` fits. */
  planKey?: string
  /** Whether a workflow of it names columns, which every table must have before any is worked on. */
  namesColumns?: boolean
  /** Where surrogates must be none of its values: these, how many assets were looked through, what came of it. */
  values?: FoundValues | null
  found?: number
  filter?: FilterRef
  /** Keys of its reversible replacements, as frozen when it was executed. */
  tokenKeys?: { wide?: TokenKeyRef; own?: TokenKeyRef }
  /** Of a job that restores files: whose values they are. */
  restores?: { ownerId: string }
  /** The review before its release that it was asked for, and the number of assets for which all is proposed. */
  review?: ReviewRecord | null
  proposed?: number
  /** Since everything was proposed anew: how much that was to be replaced is not proposed any more. */
  gone?: number
  /** Last sign of life of the work on it. */
  heartbeatAt?: string
  /** The delivery of its results that is under way. */
  delivering?: string
  errors?: JobError[]
  startedAt: string | null
  finishedAt: string | null
} & LabelAttributes &
  ProgressAttributes
