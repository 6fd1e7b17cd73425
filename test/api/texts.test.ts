import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TextsReply, TextsRequest } from '../../shared/api/texts.ts'
import { deployed } from './deployed.ts'
import { problemsOf } from './http.ts'
import { useOwnService } from './setup.ts'
import { ended } from './waiting.ts'

const directory = mkdtempSync(join(tmpdir(), 'texts-'))
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
const post = (body: unknown, token = ada.token) => service.send('POST', '/texts', { token, body })
async function answer(body: TextsRequest): Promise<TextsReply> {
  const reply = await post(body)
  expect([reply.status, reply.body]).toEqual([200, expect.anything()])
  return reply.body as TextsReply
}

const letter = `Dear Margaret Thompson, your card 4111 1111 1111 1111 (customer C-123456) was charged.
Write to margaret@example.org. Best wishes, Jürgen Müller 😀, for Margaret Thompson, who flies to Nairobi.`

/** Rules of Ada's in a workflow, with what stands in place of what they find. */
async function workflowOf(replacements: object[], type: 'DOCUMENT' | 'TABLE' = 'DOCUMENT') {
  const made = [
    { name: 'Customer', ...regex('C-\\d{6}') },
    { name: 'Forms', ...model('pii-patterns') },
    { name: 'Language', ...model('pii-ner') },
  ]
  const rules = []
  for (const [n, rule] of made.entries())
    rules.push({
      ruleId: (await ada.client.rules.create({ body: rule })).id,
      replacement: replacements[n] as { text: string },
    })
  const body = { name: 'Letters', supportedAssetType: type, config: { rules } }
  return ada.client.workflows.create({ body })
}

/** What a job makes of a file that holds the text, and how often each rule found something. */
async function asJob(text: string, workflowId: string) {
  const { id: job_id } = await ada.client.jobs.upload({
    body: { name: 'One' },
    files: [{ name: 'a.txt', content: text }],
  })
  await ada.client.jobs.update({ job_id, body: { workflowId } })
  await ada.client.jobs.execute({ job_id })
  const [result] = (await ended(ada.client, job_id)).result!.assets
  return { text: await (await fetch(result!.url!)).text(), counts: result!.findings.map(({ count }) => count) }
}

test('answers what a job makes of a file of the same text, byte for byte', { timeout: 240_000 }, async () => {
  const { id: workflowId } = await workflowOf([{ hash: {} }, { text: '<{{label}} {{n}}>' }, { mask: { keepFirst: 1 } }])
  const [made] = (await answer({ texts: [letter], workflowId })).texts!
  const job = await asJob(letter, workflowId)
  expect(made!.text).toBe(job.text)
  expect(job.counts).toEqual([0, 1, 2].map(n => made!.findings.filter(({ rule }) => rule === n).length))
  expect(Math.min(...job.counts)).toBeGreaterThan(0)
})

test('makes surrogates, and moves dates', async () => {
  const rules = [
    { ...model('pii-patterns', { entities: ['EMAIL'] }), replacement: { surrogate: {} } },
    {
      type: 'REGEX' as const,
      config: { regexRuleConfig: { pattern: '\\d{4}-\\d\\d-\\d\\d' } },
      replacement: { dateShift: {} },
    },
  ]
  const { texts } = await answer({ texts: ['anna.berg@clinic.org on 2021-03-04 and 2021-03-06'], rules })
  const [, login, from, to] = /^([^\s@]+@[^\s@]+\.example) on (\S+) and (\S+)$/.exec(texts![0]!.text)!
  // Other people are called Hanna.
  expect(login).not.toMatch(/^anna\.berg@/)
  expect(Date.parse(to!) - Date.parse(from!)).toBe(2 * 86_400_000)
  expect(from).not.toBe('2021-03-04')
})

test('refuses tokens, which only workers can make', async () => {
  const rule = { ...model('pii-patterns', { entities: ['EMAIL'] }), replacement: { token: {} } }
  const reply = await post({ texts: ['Write to anna.berg@clinic.org'], rules: [rule] })
  expect([reply.status, (reply.body as { detail: { type: string }[] }).detail[0]!.type]).toEqual([400, 'text_refused'])
  expect(reply.text).not.toContain('anna')
})

