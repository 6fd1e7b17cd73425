import * as z from 'zod'
import { Id, upTo } from './common.ts'
import { JobMode, MAX_ASSETS, MAX_FILE_BYTES } from './job.ts'
import { PresetId } from './preset-id.ts'

/** What is to be estimated: a job with what is attached to it, or files that nobody has sent yet. */
export const NewEstimate = z
  .strictObject({
    jobId: Id.optional().describe('A job, as it is; `files` or this'),
    files: z
      .array(z.strictObject({ filename: upTo(255).min(1), size: z.int().min(0).max(MAX_FILE_BYTES) }))
      .min(1)
      .max(MAX_ASSETS)
      .optional()
      .describe('Files that have not been sent: their names tell the formats'),
    workflowId: Id.optional().describe('In place of what is attached to the job'),
    presetId: PresetId.optional().describe('The same'),
    mode: JobMode.optional().describe('In place of the mode of the job; ANONYMISE by default'),
    review: z
      .boolean()
      .optional()
      .describe('Whether it waits for a review, and so is worked on twice; as the job by default'),
  })
  .meta({ id: 'NewEstimate' })
export type NewEstimate = z.infer<typeof NewEstimate>

/** From what is likely at best to what is likely at worst. */
const range = (unit: string) =>
  z.object({ from: z.number(), to: z.number() }).describe(`${unit}, rounded to one digit: \`from\` down, \`to\` up`)

/** Kinds of files that take different times for their size. */
export const FileKind = z.enum(['text', 'table', 'office', 'workbook', 'pdf', 'picture'])
export type FileKind = z.infer<typeof FileKind>

/** What reads a file, in the order of the time that it takes. */
export const Reader = z
  .enum(['patterns', 'recognisers', 'models'])
  .describe('What takes longest of the rules: patterns and lists, `pii-patterns`, or models of language')
export type Reader = z.infer<typeof Reader>

export const Estimate = z
  .object({
    assets: z.int(),
    bytes: z.int(),
    seconds: range(
      'Seconds from executing the job to its result, where no other job waits and 2 to 20 workers are free',
    ),
    workerSeconds: range('Seconds of one worker'),
    dollars: range('US dollars that AWS charges for the work, at the prices of docs/costs.md; keeping files is extra'),
    kinds: z
      .array(
        z.object({ kind: FileKind, reader: Reader, assets: z.int(), bytes: z.int(), workerSeconds: range('Seconds') }),
      )
      .describe('The same by kind of file'),
    pageSeconds: range('Worker seconds')
      .nullable()
      .describe(
        'What each scanned page, and each picture in a document, takes besides, which nobody has counted; null where there are none',
      ),
    uncounted: z.int().describe('Assets that are not in it: of unknown size, or in no format that is supported'),
    unmeasured: z
      .boolean()
      .describe(
        'Whether models read them that nobody has measured here, of your own or of AWS: what those take and cost is extra',
      ),
  })
  .meta({ id: 'Estimate' })
export type Estimate = z.infer<typeof Estimate>
