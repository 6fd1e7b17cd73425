import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { id, problemsOf, stamps, talk, time } from './http.ts'
import { makeRule } from './requests.ts'
import { useService } from './setup.ts'

const service = await useService()
const ada = await service.person()
const { send, good } = talk(service, ada)

describe('rules and workflows', () => {
  const pattern = { name: 'Numbers', type: 'REGEX', config: { regexRuleConfig: { pattern: '[0-9]+', flags: 'i' } } }

  test('a rule is created, shown, changed and deleted', async () => {
    const rule = await good('POST', '/rules/', pattern)
    expect(rule).toEqual({ id, ...pattern, description: '', ...stamps })
    expect(await good('GET', `/rules/${rule.id}`)).toEqual(rule)
    const changed = await good('PUT', `/rules/${rule.id}`, { description: 'All of them' })
    expect(changed).toEqual({ ...rule, description: 'All of them', updatedAt: time })
    expect(changed.updatedAt > rule.updatedAt).toBe(true)
    expect(await good('DELETE', `/rules/${rule.id}`)).toEqual({ id: rule.id, deleted: true })
    expect((await send('DELETE', `/rules/${rule.id}`)).status).toBe(404)
    expect((await send('GET', `/rules/${rule.id}`)).status).toBe(404)
  })

  test('none of two changes at the same moment undoes the other, and the later is answered as the rule is then', async () => {
    const { id: ruleId } = await good('POST', '/rules/', pattern)
    for (let n = 0; n < 5; n++) {
      const config = { regexRuleConfig: { pattern: `[0-9]{${n + 1}}` } }
      const changes = [{ config }, { name: `Name ${n}` }, { description: `Text ${n}` }]
      const answers = await Promise.all(changes.map(body => good('PUT', `/rules/${ruleId}`, body)))
      const stored = await good('GET', `/rules/${ruleId}`)
      expect(stored).toMatchObject(Object.assign({}, ...changes))
      expect(answers.toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1)).at(-1)).toEqual(stored)
    }
  })

  test.each([
    ['(', 'regex_syntax'],
    ['a*', 'regex_empty_match'],
    ['\\p{Nonsense}', 'regex_syntax'],
    ['a'.repeat(1001), 'regex_too_long'],
  ])('the pattern %j is refused with its place', async (text, type) => {
    const reply = await send('POST', '/rules/', { ...pattern, config: { regexRuleConfig: { pattern: text } } })
    const loc = ['body', 'config', 'regexRuleConfig', 'pattern']
    expect([reply.status, problemsOf(reply)[0]]).toEqual([422, expect.objectContaining({ type, loc })])
  })

  test('another type needs its config', async () => {
    const ruleId = await makeRule(ada.client)
    const reply = await send('PUT', `/rules/${ruleId}`, { type: 'AIMODEL' })
    expect([reply.status, problemsOf(reply)[0]!.type]).toEqual([422, 'config_mismatch'])
  })

  test('a workflow keeps its rules from being deleted', async () => {
    const ruleId = await makeRule(ada.client)
    const config = { rules: [{ ruleId, replacement: { text: '[NUMBER]' } }] }
    const body = { name: 'Letters', description: 'All', supportedAssetType: 'DOCUMENT', config }
    const workflow = await good('POST', '/workflows/', body)
    expect(workflow).toEqual({ id, ...body, ...stamps })
    const refused = await send('DELETE', `/rules/${ruleId}`)
    expect([refused.status, problemsOf(refused)[0]!.type]).toEqual([400, 'in_use'])
    expect(problemsOf(refused)[0]!.msg).toContain(workflow.id)
    expect(await good('PUT', `/workflows/${workflow.id}`, { name: 'Mail' })).toMatchObject({ name: 'Mail', config })
    expect(await good('DELETE', `/workflows/${workflow.id}`)).toEqual({ id: workflow.id, deleted: true })
    expect(await good('DELETE', `/rules/${ruleId}`)).toEqual({ id: ruleId, deleted: true })
  })

  test('a workflow needs rules that are there', async () => {
    const rules = [
      { ruleId: await makeRule(ada.client), replacement: { text: '' } },
      { ruleId: randomUUID(), replacement: { remove: {} } },
    ]
    const body = { name: 'Letters', description: '', supportedAssetType: 'DOCUMENT', config: { rules } }
    const reply = await send('POST', '/workflows/', body)
    expect([reply.status, problemsOf(reply)]).toEqual([
      400,
      [expect.objectContaining({ type: 'rule_not_found', loc: ['body', 'config', 'rules', '1', 'ruleId'] })],
    ])
    expect((await send('POST', '/workflows/', { ...body, config: { rules: [] } })).status).toBe(422)
  })

  test.each([
    [{}, 422],
    [{ text: 'a', remove: {} }, 422],
    [{ text: 1 }, 422],
    [{ mask: {} }, 200],
    [{ mask: { char: 'ab' } }, 422],
    [{ hash: {} }, 200],
    [{ pseudonym: {} }, 200],
    [{ surrogate: { as: 'PERSON', scope: 'document', locale: 'de-DE' } }, 200],
    // The rule is a pattern, whose name says nothing of what it finds.
    [{ surrogate: {} }, 422],
    [{ surrogate: { as: 'AGE' } }, 422],
    [{ pseudonym: { scope: 'project' } }, 422],
    [{ dateShift: { by: { column: 'patient' }, locale: 'es' } }, 200],
    [{ dateShift: { by: { rule: '3f2b8c1e-0d4a-4b6f-9a57-5b1c7e9d2f10' } } }, 422],
    [{ dateShift: { by: { column: 'patient', rule: '3f2b8c1e-0d4a-4b6f-9a57-5b1c7e9d2f10' } } }, 422],
    [{ remove: {} }, 200],
    [{ encrypt: {} }, 422],
    // Of the range of numbers that the database keeps.
    [{ generalise: { range: 1e-130 } }, 200],
    [{ generalise: { range: 5e-324 } }, 422],
    [{ generalise: { range: { width: 1, from: -1e126 } } }, 422],
    [{ generalise: { range: { bounds: [0, 1e300] } } }, 422],
  ])('the replacement %j answers %i', async (replacement, status) => {
    const rules = [{ ruleId: await makeRule(ada.client), replacement }]
    const body = { name: 'W', description: '', supportedAssetType: 'TABLE', config: { rules } }
    expect((await send('POST', '/workflows/', body)).status).toBe(status)
  })
})