test('tells of each finding its place, its rule, why, and where its replacement stands', async () => {
  const workflow = await workflowOf([{ text: 'C' }, { text: '<{{label}}>' }, { text: '<{{label}}>' }])
  const [made] = (await answer({ texts: [letter], workflowId: workflow.id })).texts!
  for (const { start, end, label, replacement } of made!.findings) {
    expect(letter.slice(start, end)).toMatch(/^[\p{L}\p{N}].*[\p{L}\p{N}]$/u)
    expect(made!.text.slice(replacement.start, replacement.end)).toBe(label === 'Customer' ? 'C' : `<${label}>`)
  }
  expect(made!.findings[1]).toEqual({
    ...{ start: 34, end: 53, label: 'PAYMENT_CARD', score: 0.99 },
    ...{ rule: 1, ruleId: workflow.config.rules[1]!.ruleId, name: 'Forms' },
    reason: { by: 'checksum', pattern: 'card', context: 'card' },
    replacement: { start: 25, end: 39 },
  })
})

test('takes messages, of which what a model finds in one is replaced in all, and presets', async () => {
  const messages = [
    { role: 'user', content: 'I am Margaret Thompson, margaret@example.org' },
    { role: 'assistant', content: 'Hello Margaret Thompson!' },
  ]
  const made = (await answer({ messages, presetId: 'default' })).messages!
  expect(made.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'I am [PERSON], [EMAIL]'],
    ['assistant', 'Hello [PERSON]!'],
  ])
  expect(made[0]!.findings.map(({ label }) => label)).toEqual(['PERSON', 'EMAIL'])
})

test('takes rules that are not stored, with a replacement of their own or the label', async () => {
  const rules = [
    { name: 'Customer', ...regex('C-\\d{6}') },
    { ...regex('Jürgen'), replacement: { remove: {} } },
  ]
  const made = await answer({ texts: ['C-123456 for Jürgen!', ''], rules })
  expect(made.texts!.map(({ text }) => text)).toEqual(['[Customer] for !', ''])
  expect(made.texts![0]!.findings.map(({ name }) => name)).toEqual(['Customer', 'Rule 2'])
})

const rule = regex('[0-9]+')
/** A text in which a value that is replaced stands encoded as well. */
const encoded = 'Xanthippe Quillfeather so Quill=66eather said'
const many = (count: number, length: number) => Array.from({ length: count }, () => 'x'.repeat(length))
test.each([
  [{ rules: [rule] }, 'missing', ['body', 'texts'], 422],
  [{ texts: ['x'] }, 'missing', ['body', 'workflowId'], 422],
  [{ texts: ['x'], presetId: 'default', rules: [rule] }, 'conflicting_values', ['body', 'rules'], 422],
  [
    { texts: ['x'], messages: [{ role: 'user', content: 'x' }], rules: [rule] },
    'conflicting_values',
    ['body', 'messages'],
    422,
  ],
  [
    { texts: ['x'], rules: [regex('(')] },
    'regex_syntax',
    ['body', 'rules', '0', 'config', 'regexRuleConfig', 'pattern'],
    422,
  ],
  [{ texts: ['x'], presetId: 'nothing' }, 'preset_not_found', ['body', 'presetId'], 400],
  [
    { texts: ['x'], workflowId: '00000000-0000-4000-8000-000000000000' },
    'workflow_not_found',
    ['body', 'workflowId'],
    400,
  ],
  [
    { texts: ['x'], rules: [{ ...rule, replacement: { text: '{{who}}' } }] },
    'config_mismatch',
    ['body', 'rules', '0', 'replacement', 'text'],
    422,
  ],
  [{ texts: many(101, 1), rules: [rule] }, 'too_big', ['body', 'texts'], 422],
  [{ texts: many(3, 70_000), rules: [rule] }, 'too_big', ['body', 'texts'], 422],
  [{ texts: [encoded], rules: [regex('Quillfeather')] }, 'text_refused', ['body'], 400],
])('%# is refused as %s', async (body, type, loc, status) => {
  const reply = await post(body)
  expect([reply.status, problemsOf(reply)[0]]).toEqual([status, expect.objectContaining({ type, loc })])
})

