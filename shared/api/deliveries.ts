import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { JobError } from './results.ts'
import { Folder } from './source-kinds.ts'

export const DeliveryMode = z
  .enum(['create', 'replace', 'update'])
  .describe(
    '`create` fails if something else has the name; `replace` replaces it in one step; ' +
      '`update` (tables of databases) sets the rows of the same key in one transaction',
  )
const Place = z
  .enum(['copy', 'original'])
  .describe(
    '`copy`: next to the original, as `name.anonymised.ext` or `name_anonymised`; `original`: the original itself',
  )

export const DeliveryTypes = z
  .enum(['source', 'text'])
  .describe('Types of the columns of a new table: those of the original, or text, which takes every replacement')

export const NewDelivery = z
  .strictObject({
    sourceId: Id,
    mode: DeliveryMode.default('create'),
    place: Place.default('copy'),
    folder: Folder.regex(/[^/]/, 'must name a folder')
      .optional()
      .describe('Copies go into this folder, under their own names; for databases the schema of new tables'),
    types: DeliveryTypes.default('source'),
  })
  .refine(({ mode, place, folder }) => place === 'copy' || (mode !== 'create' && folder === undefined), {
    path: ['place'],
    message: 'the original is replaced or updated where it is',
  })
  .meta({ id: 'NewDelivery' })
export type NewDelivery = z.infer<typeof NewDelivery>

/** What came of one asset of a delivery. */
export const DeliveredAsset = z
  .object({
    assetId: Id,
    outputAssetId: Id.nullable(),
    status: z.enum(['SUCCEEDED', 'FAILED']),
    name: z.string().nullable().describe('The file or table that was written, or that could not be'),
    bytes: z.int().nullable(),
    rows: z.int().optional(),
    errors: z.array(JobError),
  })
  .meta({ id: 'DeliveredAsset' })
export type DeliveredAsset = z.infer<typeof DeliveredAsset>

/** The results of a job on their way to a source, or arrived. */
export const Delivery = z
  .object({
    id: Id,
    sourceId: Id,
    mode: DeliveryMode,
    place: Place,
    folder: z.string().optional(),
    types: z.enum(['source', 'text']),
    status: z.enum(['IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'CANCELLED']),
    progress: z.object({ assets: z.int(), done: z.int(), failed: z.int() }),
    assets: z.array(DeliveredAsset).describe('What is settled so far; the first 1,000'),
    errors: z.array(JobError),
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof Delivery>
