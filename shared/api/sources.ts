import * as z from 'zod'
import { Deleted, Id, ListQuery, listBody, Name, Timestamp } from './common.ts'
import type { Resource } from './endpoint.ts'
import { Replacement } from './replacements.ts'
import { NewRule } from './rules.ts'
import { type SourceKind as Kind, sourceKinds } from './source-kinds.ts'
import { sourceFailures } from './source-problems.ts'

const kinds = Object.keys(sourceKinds) as [Kind, ...Kind[]]

type Part = 'config' | 'shown'
type Form<Fields extends z.ZodRawShape, P extends Part, K extends Kind = Kind> = K extends Kind
  ? z.ZodObject<Fields & { kind: z.ZodLiteral<K>; config: (typeof sourceKinds)[K][P] }, z.core.$strict>
  : never

/** An object with `kind` and the config that belongs to it. */
const byKind = <Fields extends z.ZodRawShape, const P extends Part>(fields: Fields, part: P) =>
  z.discriminatedUnion(
    'kind',
    kinds.map(kind => {
      const shape = { ...fields, kind: z.literal(kind), config: sourceKinds[kind][part] }
      return part === 'config' ? z.strictObject(shape) : z.object(shape)
    }) as never,
  ) as unknown as z.ZodDiscriminatedUnion<Form<Fields, P>[], 'kind'>

export const NewSource = byKind({ name: Name }, 'config').meta({ id: 'NewSource' })
export type NewSource = z.infer<typeof NewSource>

/** What the config of a change holds is checked against the kind of the source. */
const ConfigChanges = z
  .record(z.string(), z.unknown())
  .describe('As for creation, all of it; a secret that is left out is kept')

export const SourceChanges = z
  .strictObject({ name: Name.optional(), config: ConfigChanges.optional() })
  .meta({ id: 'SourceChanges' })
export type SourceChanges = z.infer<typeof SourceChanges>