test('workflows and rules of somebody else do not exist, and those for tables are refused', async () => {
  const bob = await service.person()
  const { id: workflowId, config } = await workflowOf([{ text: 'x' }, { text: 'x' }, { text: 'x' }])
  expect(problemsOf(await post({ texts: ['x'], workflowId }, bob.token))[0]).toMatchObject({
    type: 'workflow_not_found',
  })
  const rules = [{ ruleId: config.rules[0]!.ruleId }]
  expect(problemsOf(await post({ texts: ['x'], rules }, bob.token))[0]).toMatchObject({ type: 'rule_not_found' })
  const table = await workflowOf([{ text: 'x' }, { text: 'x' }, { text: 'x' }], 'TABLE')
  const refused = await post({ texts: ['x'], workflowId: table.id })
  expect(problemsOf(refused)[0]).toMatchObject({ type: 'asset_type_mismatch', loc: ['body', 'workflowId'] })
})

test('a session gives the same values the same placeholders, and puts them back', async () => {
  const rules = [{ name: 'Customer', ...regex('C-\\d{6}') }, model('pii-ner', { entities: ['PERSON'] })]
  const first = await answer({ texts: ['Dear Margaret Thompson, we charged C-123456.'], rules, session: {} })
  const { text } = first.texts![0]!
  expect(text).toMatch(/^Dear PERSON_[0-9A-Z]{4}, we charged CUSTOMER_[0-9A-Z]{4}\.$/)
  const { sealed } = first.session!
  expect(sealed).not.toContain('Margaret')
  const second = await answer({
    texts: ['As C-123456 or key=Margaret Thompson; also C-999999'],
    rules,
    session: { sealed },
  })
  const [person, customer] = text.match(/[A-Z]+_\w{4}/g)!
  expect(second.texts![0]!.text).toMatch(new RegExp(`^As ${customer} or key=${person}; also CUSTOMER_\\w{4}$`))
  const restore = (body: object, token = ada.token) => service.send('POST', '/texts/restore', { token, body })
  const texts = [second.texts![0]!.text, `dear ${person!.toLowerCase()}, PERSON_0Z0Z0 is no one`]
  const reply = await restore({ texts, session: { sealed: second.session!.sealed } })
  expect(reply.body).toEqual({
    texts: [
      { text: 'As C-123456 or key=Margaret Thompson; also C-999999', restored: 3, altered: [], unknown: [] },
      {
        text: 'dear Margaret Thompson, PERSON_0Z0Z0 is no one',
        restored: 1,
        altered: [{ found: person!.toLowerCase(), placeholder: person }],
        unknown: ['PERSON_0Z0Z0'],
      },
    ],
  })
  const bob = await service.person()
  const [id, expires, content] = sealed.split('.') as [string, string, string]
  for (const [wrong, token] of [
    [sealed, bob.token],
    [`${id}.${Number(expires) + 1}.${content}`, ada.token],
    [`${id}.${Date.now() - 1}.${content}`, ada.token],
    [`${id}.${expires}.${content.slice(0, -4)}AAAA`, ada.token],
  ] as const) {
    const refused = await restore({ texts: [person], session: { sealed: wrong } }, token)
    expect([refused.status, problemsOf(refused)[0]!.type]).toEqual([400, 'session_invalid'])
  }
})

test.skipIf(deployed)('nothing of the texts is stored or logged', async () => {
  const texts = ['Xanthippe Quillfeather, 4111 1111 1111 1111']
  expect((await post({ texts, presetId: 'default' })).text).not.toContain('4111')
  expect((await post({ texts, rules: [regex('(')] })).status).toBe(422)
  expect((await post({ texts: [encoded], rules: [regex('Quillfeather')] })).status).toBe(400)
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(file => file.isFile())
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const bytes = readFileSync(join(file.parentPath, file.name))
    for (const word of ['Xanthippe', 'Quillfeather'])
      expect([file.name, bytes.includes(word)]).toEqual([file.name, false])
  }
})
