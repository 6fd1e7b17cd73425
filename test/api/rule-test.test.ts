import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RuleFinding } from '../../shared/api/rules.ts'
import { deployed } from './deployed.ts'
import { problemsOf } from './http.ts'
import { useOwnService } from './setup.ts'

const directory = mkdtempSync(join(tmpdir(), 'rule-test-'))
const service = await useOwnService({ directory })
const ada = await service.person()

const regex = (pattern: string, more = {}) => ({
  type: 'REGEX' as const,
  config: { regexRuleConfig: { pattern, ...more } },
})
const model = (modelId: string, modelParameters = {}) => ({
  type: 'AIMODEL' as const,
  config: { aiModelRuleConfig: { modelId, modelVersion: '1.0.0', modelParameters } },
})
const post = (body: unknown, headers = {}) => service.send('POST', '/rules/test', { token: ada.token, body, headers })
const findings = async (text: string, rules: unknown[]): Promise<RuleFinding[]> => {
  const reply = await post({ text, rules })
  expect([reply.status, reply.body]).toEqual([200, expect.anything()])
  return (reply.body as { findings: RuleFinding[] }).findings
}

test('says what stored and unstored rules find, and why', async () => {
  const text = 'Ask Margaret Thompson for card 4111 1111 1111 1111, see AB-1'
  const stored = await ada.client.rules.create({ body: { name: 'Reference', ...regex('[A-Z]{2}-\\d') } })
  const found = await findings(text, [
    { ruleId: stored.id },
    model('pii-patterns'),
    { name: 'People', ...model('pii-ner', { entities: ['PERSON'] }) },
  ])
  expect(found.filter(({ counts }) => counts)).toEqual([
    {
      ...{ rule: 2, name: 'People', start: 4, end: 21, label: 'PERSON', counts: true },
      score: expect.any(Number),
      reason: { by: 'model' },
    },
    {
      ...{ rule: 1, name: 'Rule 2', start: 31, end: 50, label: 'PAYMENT_CARD', score: 0.99, counts: true },
      reason: { by: 'checksum', pattern: 'card', context: 'card' },
    },
    {
      ...{ rule: 0, ruleId: stored.id, name: 'Reference', start: 56, end: 60, label: 'Reference', score: 1 },
      ...{ counts: true, reason: { by: 'regex' } },
    },
  ])
})

describe('what stands in place of findings', () => {
  const mail = regex('\\S+@\\S+\\w')
  const previews = async (text: string, rule: object) =>
    (await findings(text, [rule])).filter(({ counts }) => counts).map(({ preview }) => preview)

  test.each<[string, object, string, RegExp]>([
    ['a text', { text: '<{{label}} {{n}}>' }, 'Write to anna@b.org', /^<Rule 1 1>$/],
    ['a surrogate', { surrogate: { as: 'EMAIL' } }, 'Write to anna@b.org', /^[a-z]+@[a-z]+\.example$/],
    ['a token', { token: { as: 'EMAIL' } }, 'Write to anna@b.org', /^EMAIL~\w{34,}$/],
    ['a pseudonym', { pseudonym: { scope: 'deployment' } }, 'Write to anna@b.org', /^VALUE_\w{10}$/],
  ])('is shown: %s', async (_, replacement, text, wanted) => {
    const [shown] = await previews(text, { ...mail, replacement })
    expect(shown).toMatch(wanted)
    expect(shown).not.toContain('anna')
  })

  test('is shown for dates, numbers that keep their form, and stored rules', async () => {
    const { id: ruleId } = await ada.client.rules.create({ body: { name: 'Number', ...regex('[0-9-]+') } })
    const dates = await previews('2021-03-04 2021-03-06', { ruleId, replacement: { dateShift: {} } })
    expect(Date.parse(dates[1]!) - Date.parse(dates[0]!)).toBe(2 * 86_400_000)
    const [card, short] = await previews('4111111111111111 12', { ruleId, replacement: { fpe: { check: 'luhn' } } })
    expect([card!.length, short]).toEqual([16, null])
    expect(card).not.toBe('4111111111111111')
    expect((await findings('12', [{ ruleId }]))[0]).not.toHaveProperty('preview')
  })

  test.each([
    [{ surrogate: {} }, ['surrogate', 'as']],
    [{ fpe: { check: 'nothing' } }, ['fpe', 'check']],
    [{ generalise: { hierarchy: { level: 1, assetId: '00000000-0000-4000-8000-000000000000' } } }, []],
  ])('is refused as it would be in a workflow: %j', async (replacement, loc) => {
    const reply = await post({ text: 'x', rules: [{ ...mail, replacement }] })
    const at = ['body', 'rules', '0', 'replacement', ...loc]
    expect([reply.status, problemsOf(reply)[0]]).toEqual([
      422,
      expect.objectContaining({ type: 'config_mismatch', loc: at }),
    ])
  })
})