export const Source = byKind(
  {
    id: Id,
    name: z.string(),
    secrets: z.record(z.string(), z.literal(true)).describe('Which secrets are stored; they are never shown'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  'shown',
).meta({ id: 'Source' })
export type Source = z.infer<typeof Source>

/** The settings to test: given whole, or those of a stored source, with changes or as they are. */
export const SourceTest = z
  .union([byKind({}, 'config'), z.strictObject({ sourceId: Id, config: ConfigChanges.optional() })])
  .meta({ id: 'SourceTest' })
export type SourceTest = z.infer<typeof SourceTest>

export const SourceTestResult = z
  .object({
    ok: z.boolean(),
    latencyMs: z.int(),
    checks: z.array(
      z.object({ name: z.enum(['connect', 'encryption', 'login', 'read']), ok: z.boolean(), msg: z.string() }),
    ),
    problem: z.string().optional().describe('Why it is not ok: a type of the table of errors'),
    pin: z
      .object({ host_key_fingerprints: z.array(z.string()) })
      .optional()
      .describe('The host key that the server showed; stored with the source when that was tested as it is'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'SourceTestResult' })

const PreviewQuery = z
  .strictObject({
    path: z.string().max(2000).optional().describe('Folder to list; the root of the source by default'),
    cursor: z.string().max(4096).optional().describe('From the page before'),
    limit: z.int().min(1).max(1000).optional().describe('Largest number of entries; 100 by default'),
    name: z.string().min(1).max(2000).optional().describe('Show this entry instead of a list'),
    rows: z.int().min(1).max(20).optional().describe('With `name` of a table: how many rows; 20 by default'),
  })
  .meta({ id: 'PreviewQuery' })

const Entry = z
  .object({
    name: z.string().describe('What a load names it by'),
    type: z.enum(['file', 'folder', 'table', 'view']),
    assetType: z.enum(['TABLE', 'DOCUMENT']).optional(),
    size: z.int().optional(),
    rows: z.int().optional().describe('As the database estimates them'),
    modifiedAt: Timestamp.optional(),
    supported: z.boolean(),
  })
  .meta({ id: 'SourceEntry' })

const Column = z.object({
  name: z.string(),
  nativeType: z.string(),
  nullable: z.boolean(),
  key: z.int().optional().describe('Place in the primary key, counted from 1'),
  encoding: z.enum(['text', 'hex']),
})

export const Preview = z
  .union([
    z.object({ entries: z.array(Entry), cursor: z.string().optional() }),
    z.object({
      entry: Entry,
      columns: z.array(Column).optional(),
      rows: z.array(z.array(z.string().nullable())).optional(),
    }),
  ])
  .meta({ id: 'Preview' })

const DiscoverQuery = z
  .strictObject({ name: z.string().min(1).max(2000).describe('The table, view or file, as a preview names it') })
  .meta({ id: 'DiscoverQuery' })

const Share = z.number().min(0).max(1)

const DiscoveredColumn = z
  .object({
    name: z.string(),
    nativeType: z.string().optional().describe('In the words of the database'),
    values: z.int().describe('How many values were looked at; empty ones are none'),
    status: z
      .enum(['identified', 'text', 'nothing', 'unknown'])
      .describe(
        '`identified`: its cells are one kind of thing. `text`: sentences, in which anything may stand. `nothing`: nothing ' +
          'of a person was seen. `unknown`: too few values to tell',
      ),
    labels: z.array(z.string()).describe('What its cells are; of a text, what was found in it'),
    role: z
      .enum(['direct', 'quasi', 'sensitive'])
      .optional()
      .describe(
        '`direct` identifies somebody by itself, `quasi` together with others; `sensitive` is what must not be learned of anybody',
      ),
    share: Share.describe('Share of the values in which it was found'),
    score: Share.describe('How sure this is'),
    basis: z.enum(['heading', 'checksum', 'form']).optional().describe('What it was told by'),
    replacement: Replacement.nullable().describe('What the workflow proposes; null where the column stays as it is'),
  })
  .meta({ id: 'DiscoveredColumn' })
export type DiscoveredColumn = z.input<typeof DiscoveredColumn>

const ProposedWorkflow = z
  .object({
    name: z.string(),
    rules: z.array(
      z.object({
        rule: NewRule.describe('As `POST /rules/` takes it'),
        entries: z
          .array(z.object({ columns: z.array(z.string()), replacement: Replacement }))
          .describe('Of the workflow, once the rule has an id'),
      }),
    ),
    risk: z
      .object({ quasiIdentifiers: z.array(z.string()), sensitive: z.array(z.string()) })
      .optional()
      .describe('As in the config of a workflow'),
  })
  .meta({ id: 'ProposedWorkflow' })

export const Discovery = z
  .object({
    entry: Entry,
    columns: z.array(DiscoveredColumn),
    workflow: ProposedWorkflow.nullable().describe('Null where there is nothing to replace'),
  })
  .meta({ id: 'Discovery' })
/** A discovery as it is handed to the wrapper, which fills in the defaults of its replacements. */
export type Discovery = z.input<typeof Discovery>

export const sources = {
  list: {
    route: 'POST /sources/list',
    access: 'sources:read',
    audited: false,
    summary: 'List sources',
    query: ListQuery,
    body: listBody(['kind', 'name'], ['name', 'kind', 'createdAt', 'updatedAt']),
    reply: z.array(Source),
  },
  create: {
    route: 'POST /sources/',
    access: 'sources:write',
    summary: 'Create a source',
    description: 'Secrets are encrypted and never shown again.',
    body: NewSource,
    reply: Source,
  },
  test: {
    route: 'POST /sources/test',
    access: 'sources:write',
    summary: 'Test a connection',
    description:
      'A source that cannot be reached is a result (`ok: false`), not an error. An SFTP server whose source names no host key is held to the one that it shows from the first good test of the stored source on.',
    body: SourceTest,
    reply: SourceTestResult,
    problems: ['source_unknown', 'secret_kept_for_other_host'],
  },
  get: { route: 'GET /sources/{source_id}', access: 'sources:read', summary: 'Show a source', reply: Source },
  update: {
    route: 'PUT /sources/{source_id}',
    access: 'sources:write',
    summary: 'Change the name or config of a source',
    description:
      'A stored secret is kept for its host only: if you change where it is sent, you must enter it again. The kind can’t be changed.',
    body: SourceChanges,
    reply: Source,
    problems: ['secret_kept_for_other_host'],
  },
  delete: {
    route: 'DELETE /sources/{source_id}',
    access: 'sources:write',
    summary: 'Delete a source',
    description: 'Assets that were loaded from it stay; those that are still being loaded fail.',
    reply: Deleted,
  },
  preview: {
    route: 'POST /sources/{source_id}/preview',
    access: 'sources:read',
    // It shows rows of tables.
    secretReply: true,
    summary: 'List the files or tables of a source, or show one of them',
    body: PreviewQuery,
    reply: Preview,
    problems: sourceFailures,
  },
  discover: {
    route: 'POST /sources/{source_id}/discover',
    access: 'sources:read',
    extension: true,
    summary: 'Say what the columns of a table are',
    description:
      'Looks at the first 200 rows of a table of a database, or the first 512 KiB of a file of CSV or JSON lines, and proposes ' +
      'a workflow for it. The answer holds no values. Look through the proposal: a column that says nothing in these rows may do so later.',
    body: DiscoverQuery,
    reply: Discovery,
    problems: sourceFailures,
  },
} as const satisfies Resource
