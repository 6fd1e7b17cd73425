import * as z from 'zod'
import { Deleted, Description, Id, ListQuery, listBody, Name, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'

/** Most values of a list; of those that are patterns, and of those that are found with slips of the pen. */
export const MAX_VALUES = { all: 1_000_000, pattern: 200, fuzzy: 100_000 } as const

const ListMatch = z
  .enum(['word', 'case', 'exact', 'inflected', 'fuzzy', 'pattern'])
  .describe(
    '`word`: whole words, in any case, whatever separates them; `case`: whole words in the same case; `exact`: the ' +
      'same characters, inside of words too; `inflected`: `word` with the usual endings; `fuzzy`: `word` with one slip of ' +
      'the pen from five letters on, two from nine; `pattern`: a regular expression',
  )

const Value = upTo(500)
  .min(1)
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters')

const Until = Timestamp.check(z.iso.datetime()).describe('From then on the value counts no more')
const Why = z.string().max(500).describe('Why it is on the list')

const NewEntry = z.strictObject({
  value: Value,
  match: ListMatch.default('word'),
  until: Until.optional(),
  why: Why.optional(),
})

export const Entry = z
  .object({
    value: z.string(),
    match: ListMatch,
    addedAt: Timestamp,
    addedBy: Id.describe('The user who put it there'),
    until: Timestamp.nullable(),
    why: z.string().nullable(),
  })
  .meta({ id: 'ListEntry' })
export type Entry = z.infer<typeof Entry>

export const NewList = z.strictObject({ name: Name, description: Description.default('') }).meta({ id: 'NewList' })

export const List = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    entries: z.int().describe('Values on it, those that have expired included'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'ValueList' })
export type List = z.infer<typeof List>

const entryProblems = ['entry_invalid', 'list_full'] as const

export const lists = {
  list: {
    route: 'POST /lists/list',
    access: 'lists:read',
    audited: false,
    extension: true,
    summary: 'List lists of values',
    query: ListQuery,
    body: listBody(['name'], ['name', 'createdAt', 'updatedAt']),
    reply: z.array(List),
  },
  create: {
    route: 'POST /lists/',
    access: 'lists:write',
    extension: true,
    summary: 'Create a list of values',
    description:
      'What rules of type `LIST` look for, or what workflows never replace (`config.exclusions`). A list holds a million ' +
      'values; they are stored encrypted and never logged.',
    body: NewList,
    reply: List,
  },
  get: { route: 'GET /lists/{list_id}', access: 'lists:read', extension: true, summary: 'Show a list', reply: List },
  update: {
    route: 'PUT /lists/{list_id}',
    access: 'lists:write',
    extension: true,
    summary: 'Change name or description of a list',
    body: z.strictObject({ name: Name.optional(), description: Description.optional() }),
    reply: List,
  },
  delete: {
    route: 'DELETE /lists/{list_id}',
    access: 'lists:write',
    extension: true,
    summary: 'Delete a list with its values',
    description: 'A list that a rule or a workflow uses is kept: 400 `in_use` names them.',
    reply: Deleted,
    problems: ['in_use'],
  },
  entries: {
    route: 'POST /lists/{list_id}/entries/list',
    access: 'lists:read',
    audited: true,
    extension: true,
    summary: 'Show values of a list',
    description: 'In the order in which they were added. `search` finds those that hold a text, in any case.',
    secretReply: true,
    query: ListQuery,
    body: listBody(['match'], ['value', 'addedAt']),
    reply: z.array(Entry),
  },
  add: {
    route: 'POST /lists/{list_id}/entries',
    access: 'lists:write',
    extension: true,
    summary: 'Add values to a list',
    description: 'A value that is already on it is replaced, with the new settings.',
    body: z.strictObject({ entries: z.array(NewEntry).min(1).max(10_000) }),
    reply: List,
    problems: entryProblems,
  },
  remove: {
    route: 'DELETE /lists/{list_id}/entries',
    access: 'lists:write',
    extension: true,
    summary: 'Remove values from a list',
    body: z
      .strictObject({
        values: z.array(Value).max(10_000).default([]).describe('Each goes however it is matched'),
        entries: z
          .array(z.strictObject({ value: Value, match: ListMatch }))
          .max(10_000)
          .default([])
          .describe('Each goes as it is matched; the same value that is matched otherwise stays'),
      })
      .refine(({ values, entries }) => values.length + entries.length > 0, { message: 'must name a value or an entry' })
      .meta({ examples: [{ values: ['Ada Lovelace'] }] }),
    reply: List,
  },
  load: {
    route: 'POST /lists/{list_id}/import',
    access: 'lists:write',
    extension: true,
    summary: 'Add the values of a CSV file to a list',
    description: 'The first cell of each row of a file that was uploaded as an asset, UTF-8, without a header.',
    body: z.strictObject({
      assetId: Id,
      match: ListMatch.default('word'),
      until: Until.optional(),
      why: Why.optional(),
      replace: z.boolean().default(false).describe('Whether what is on the list goes'),
    }),
    reply: List,
    problems: [...entryProblems, 'asset_not_ready', 'file_not_a_list'],
  },
} as const satisfies Resource