test('near misses are told apart: a checksum that fails, a score below the threshold', async () => {
  const [luhn] = await findings('4111 1111 1111 1112', [regex('\\d{4}(?: \\d{4}){3}', { validator: 'luhn' })])
  expect(luhn).toMatchObject({ start: 0, end: 19, score: 0, counts: false, reason: { by: 'regex', pattern: 'luhn' } })
  const [sure] = await findings('I met Margaret Thompson.', [model('pii-ner', { entities: ['PERSON'] })])
  const below = { confidence_threshold: 1, entities: ['PERSON'] }
  const [miss] = await findings('I met Margaret Thompson.', [model('pii-ner', below)])
  expect(sure).toMatchObject({ start: 6, end: 23, counts: true })
  expect(miss).toMatchObject({ start: 6, end: 23, counts: false, score: sure!.score })
})

test.each([
  [[regex('(')], 'regex_syntax', ['body', 'rules', '0', 'config', 'regexRuleConfig', 'pattern'], 422],
  [
    [regex('a'), model('nothing')],
    'model_not_found',
    ['body', 'rules', '1', 'config', 'aiModelRuleConfig', 'modelId'],
    422,
  ],
  [[{ ruleId: '00000000-0000-4000-8000-000000000000' }], 'rule_not_found', ['body', 'rules', '0', 'ruleId'], 400],
  [[], 'too_small', ['body', 'rules'], 422],
])('%j is refused as %s', async (rules, type, loc, status) => {
  const reply = await post({ text: 'text', rules })
  expect([reply.status, problemsOf(reply)[0]]).toEqual([status, expect.objectContaining({ type, loc })])
})

test('a rule of somebody else does not exist, a text too long is refused', async () => {
  const bob = await service.person()
  const { id: ruleId } = await bob.client.rules.create({ body: { name: 'His', ...regex('x') } })
  expect((await post({ text: 'x', rules: [{ ruleId }] })).status).toBe(400)
  const reply = await post({ text: 'x'.repeat(20_001), rules: [regex('x')] })
  expect([reply.status, problemsOf(reply)[0]]).toEqual([422, expect.objectContaining({ loc: ['body', 'text'] })])
})

test.skipIf(deployed)('nothing of the text, nor a print of it, is stored or logged', async () => {
  const text = 'Xanthippe Quillfeather, 4111 1111 1111 1111'
  const body = { text, rules: [model('pii-patterns'), regex('Xanthippe')] }
  const sent = JSON.stringify(body)
  const reply = await post(sent, { 'idempotency-key': 'once', 'content-type': 'application/json' })
  expect(reply.status).toBe(200)
  expect(reply.text).not.toContain('Xanthippe')
  expect((await post({ text: 'Xanthippe Quillfeather', rules: [regex('(')] })).status).toBe(422)
  const hash = (form: 'hex' | 'base64') => createHash('sha256').update(sent).digest(form)
  const told = ['Xanthippe', 'Quillfeather', '4111 1111', Buffer.from(text).toString('base64').slice(0, 20)]
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(file => file.isFile())
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const bytes = readFileSync(join(file.parentPath, file.name))
    for (const word of [...told, hash('hex'), hash('base64')])
      expect([file.name, bytes.includes(word)]).toEqual([file.name, false])
  }
})

test('words near a match raise and lower its score, and are named', async () => {
  const context = [
    { words: ['total'], score: 0 },
    { words: ['Case'], score: 0.9, before: 10 },
  ]
  const found = await findings('case 1234; a long way on and then 5678; and at the very end the Total: 9012', [
    regex('[0-9]{4}', { score: 0.2, context }),
  ])
  expect(found.map(({ counts, score, reason }) => ({ counts, score, reason }))).toEqual([
    { counts: true, score: 0.9, reason: { by: 'regex', context: 'case' } },
    { counts: false, score: 0.2, reason: { by: 'regex' } },
    { counts: false, score: 0, reason: { by: 'regex', context: 'total' } },
  ])
})
