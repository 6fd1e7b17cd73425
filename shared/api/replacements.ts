import * as z from 'zod'
import { Id, keptNumber, upTo } from './common.ts'

const empty = z.strictObject({})

/** Characters that not every kind of file can hold: those of control but the tab and the end of a line, and no characters at all. */
const unwritable = String.raw`\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff`
const everywhere = new RegExp(`^[^${unwritable}]*$`)
const oneCharacter = new RegExp(`^[^${unwritable}\\t\\n]$`, 'u')
const written = (longest: number) =>
  upTo(longest).regex(everywhere, 'must not hold control characters, other than tabs and line feeds')
const Character = upTo(2).min(1).regex(oneCharacter, 'must be one character, and not a control character')

/** Whether a text can be written into every kind of file. */
export const isWritable = (text: string): boolean => everywhere.test(text)

const DatePart = z.enum(['month', 'quarter', 'year', 'decade'])

/** How a value loses detail: exactly one way. */
const Generalisation = z
  .union([
    z.strictObject({
      range: z
        .union([
          keptNumber().positive(),
          z.strictObject({ width: keptNumber().positive(), from: keptNumber().optional() }),
          z.strictObject({
            bounds: z
              .array(keptNumber())
              .min(1)
              .max(1000)
              .refine(bounds => bounds.every((bound, n) => n === 0 || bound > bounds[n - 1]!), 'must ascend'),
          }),
        ])
        .describe(
          'Numbers become intervals such as `[30, 40[`: of a width, counted from 0 or `from`, or between bounds',
        ),
    }),
    z.strictObject({
      date: z
        .union([DatePart, z.strictObject({ part: DatePart, order: z.enum(['YMD', 'DMY', 'MDY']).optional() })])
        .describe('Dates keep their beginning; `order` says how they are written'),
    }),
    z.strictObject({
      prefix: z
        .strictObject({
          keep: z.int().min(0).max(1000),
          char: Character.optional(),
        })
        .describe('The first characters stay'),
    }),
    z.strictObject({
      hierarchy: z.union([
        z.strictObject({
          level: z.int().min(0).max(100),
          rows: z
            .array(z.array(written(500)).min(1).max(101))
            .min(1)
            .max(2000)
            .describe('Each row: a value, then its generalisation on each level; level 0 is the value itself'),
        }),
        z
          .strictObject({ level: z.int().min(0).max(100), assetId: Id })
          .describe(
            'The same as a CSV file without header that was uploaded as an asset, read when the job is executed',
          ),
      ]),
    }),
  ])
  .meta({ id: 'Generalisation' })

const Scope = z
  .enum(['document', 'job', 'project', 'deployment'])
  .describe('Where the same value is replaced by the same thing; `project` is that of the workflow')

const Kind = upTo(32)
  .regex(/^[A-Z][A-Z0-9_]*$/, 'must be capitals, digits and underscores')
  .describe('What the value is, where no model says so: PERSON, EMAIL, ...')

const FormPreserving = z
  .strictObject({
    alphabet: written(1000)
      .min(1)
      .optional()
      .describe(
        '`digits` (the default), `hex`, `HEX`, `letters`, `alnum`, `alnum62`, or its characters; what separates them stays',
      ),
    keep: z
      .strictObject({ first: z.int().min(0).max(100).optional(), last: z.int().min(0).max(100).optional() })
      .optional()
      .describe('Letters and digits that stay at the beginning and at the end'),
    check: upTo(32).optional().describe('Name of a checksum: values that pass it become values that pass it'),
    otherwise: z
      .enum(['fail', 'token', 'suppress'])
      .optional()
      .describe('About values of which there are fewer than a million of the same form: by default the asset fails'),
    scope: Scope.optional(),
    as: Kind.optional(),
  })
  .describe('The value encrypted into one of the same form (FF1); people who are allowed to can recover it')

const Locale = upTo(35).regex(/^[a-z]{2}(-[A-Za-z0-9]{2,8})*$/)

const Shift = z.int().min(-36_525).max(36_525)
const DateShift = z
  .strictObject({
    days: z
      .strictObject({ min: Shift, max: Shift })
      .optional()
      .describe('By default from -365 to 365; 14 apart at least'),
    keep: z.literal('weekday').optional().describe('By whole weeks'),
    locale: Locale.optional().describe('Language of names of months and weekdays that several languages have'),
    order: z
      .enum(['DMY', 'MDY', 'YMD'])
      .optional()
      .describe('Of dates in numbers that could be two days; these are suppressed without'),
    scope: Scope.optional(),
    by: z
      .union([z.strictObject({ column: upTo(500).min(1) }), z.strictObject({ rule: Id })])
      .optional()
      .describe(
        'Whose dates move alike: in tables records with the same value in a column, or with the same value that a rule of ' +
          'the workflow finds; documents go by what the rule finds first',
      ),
  })
  .describe('Dates move by a number of days that a key decides, the same throughout the scope; their form stays')

const Surrogate = z
  .strictObject({
    as: Kind.optional(),
    scope: Scope.optional(),
    checkDigit: z.enum(['valid', 'invalid']).optional().describe('For numbers with a check digit; `valid` by default'),
    locale: Locale.optional().describe('Language of the names and places; by default that of each name'),
    keep: z
      .array(z.enum(['domain', 'issuer']))
      .max(2)
      .optional()
      .describe('What stays: domains of addresses, issuers of cards'),
  })
  .describe('Something of the same kind that looks real and is made up')

/** What replaces a match: exactly one form. */
export const Replacement = z
  .union([
    z.strictObject({
      text: written(1000).describe(
        'Literal text; `{{label}}`, `{{rule}}` and `{{n}}` (number of the distinct value in the job) are filled in',
      ),
    }),
    z.strictObject({
      mask: z.strictObject({
        char: Character.default('*'),
        keepFirst: z.int().min(0).max(100).default(0),
        keepLast: z.int().min(0).max(100).default(0),
      }),
    }),
    z.strictObject({ hash: empty.describe('HMAC-SHA-256 under a key of the deployment') }),
    z.strictObject({
      pseudonym: z
        .strictObject({ scope: Scope.optional(), as: Kind.optional() })
        .describe('The same value gets the same name throughout its scope, by default the job'),
    }),
    z.strictObject({
      token: z
        .strictObject({ scope: Scope.optional(), as: Kind.optional() })
        .describe('The value encrypted, such as `PERSON~2400…`; people who are allowed to can recover it'),
    }),
    z.strictObject({ fpe: FormPreserving }),
    z.strictObject({ surrogate: Surrogate }),
    z.strictObject({ dateShift: DateShift }),
    z.strictObject({ remove: empty }),
    z.strictObject({ suppress: empty.describe('`*`, as in suppressed cells of statistics') }),
    z.strictObject({
      generalise: Generalisation.describe('Less detail of the same value; `*` if none is left'),
    }),
  ])
  .meta({ id: 'Replacement' })
