import * as z from 'zod'
import { Id, Name, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'
import { PresetId } from './preset-id.ts'
import { Replacement } from './replacements.ts'
import { AiModelRuleConfig, Reason, RegexRuleConfig, ruleProblems } from './rules.ts'

/** Most texts of a request, and most characters of them together. */
export const MAX_TEXTS = 100
export const MAX_CHARACTERS = 200_000

/** How long a session can go on after its last request, and how many characters of it a client has to keep at most. */
export const SESSION_HOURS = 24
export const MAX_SESSION = 256 * 1024

const Text = upTo(MAX_CHARACTERS)

const Sealed = upTo(MAX_SESSION)
  .regex(/^[0-9a-f-]{36}\.[0-9]{13}\.[\w-]+$/, 'must be a session as it was returned')
  .describe('The session as it was last returned; only the user who opened it can use it')
  .meta({ examples: ['3f2b8c1e-0d4a-4b6f-9a57-5b1c7e9d2f10.1764150000000.c2VhbGVk'] })

const Message = z.strictObject({
  role: upTo(64).describe('The speaker; not searched'),
  content: Text,
})

const replaced = { replacement: Replacement.optional().describe('`[{{label}}]` by default') }

/** A stored rule by its id, or one that is not stored, with the replacement of its matches. */
const TextRule = z.union([
  z.strictObject({ ruleId: Id, ...replaced }),
  z.strictObject({
    name: Name.optional(),
    type: z.literal('REGEX'),
    config: z.strictObject({ regexRuleConfig: RegexRuleConfig }),
    ...replaced,
  }),
  z.strictObject({
    name: Name.optional(),
    type: z.literal('AIMODEL'),
    config: z.strictObject({ aiModelRuleConfig: AiModelRuleConfig }),
    ...replaced,
  }),
])

export const TextsRequest = z
  .strictObject({
    texts: z.array(Text).min(1).max(MAX_TEXTS).optional().describe('Each is treated as a file of its own'),
    messages: z
      .array(Message)
      .min(1)
      .max(MAX_TEXTS)
      .optional()
      .describe('In place of `texts`: what a model finds in one is replaced in all of them'),
    workflowId: Id.optional().describe('A workflow for documents'),
    presetId: PresetId.optional().describe('In place of `workflowId`'),
    rules: z.array(TextRule).min(1).max(50).optional().describe('In place of `workflowId`'),
    session: z
      .strictObject({ sealed: Sealed.optional() })
      .optional()
      .describe(
        'Puts placeholders such as `PERSON_7QK2` in place of all values, whatever the rules say, which ' +
          '`POST /texts/restore` turns back. The same value gets the same one as long as the session goes on',
      ),
  })
  .meta({ id: 'TextsRequest', examples: [{ texts: ['Write to ada@example.org'], presetId: 'default' }] })
export type TextsRequest = z.infer<typeof TextsRequest>

/** One thing that was replaced. */
export const TextFinding = z
  .object({
    start: z.int().describe('UTF-16 code units, in the text as it was sent'),
    end: z.int(),
    label: z.string(),
    rule: z.int().describe('Index of the rule in the workflow, the preset or the request'),
    ruleId: Id.optional(),
    name: z.string().describe('Name of the rule'),
    score: z.number(),
    reason: Reason,
    replacement: z.object({ start: z.int(), end: z.int() }).describe('The position of its replacement in the response'),
  })
  .meta({ id: 'TextFinding' })
export type TextFinding = z.infer<typeof TextFinding>

const findings = z.array(TextFinding).describe('In the order of their places')

export const TextsReply = z
  .object({
    texts: z.array(z.object({ text: z.string(), findings })).optional(),
    messages: z.array(z.object({ role: z.string(), content: z.string(), findings })).optional(),
    session: z
      .object({ sealed: z.string(), expiresAt: Timestamp })
      .optional()
      .describe('Keep it, and send it with the next request: the service stores nothing of it'),
  })
  .meta({ id: 'TextsReply' })
export type TextsReply = z.infer<typeof TextsReply>

export const RestoreRequest = z
  .strictObject({
    texts: z.array(Text).min(1).max(MAX_TEXTS),
    session: z.strictObject({ sealed: Sealed }),
    writing: z
      .enum(['text', 'json'])
      .default('text')
      .describe('`json`: the texts are JSON, in whose strings values are escaped'),
  })
  .meta({ id: 'RestoreRequest' })
export type RestoreRequest = z.infer<typeof RestoreRequest>

const RestoreReply = z
  .object({
    texts: z.array(
      z.object({
        text: z.string(),
        restored: z.int().describe('Number of placeholders that were replaced with their values'),
        altered: z
          .array(z.object({ found: z.string(), placeholder: z.string() }))
          .describe('Those that were written differently from the original'),
        unknown: z
          .array(z.string())
          .describe('Words that look like placeholders of the session but are not; they were left'),
      }),
    ),
  })
  .meta({ id: 'RestoreReply' })
export type RestoreReply = z.infer<typeof RestoreReply>

export const texts = {
  anonymise: {
    route: 'POST /texts',
    access: 'texts:anonymise',
    audited: false,
    extension: true,
    secretReply: true,
    summary: 'Anonymise texts or messages immediately',
    description:
      'Returns what a job would make of plain-text files, with every place that was replaced, why, and the position of its ' +
      `replacement. At most ${MAX_TEXTS} texts with ${MAX_CHARACTERS.toLocaleString('en')} characters together. ` +
      'Nothing of them is stored or logged. Send `texts` or `messages`, and one of `workflowId`, `presetId` and `rules`.',
    body: TextsRequest,
    reply: TextsReply,
    problems: [
      ...ruleProblems,
      'rule_not_found',
      'workflow_not_found',
      'preset_not_found',
      'asset_type_mismatch',
      'config_mismatch',
      'hierarchy_invalid',
      'model_load_failed',
      'regex_budget',
      'text_refused',
      'session_invalid',
      'session_full',
    ],
  },
  restore: {
    route: 'POST /texts/restore',
    access: 'texts:restore',
    audited: false,
    extension: true,
    secretReply: true,
    summary: 'Put values back in place of placeholders',
    description:
      'Also of placeholders that a language model has altered (case, blanks, dashes, Markdown, a wrong sign), where only one ' +
      'can be meant. Nothing is stored or logged.',
    body: RestoreRequest,
    reply: RestoreReply,
    problems: ['session_invalid'],
  },
} as const satisfies Resource
