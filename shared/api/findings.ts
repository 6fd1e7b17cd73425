import * as z from 'zod'
import { Id, upTo } from './common.ts'
import { Reason } from './rules.ts'

/** Where something is in a file, as far as its format can say. */
export const FindingPlace = z
  .object({
    kind: z.enum(['body', 'cell', 'header', 'note', 'comment', 'meta', 'attribute', 'name', 'link', 'ocr']),
    part: z.string().optional().describe('Part of a container, such as `word/footnotes.xml`'),
    page: z.int().optional().describe('Page, slide or sheet, from 1'),
    row: z.int().optional().describe('Row of a table, from 1, its header included'),
    rows: z.int().optional().describe('Number of equal rows stored as one; 1 by default'),
    column: z.string().optional().describe('Name of the column or field, or its number; absent where it holds a value'),
  })
  .meta({ id: 'FindingPlace' })

/** One thing that was found in a file of a job. */
export const PlacedFinding = z
  .object({
    id: upTo(40).describe('The same each time the same file is searched with the same rules'),
    assetId: Id,
    label: z.string(),
    ruleId: Id,
    rule: z.string().describe('Name of the rule'),
    score: z.number(),
    reason: Reason,
    place: FindingPlace,
    start: z.int().describe('UTF-16 code units, from the beginning of the text at the place'),
    end: z.int(),
  })
  .meta({ id: 'PlacedFinding' })
export type PlacedFinding = z.infer<typeof PlacedFinding>

/** Media types of findings besides JSON, by what `format` calls them. */
export const findingFormats = { csv: 'text/csv', sarif: 'application/sarif+json' } as const

const score = z.coerce.number().min(0).max(1).optional()

export const FindingQuery = z.strictObject({
  assetId: Id.optional(),
  label: z.string().min(1).max(200).optional(),
  minScore: score,
  maxScore: score,
  limit: z.coerce.number().int().min(1).max(10_000).optional().describe('100 by default'),
  cursor: upTo(300).optional().describe('Where the page begins, from the page before'),
  format: z
    .enum(['json', 'csv', 'sarif'])
    .optional()
    .describe('In place of the header `Accept`; JSON when both are absent'),
})
export type FindingQuery = z.infer<typeof FindingQuery>

export const FindingPage = z
  .object({
    findings: z.array(PlacedFinding).describe('By asset, in the order of their places'),
    cursor: z.string().nullable().describe('For the next page; null if there is none'),
    unlisted: z
      .array(Id)
      .describe('Assets that this page passes over because of them only numbers are kept: tables that were anonymised'),
  })
  .meta({ id: 'FindingPage' })
export type FindingPage = z.infer<typeof FindingPage>
