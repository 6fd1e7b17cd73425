import * as z from 'zod'
import { Deleted, Description, Id, keptNumber, ListQuery, listBody, Name, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'
import { Replacement } from './replacements.ts'

const Score = keptNumber().min(0).max(1)
const ContextWord = upTo(100)
  .min(1)
  .regex(/[\p{L}\p{N}]/u, 'must have a letter or a digit')

/** Settings of a pattern rule. */
export const RegexRuleConfig = z
  .strictObject({
    pattern: z
      .string()
      .min(1)
      // Longer ones are refused where patterns are checked, with a type of their own.
      .meta({ maxLength: 1000 })
      .describe('Regular expression in ECMAScript `u` syntax; a group named `redact` narrows what is replaced'),
    flags: upTo(3)
      .regex(/^(?!.*(.).*\1)[ims]*$/, 'must be made of i, m and s, each at most once')
      .optional()
      .describe('`i` any case, `m` line anchors, `s` dot matches line ends'),
    validator: upTo(64)
      .regex(/^[a-z][a-z0-9_]{0,63}$/)
      .optional()
      .describe('Checksum that a match must pass, such as `luhn` or `iban`'),
    score: Score.optional().describe('Score of a match that has no context word near it; 1 by default'),
    confidence_threshold: Score.optional().describe('Smallest score that counts; 0.5 by default'),
    context: z
      .array(
        z.strictObject({
          words: z.array(ContextWord).min(1).max(100),
          score: Score.describe('Score of matches with one of the words near them'),
          before: z.int().min(0).max(500).default(48).describe('Characters before a match that are searched'),
          after: z.int().min(0).max(500).default(24).describe('Characters after a match that are searched'),
        }),
      )
      .min(1)
      .max(10)
      .optional()
      .describe('Words that raise or lower the score; the first entry with a word near a match decides'),
  })
  .meta({ id: 'RegexRuleConfig' })

/** Settings of a model rule. */
export const AiModelRuleConfig = z
  .strictObject({
    modelId: upTo(64).regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
    modelVersion: upTo(64).regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
    modelParameters: z
      .strictObject({
        confidence_threshold: keptNumber().min(0).max(1).optional().describe('Smallest score kept; 0.5 by default'),
        entities: z.array(z.string().min(1).max(64)).min(1).max(100).optional().describe('Labels to keep'),
        language: upTo(64)
          .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
          .optional(),
      })
      .default({}),
  })
  .meta({ id: 'AiModelRuleConfig' })

/** Settings of a rule whose values are those of a list. */
export const ListRuleConfig = z.strictObject({ listId: Id }).meta({ id: 'ListRuleConfig' })

const RegexConfig = z.strictObject({ regexRuleConfig: RegexRuleConfig })
const AiModelConfig = z.strictObject({ aiModelRuleConfig: AiModelRuleConfig })
/** `LIST` is an addition to the published interface. */
const ListConfig = z.strictObject({ listRuleConfig: ListRuleConfig })

const described = { name: Name, description: Description.default('') }

export const NewRule = z
  .discriminatedUnion('type', [
    z.strictObject({ ...described, type: z.literal('REGEX'), config: RegexConfig }),
    z.strictObject({ ...described, type: z.literal('AIMODEL'), config: AiModelConfig }),
    z.strictObject({ ...described, type: z.literal('LIST'), config: ListConfig }),
  ])
  .meta({
    id: 'NewRule',
    examples: [
      {
        name: 'Customer number',
        description: '',
        type: 'REGEX',
        config: { regexRuleConfig: { pattern: '\\bC-\\d{6}\\b' } },
      },
    ],
  })
export type NewRule = z.infer<typeof NewRule>

/** Any subset of the fields; whether `config` fits the type is checked against the stored rule. */
export const RuleChanges = z
  .strictObject({
    name: Name.optional(),
    description: Description.optional(),
    type: z.enum(['REGEX', 'AIMODEL', 'LIST']).optional(),
    config: z.union([RegexConfig, AiModelConfig, ListConfig]).optional(),
  })
  .meta({ id: 'RuleChanges' })
export type RuleChanges = z.infer<typeof RuleChanges>

const kept = { id: Id, name: z.string(), description: z.string(), createdAt: Timestamp, updatedAt: Timestamp }

export const Rule = z
  .discriminatedUnion('type', [
    z.object({ ...kept, type: z.literal('REGEX'), config: z.object({ regexRuleConfig: RegexRuleConfig }) }),
    z.object({ ...kept, type: z.literal('AIMODEL'), config: z.object({ aiModelRuleConfig: AiModelRuleConfig }) }),
    z.object({ ...kept, type: z.literal('LIST'), config: z.object({ listRuleConfig: ListRuleConfig }) }),
  ])
  .meta({ id: 'Rule' })
export type Rule = z.infer<typeof Rule>

/** A rule as it is, by its id, or one that is not stored. */
const shown = {
  replacement: Replacement.optional().describe('Findings then tell by `preview` what it would make of them'),
}

const TestedRule = z.union([
  z.strictObject({ ruleId: Id, ...shown }),
  z.strictObject({ name: Name.optional(), type: z.literal('REGEX'), config: RegexConfig, ...shown }),
  z.strictObject({ name: Name.optional(), type: z.literal('AIMODEL'), config: AiModelConfig, ...shown }),
  z.strictObject({ name: Name.optional(), type: z.literal('LIST'), config: ListConfig, ...shown }),
])

export const RuleTest = z
  .strictObject({
    text: z.string().min(1).max(20_000),
    rules: z.array(TestedRule).min(1).max(10),
  })
  .meta({ id: 'RuleTest' })
export type RuleTest = z.infer<typeof RuleTest>

/** Why something counts as found. */
export const Reason = z
  .object({
    by: z
      .enum(['regex', 'pattern', 'checksum', 'model', 'list', 'repeat', 'review'])
      .describe(
        '`repeat`: the same value was found elsewhere in the text; `review`: somebody who reviewed it added it',
      ),
    pattern: z.string().optional().describe('The recogniser, such as `es.dni`, or the checksum'),
    context: z.string().optional().describe('The nearby word that raised the score'),
  })
  .meta({ id: 'Reason' })

/** One place in the text that a rule found, or nearly. */
export const RuleFinding = z
  .object({
    rule: z.int().describe('Index of the rule in the request'),
    ruleId: Id.optional(),
    name: z.string(),
    start: z.int().describe('UTF-16 code units'),
    end: z.int(),
    label: z.string(),
    score: z.number(),
    counts: z.boolean().describe('Whether it would be replaced; false for a near miss'),
    reason: Reason,
    preview: z
      .string()
      .nullable()
      .optional()
      .describe(
        'What the `replacement` of the rule would look like, under keys of this request alone; null where a job would fail on it',
      ),
  })
  .meta({ id: 'RuleFinding' })
export type RuleFinding = z.infer<typeof RuleFinding>

/** What may be wrong with a rule that is given. */
export const ruleProblems = [
  'regex_syntax',
  'regex_too_long',
  'regex_empty_match',
  'regex_too_complex',
  'validator_unknown',
  'model_not_found',
  'label_unknown',
  'list_not_found',
] as const

export const rules = {
  list: {
    route: 'POST /rules/list',
    access: 'rules:read',
    audited: false,
    summary: 'List rules',
    query: ListQuery,
    body: listBody(['type', 'name'], ['name', 'type', 'createdAt', 'updatedAt']),
    reply: z.array(Rule),
  },
  create: {
    route: 'POST /rules/',
    access: 'rules:write',
    summary: 'Create a rule',
    body: NewRule,
    reply: Rule,
    problems: ruleProblems,
  },
  test: {
    route: 'POST /rules/test',
    access: 'rules:read',
    audited: false,
    extension: true,
    secretReply: true,
    summary: 'Try rules on a text',
    description:
      'Shows what rules, stored or not, find in a text of at most 20,000 characters, and why: pattern, checksum, context ' +
      'word or model. Near misses below the threshold are listed with `counts: false`. Nothing of it is stored or logged.',
    body: RuleTest,
    reply: z.object({ findings: z.array(RuleFinding) }),
    problems: [...ruleProblems, 'rule_not_found', 'config_mismatch', 'model_load_failed', 'regex_budget'],
  },
  get: { route: 'GET /rules/{rule_id}', access: 'rules:read', summary: 'Show a rule', reply: Rule },
  update: {
    route: 'PUT /rules/{rule_id}',
    access: 'rules:write',
    summary: 'Change a rule',
    description: 'Takes any subset of the fields. Another `type` needs the matching `config`.',
    body: RuleChanges,
    reply: Rule,
    problems: [...ruleProblems, 'config_mismatch'],
  },
  delete: {
    route: 'DELETE /rules/{rule_id}',
    access: 'rules:write',
    summary: 'Delete a rule',
    description: 'A rule that a workflow uses is kept: 400 `in_use` names the workflows.',
    reply: Deleted,
    problems: ['in_use'],
  },
} as const satisfies Resource
