import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { PresetId } from './preset-id.ts'
import { AssetRisk } from './risk.ts'

/** A failure of a job or of one of its assets. */
export const JobError = z
  .object({ loc: z.array(z.string()), msg: z.string(), type: z.string(), assetId: Id.optional() })
  .meta({ id: 'JobError' })
export type JobError = z.infer<typeof JobError>

/** How often a label was replaced, the most frequent first: what a model calls it, or the name of the rule. */
const Labels = z.array(z.object({ label: z.string(), count: z.int() })).meta({ id: 'Labels' })

/** What was found in an asset by one rule: numbers, never a value. */
const Finding = z.object({
  ruleId: Id,
  name: z.string(),
  count: z.int(),
  labels: Labels.optional().describe('The same by label; in a job for its first 100 assets, else in their reports'),
})

/** What was done to an asset beyond the replacements. */
export const AssetReport = z
  .object({
    format: z.string(),
    examined: z.int().describe('Characters that the rules searched; they search everything'),
    choices: z.record(z.string(), z.unknown()).describe('How the file was read: encoding, delimiter, header, ...'),
    dropped: z.array(z.object({ what: z.string(), count: z.int() })).describe('Parts left out'),
    rasterised: z.array(z.int()).describe('Pages that became pictures, counted from 1'),
    ocr: z.object({ pages: z.int(), confidence: z.number() }).optional().describe('Optical character recognition'),
    neutralised: z.int().describe('Replacements that would have begun a formula and were made harmless'),
    formulas: z.int().optional().describe('Cells that began as formulas before and were left so'),
    searched: z.int().optional().describe('Replaced values that the output was searched for; it contains none of them'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'AssetReport' })
export type AssetReport = z.infer<typeof AssetReport>

/** The preset, and its version, that the work was done with. */
const UsedPreset = z.object({ id: PresetId, version: z.string() }).optional()

export const AssetResult = z
  .object({
    assetId: Id,
    name: z.string(),
    status: z.enum(['SUCCEEDED', 'FAILED']),
    outputAssetId: Id.nullable(),
    url: z.string().nullable().describe('Download of the output, five minutes; for the first 100 assets'),
    findings: z.array(Finding),
    report: AssetReport.optional(),
    preset: UsedPreset.describe('In the report of an asset: the shipped workflow that it was processed with'),
    risk: AssetRisk.optional().describe('Tables only, where the workflow names quasi-identifiers'),
    errors: z.array(JobError),
  })
  .meta({ id: 'AssetResult' })
export type AssetResult = z.infer<typeof AssetResult>

export const JobResult = z
  .object({
    outcome: z.enum(['SUCCEEDED', 'FAILED', 'CANCELLED']),
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp,
    preset: UsedPreset.describe('The shipped workflow that the job ran with'),
    counts: z.object({
      assets: z.int(),
      succeeded: z.int(),
      failed: z.int(),
      findings: z.int(),
      labels: Labels.describe('The findings by label, the 100 most frequent'),
      bytesIn: z.int(),
      bytesOut: z.int(),
    }),
    assets: z.array(AssetResult),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'JobResult' })
export type JobResult = z.infer<typeof JobResult>
