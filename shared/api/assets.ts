import * as z from 'zod'
import { Deleted, Id, Name, Timestamp } from './common.ts'
import type { Resource } from './endpoint.ts'
import { FindingPlace } from './findings.ts'
import { AssetResult } from './results.ts'
import { Discovery } from './sources.ts'

export const AssetKind = z.enum(['TABLE', 'DOCUMENT'])

/** How a client sends a large file: one PUT, or the parts of a multipart upload. */
export const UploadTicket = z
  .union([
    z.object({
      method: z.literal('PUT'),
      url: z.string(),
      headers: z.record(z.string(), z.string()).describe('To be sent with the PUT as they are'),
      expiresAt: Timestamp,
    }),
    z.object({
      method: z.literal('MULTIPART'),
      partSize: z.int().describe('Bytes of every part but the last'),
      parts: z.array(z.object({ n: z.int(), url: z.string() })),
      expiresAt: Timestamp,
    }),
  ])
  .meta({ id: 'UploadTicket' })

/** How a table is written, where detecting it may be wrong. Fields left out are detected. */
export const TableOptions = z
  .strictObject({
    encoding: z.string().min(1).max(40).optional().describe('A name of IANA, such as `iso-8859-15` or `utf-16le`'),
    delimiter: z.string().min(1).max(4).optional().describe('Separator of CSV cells'),
    quote: z.string().max(1).optional().describe('Quote around CSV cells; empty for none'),
    escape: z.string().min(1).max(1).optional().describe('Escape before a quote inside quotes; the quote itself'),
    header: z.boolean().optional().describe('Whether the first row names the columns'),
  })
  .meta({ id: 'TableOptions' })

export const Asset = z
  .object({
    id: Id,
    jobId: Id,
    name: z.string(),
    type: AssetKind,
    contentType: z.string(),
    size: z.int().nullable().describe('Bytes; null until known'),
    sha256: z.string().nullable().describe('Hexadecimal; null until known'),
    status: z.enum(['UPLOADING', 'LOADING', 'READY', 'FAILED']),
    loaded: z.int().optional().describe('Bytes that have come from the source so far'),
    derivedFrom: Id.optional().describe('The asset that this anonymised output was made from'),
    sourceId: Id.optional(),
    table: TableOptions.optional().describe('How the table is read, where it is not to be detected'),
    upload: UploadTicket.optional(),
    errors: z.array(z.object({ loc: z.array(z.string()), msg: z.string(), type: z.string() })).optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Asset' })
export type Asset = z.infer<typeof Asset>

export const AssetChanges = z
  .strictObject({ name: Name.optional(), type: AssetKind.optional(), table: TableOptions.optional() })
  .meta({ id: 'AssetChanges' })

export const AssetPage = z
  .object({
    assetId: Id,
    page: z.int(),
    pages: z.int().nullable().describe('How many there are; null where only reading to the end would tell'),
    more: z.boolean().describe('Whether others follow'),
    picture: z
      .object({
        width: z.int().describe('Pixels'),
        height: z.int(),
        content: z.string().describe('A JPEG, in base64'),
      })
      .nullable()
      .describe('Of a page of a PDF, or of a picture; null for other files'),
    texts: z
      .array(z.object({ place: FindingPlace, text: z.string() }))
      .describe('Of other files; empty with a picture'),
  })
  .meta({ id: 'AssetPage' })
export type AssetPage = z.infer<typeof AssetPage>

const Columns = Discovery.pick({ columns: true, workflow: true }).meta({ id: 'AssetColumns' })

export const assets = {
  get: { route: 'GET /assets/{asset_id}', access: 'assets:read', summary: 'Show an asset', reply: Asset },
  update: {
    route: 'PUT /assets/{asset_id}',
    access: 'assets:write',
    summary: 'Change the name or type of an asset, or how its table is read',
    description: '`table` replaces all of its choices: with `{}` everything is detected again.',
    body: AssetChanges,
    reply: Asset,
    problems: ['asset_in_use'],
  },
  delete: {
    route: 'DELETE /assets/{asset_id}',
    access: 'assets:write',
    summary: 'Delete an asset and its file',
    reply: Deleted,
    problems: ['asset_in_use'],
  },
  url: {
    route: 'GET /assets/{asset_id}/url',
    access: 'assets:read',
    audited: true,
    summary: 'Get a download URL',
    description: 'Valid for five minutes; the file is sent as an attachment.',
    reply: z.object({
      url: z.string(),
      expiresAt: Timestamp,
      name: z.string(),
      contentType: z.string(),
      size: z.int(),
    }),
    problems: ['asset_not_ready'],
  },
  page: {
    route: 'GET /assets/{asset_id}/page',
    access: 'assets:read',
    extension: true,
    audited: 'disclosures',
    summary: 'Show what people see in an asset, page by page',
    description:
      'The picture of a page of a PDF, or of a picture; of other files up to 400 texts in their order, which are paragraphs ' +
      'or cells. Scripts and fonts of the file stay in the service. It is for comparing an output with its input: neither ' +
      'hidden texts nor pictures within Office files are shown, and files of more than 64 MiB are not.',
    query: z.strictObject({ page: z.coerce.number().int().min(1).max(1_000_000).default(1) }),
    reply: AssetPage,
    problems: ['asset_not_ready', 'asset_gone', 'page_unknown', 'cannot_show'],
  },
  columns: {
    route: 'GET /assets/{asset_id}/columns',
    access: 'assets:read',
    extension: true,
    summary: 'Say what the columns of a table are',
    description:
      'As `POST /sources/{source_id}/discover`, for every kind of table: the first 20,000 cells of a workbook, of Parquet or of a JSON ' +
      'array of at most 64 MiB, the first 512 KiB of CSV or JSON lines of any size. The answer holds no values.',
    reply: Columns,
    problems: ['asset_not_ready', 'asset_gone', 'columns_unknown'],
  },
  report: {
    route: 'GET /assets/{asset_id}/report',
    access: 'assets:read',
    extension: true,
    audited: 'disclosures',
    summary: 'Show what was done to an asset',
    description: 'For an asset whose job has processed it, or for its anonymised output. Counts only, never a value.',
    reply: AssetResult,
    problems: ['asset_not_ready'],
  },
} as const satisfies Resource
