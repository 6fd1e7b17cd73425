import type { PlannedRule } from 'anonymisation-engine'
import { PREDICATE_TYPE } from '../../api/certificates.ts'
import type { EngineFacts } from '../../store/evidence.ts'
import type { JobRecord } from '../../store/job-record.ts'
import type { PlanOfJob } from '../../store/jobs.ts'
import { labelsOf } from '../../store/label-counts.ts'
import { roundOf } from '../../store/reviews.ts'
import { usedPreset } from '../lifecycle/present-job.ts'
import { canonical } from './canonical.ts'
import { keyed } from './keyed.ts'
import type { Leaf } from './leaf.ts'
import { rootOf } from './tree.ts'

/** Name of the list of assets that stands beside a certificate. */
export const LIST_NAME = 'assets.ndjson'
/** Characters of a list that a certificate holds itself. */
const INLINE = 24 * 1024

/** What a certificate is made from. */
export type Certified = {
  job: JobRecord
  plans: readonly PlanOfJob[]
  leaves: Leaf[]
  engines: EngineFacts[]
  salt: string
}

/** The lines of a list as its file. */
export const listFile = (leaves: readonly Leaf[]): Buffer => Buffer.from(leaves.map(({ line }) => `${line}\n`).join(''))

/** Whether a certificate holds its list itself: where it is short, and every output has a digest to be named by. */
export const isInline = (leaves: readonly Leaf[]): boolean =>
  leaves.some(({ output }) => output !== null) &&
  leaves.every(({ output }) => output === null || 'sha256' in output) &&
  leaves.reduce((sum, { line }) => sum + line.length, 0) <= INLINE

/** How a rule looks for something, without patterns and values: they may be what is to be kept secret. */
function detectionOf({ detection }: PlannedRule) {
  if (detection.type !== 'AIMODEL') return { type: detection.type }
  const { type, modelId, modelVersion, confidenceThreshold, entities, language } = detection
  return { type, modelId, modelVersion, confidenceThreshold, entities, language }
}

/** The form of a replacement and its scope; the text that it puts in place is nobody's business. */
function replacementOf({ replacement }: PlannedRule) {
  const [[form, options] = []] = Object.entries(replacement) as [string, { scope?: string }][]
  return { form, scope: options?.scope }
}

/** The workflow of a job as its owner may show it to others: canonical JSON of its snapshot, or of all of them. */
export const openedWorkflow = (plans: readonly PlanOfJob[]): string => {
  const [first] = plans
  return canonical(plans.length === 1 && !first!.match ? first!.plan : plans)
}

function workflowOf({ job, plans, salt }: Certified) {
  if (plans.length === 0) return null
  const entries = plans.map(({ plan: { assetType, exclusions, risk } }) => ({
    assetType,
    exclusions: exclusions?.lists.length ?? 0,
    risk,
  }))
  return {
    digest: keyed(salt, 'workflow', openedWorkflow(plans)),
    ...usedPreset(job),
    ...(job.plan ? { entries } : entries[0]),
    rules: plans.flatMap(({ plan }, entry) =>
      plan.rules.map(rule => ({
        ...(job.plan && { entry }),
        ruleId: rule.ruleId,
        name: rule.name,
        detection: detectionOf(rule),
        replacement: replacementOf(rule),
      })),
    ),
  }
}

function reviewOf({ job: { review }, salt }: Certified) {
  if (!review) return null
  const { state, approvers, version, approvals } = review
  return {
    state,
    approvers,
    decisions: version - roundOf({ review }),
    approvals: approvals.map(({ userId, at }) => ({ by: keyed(salt, 'user', userId), at })),
  }
}

/** What was held of every output before it was stored: an asset of which it could not be shown has FAILED. */
const verification = {
  reader: 'another than the one that read the input',
  compared: 'the text of the output with the one that was expected',
  searched: 'everything in the output for the replaced values, plain and encoded',
}

function predicateOf(certified: Certified, inline: boolean) {
  const { job, leaves, engines } = certified
  const { id, ownerId, mode = 'ANONYMISE', status, createdAt, startedAt, finishedAt, errors = [], tokenKeys } = job
  const lines = leaves.map(({ line }) => line)
  return {
    job: {
      id,
      ownerId,
      mode,
      outcome: status,
      createdAt,
      startedAt,
      finishedAt,
      errors: errors.map(({ type }) => type),
    },
    counts: {
      assets: job.assetCount,
      succeeded: job.done,
      failed: job.failed,
      findings: job.findings,
      labels: labelsOf(job),
      bytesIn: job.bytesIn,
      bytesOut: job.bytesOut,
    },
    workflow: workflowOf(certified),
    tokenKeys: Object.values(tokenKeys ?? {}).map(({ keyId, generation }) => ({ keyId, generation })),
    engines,
    verification,
    review: reviewOf(certified),
    assets: { count: lines.length, root: rootOf(lines), ...(inline && { list: lines }) },
  }
}

/** The statement of a certificate (in-toto, version 1): its subject are the outputs, or the list of assets beside it. */
export function statementOf(certified: Certified, listDigest: string) {
  const inline = isInline(certified.leaves)
  const outputs = certified.leaves.flatMap(({ output }) =>
    output && 'sha256' in output ? [{ name: output.name, digest: { sha256: output.sha256 } }] : [],
  )
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: inline ? outputs : [{ name: LIST_NAME, digest: { sha256: listDigest } }],
    predicateType: PREDICATE_TYPE,
    predicate: predicateOf(certified, inline),
  }
}
