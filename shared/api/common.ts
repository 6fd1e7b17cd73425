import * as z from 'zod'

/** Text of at most so many characters: a longer one is refused before any pattern looks at it. */
export const upTo = (longest: number) => z.string().max(longest, { abort: true })

/** Identifier of a record: a UUID, so never one of the words that paths have in its place (`list`, `upload`). */
export const Id = upTo(64)
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be an identifier (UUID)')
  .meta({
    description: 'Identifier of a record',
    examples: ['3f2b8c1e-0d4a-4b6f-9a57-5b1c7e9d2f10'],
  })

/** Instant in UTC, ISO 8601. */
export const Timestamp = z.string().meta({ format: 'date-time', examples: ['2026-11-20T09:30:00.000Z'] })

/** A name that people give a record: 1 to 200 characters, no control characters. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(200, { abort: true })
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters')
  .meta({ examples: ['Letters'] })

/** Free text about a record, at most 2,000 characters. */
export const Description = z.string().max(2000)

export const EmailAddress = upTo(254)
  .check(z.email())
  .meta({ examples: ['ada@example.org'] })

/** A number of a record: 0, or of a size that DynamoDB keeps, from 1e-130 to below 1e126. */
export const keptNumber = () =>
  z
    .number()
    .refine(
      value => value === 0 || (Math.abs(value) >= 1e-130 && Math.abs(value) < 1e126),
      'must be 0, or from 1e-130 to below 1e126 in size',
    )

/** What a deletion answers. */
export const Deleted = z.object({ id: Id, deleted: z.literal(true) }).meta({ id: 'Deleted' })

/** Most records that a list skips; further pages are reached by their cursor. */
export const FURTHEST = 10_000

const Cursor = upTo(300)
  .optional()
  .describe(
    `An addition to \`skip\`, which ends at ${FURTHEST}: where the page begins, from the \`Link\` of the page before`,
  )

/** `skip` and `limit` in the query string of a list; as numbers here, so the wrapper converts them. */
export const ListQuery = z.strictObject({
  skip: z.coerce.number().int().min(0).max(FURTHEST).optional(),
  limit: z.coerce.number().int().min(0).max(1000).optional(),
  cursor: Cursor,
})

const Search = z.string().max(200).optional().describe('Only records whose name or title holds this, in any case')

/** Query string of a list endpoint without a body, whose records may be filtered and sorted by the fields named. */
export const listQuery = <const Filter extends string, const Sort extends string>(
  filters: readonly Filter[],
  sorts: readonly [Sort, ...Sort[]],
) => {
  const filter = z
    .string()
    .max(500)
    .optional()
    .describe('Only records whose field has this value, or one of several with commas between')
  const order = `-?(${sorts.join('|')})`
  return ListQuery.extend({
    search: Search,
    sort: upTo(500)
      .regex(new RegExp(`^${order}(,${order}){0,4}$`), `must be ${sorts.join(' or ')}, with commas between`)
      .optional()
      .describe('Fields, the most important first, with a minus for descending; newest first by default'),
    ...(Object.fromEntries(filters.map(name => [name, filter])) as Record<Filter, typeof filter>),
  })
}

/** Body of a list endpoint whose records may be filtered and sorted by the fields named. */
export const listBody = <const Filter extends string, const Sort extends string>(
  filters: readonly [Filter, ...Filter[]],
  sorts: readonly [Sort, ...Sort[]],
) => {
  const value = z.union([z.string(), z.number(), z.boolean()])
  return z.strictObject({
    cursor: Cursor,
    skip: z.int().min(0).max(FURTHEST).optional().describe('Records to skip; 0 by default'),
    limit: z.int().min(0).max(1000).optional().describe('Largest number of records returned; 100 by default'),
    search: Search,
    filters: z
      .partialRecord(
        z.enum(filters) as z.ZodEnum<{ [Name in Filter]: Name }>,
        z.union([value, z.array(value).min(1).max(100)]),
      )
      .optional()
      .describe('Only records whose field has this value, or one of these values'),
    sort: z
      .array(z.strictObject({ field: z.enum(sorts), order: z.enum(['asc', 'desc']).default('asc') }))
      .max(5)
      .optional()
      .describe('Newest first by default'),
  })
}

/** One problem of a request. */
const Detail = z.object({
  loc: z.array(z.string()).describe('Where: `body`, `query`, `path` or `header`, then the names down to the field'),
  msg: z.string().describe('What is wrong, for people'),
  type: z.string().describe('What is wrong, for programs'),
})

/** Body of every error. */
export const Problem = z.object({ detail: z.array(Detail) }).meta({ id: 'Problem' })
export type Problem = z.infer<typeof Problem>

/** A refusal that OAuth has a name for too. */
export const OAuthProblem = Problem.extend({
  error: z.string().describe('What OAuth calls it (RFC 6749, 5.2)'),
  error_description: z.string(),
}).meta({ id: 'OAuthProblem' })
