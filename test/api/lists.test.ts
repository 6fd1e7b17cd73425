import { expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { problemsOf } from './http.ts'
import { useService } from './setup.ts'
import { succeeded } from './waiting.ts'

const service = await useService()
const ada = await service.person()
const other = await service.person()
const { client } = ada
const send = (method: string, path: string, body?: unknown) => service.send(method, path, { token: ada.token, body })

const newList = async (values: string[], by: Client = client) => {
  const { id: list_id } = await by.lists.create({ body: { name: 'Patients' } })
  if (values.length > 0) await by.lists.add({ list_id, body: { entries: values.map(value => ({ value })) } })
  return list_id
}
const listRule = (listId: string) => ({
  name: 'PATIENT',
  description: '',
  type: 'LIST' as const,
  config: { listRuleConfig: { listId } },
})

async function executed(workflow: object, content: string) {
  const { id: workflowId } = await client.workflows.create({ body: workflow as never })
  const { id: job_id } = await client.jobs.upload({ body: { name: 'a' }, files: [{ name: 'a.txt', content }] })
  await client.jobs.update({ job_id, body: { workflowId } })
  await client.jobs.execute({ job_id })
  const { result } = await succeeded(client, job_id)
  return result!.assets[0]!
}
const anonymised = async (workflow: object, content: string): Promise<string> =>
  (await fetch((await executed(workflow, content)).url!)).text()
const workflowOf = (ruleId: string, more: object = {}) => ({
  name: 'Lists',
  description: '',
  supportedAssetType: 'DOCUMENT',
  config: { rules: [{ ruleId, replacement: { text: '[{{rule}}]' } }], ...more },
})

test('values are added, shown, put anew and removed, with who and why', async () => {
  const list_id = await newList(['Ada Lovelace', 'Grace Hopper'])
  const until = '2030-01-01T00:00:00.000Z'
  const entries = [{ value: 'Ada Lovelace', until, why: 'asked for it' }]
  expect((await client.lists.add({ list_id, body: { entries } })).entries).toBe(2)
  const shown = await client.lists.entries({ list_id, body: {} })
  expect(shown).toMatchObject([
    { value: 'Grace Hopper', match: 'word', addedBy: ada.user.id, until: null, why: null },
    { value: 'Ada Lovelace', match: 'word', addedBy: ada.user.id, until, why: 'asked for it' },
  ])
  expect(await client.lists.entries({ list_id, body: { search: 'LOVE' } })).toHaveLength(1)
  expect((await client.lists.remove({ list_id, body: { values: ['Grace Hopper'] } })).entries).toBe(1)
  expect(await client.lists.get({ list_id })).toMatchObject({ name: 'Patients', entries: 1 })
})

test('a value is taken off a list as it is matched, or however it is', async () => {
  const entries = [{ value: 'Zymax', match: 'exact' as const }, { value: 'Zymax' }, { value: 'Zyada' }]
  const list_id = await newList([])
  await client.lists.add({ list_id, body: { entries } })
  const left = async () =>
    (await client.lists.entries({ list_id, body: {} })).map(({ value, match }) => `${value} ${match}`)
  await client.lists.remove({ list_id, body: { entries: [{ value: 'Zymax', match: 'word' }] } })
  expect(await left()).toEqual(['Zymax exact', 'Zyada word'])
  await client.lists.add({ list_id, body: { entries } })
  await client.lists.remove({ list_id, body: { values: ['Zymax'] } })
  expect(await left()).toEqual(['Zyada word'])
  const nothing = client.lists.remove({ list_id, body: {} })
  await expect(nothing).rejects.toMatchObject({ status: 422 })
})

test('of values that are added at the same time none is lost', async () => {
  const list_id = await newList([])
  const add = (n: number) => client.lists.add({ list_id, body: { entries: [{ value: `Patient ${n}` }] } })
  const read = () => client.lists.entries({ list_id, body: {} })
  await Promise.all([1, 2, 3, 4].flatMap(n => [add(n), read(), read(), read(), read()]))
  expect(await read()).toHaveLength(4)
})

test('a file becomes values, or takes the place of those there are', async () => {
  const list_id = await newList(['Old One'])
  const content = 'Erika Mustermann,f\n"Moser, Anna",f\n'
  const { Assets } = await client.jobs.upload({ body: { name: 'l' }, files: [{ name: 'l.csv', content }] })
  const assetId = Assets[0]!.id
  expect((await client.lists.load({ list_id, body: { assetId, match: 'fuzzy' } })).entries).toBe(3)
  expect((await client.lists.load({ list_id, body: { assetId, replace: true } })).entries).toBe(2)
})

test('a result is no file of a list, nor of a hierarchy', async () => {
  const list_id = await newList(['Ada'])
  const rule = await client.rules.create({ body: listRule(list_id) })
  const { outputAssetId: assetId } = await executed(workflowOf(rule.id), 'Ada;A\n')
  const asList = await send('POST', `/lists/${list_id}/import`, { assetId })
  expect([asList.status, problemsOf(asList)]).toMatchObject([
    400,
    [{ type: 'file_not_a_list', loc: ['body', 'assetId'] }],
  ])
  const replacement = { generalise: { hierarchy: { level: 1, assetId } } }
  const rules = [{ ruleId: rule.id, replacement }]
  const { id: workflowId } = await client.workflows.create({
    body: { ...workflowOf(rule.id), config: { rules } } as never,
  })
  const asHierarchy = await send('POST', '/texts', { texts: ['Ada'], workflowId })
  expect([asHierarchy.status, problemsOf(asHierarchy)]).toMatchObject([400, [{ type: 'hierarchy_invalid' }]])
})

test('a job replaces the values of a list as they were when it was executed, and none that has expired', async () => {
  const listId = await newList(['Erika Mustermann'])
  const entries = [{ value: 'Max Moritz', until: '2020-01-01T00:00:00.000Z' }]
  await client.lists.add({ list_id: listId, body: { entries } })
  const rule = await client.rules.create({ body: listRule(listId) })
  expect(rule).toMatchObject({ type: 'LIST', config: { listRuleConfig: { listId } } })
  const { findings } = await client.rules.test({ body: { text: 'erika  mustermann', rules: [{ ruleId: rule.id }] } })
  expect(findings).toMatchObject([{ start: 0, end: 17, counts: true, reason: { by: 'list' } }])
  expect(await anonymised(workflowOf(rule.id), 'ERIKA-MUSTERMANN and Max Moritz')).toBe('[PATIENT] and Max Moritz')
})

test('what stands on a list of exclusions is not replaced', async () => {
  const rule = await client.rules.create({ body: listRule(await newList(['Anna Moser'])) })
  const exclusions = { lists: [await newList(['Klinikum Anna Moser'])] }
  const text = await anonymised(workflowOf(rule.id, { exclusions }), 'Anna Moser, Klinikum Anna Moser')
  expect(text).toBe('[PATIENT], Klinikum Anna Moser')
})

test('lists that are in use stay, and go when nothing uses them any more', async () => {
  const [listId, excluded] = [await newList(['a1']), await newList(['b1'])]
  const { id: rule_id } = await client.rules.create({ body: listRule(listId) })
  const made = await client.workflows.create({
    body: workflowOf(rule_id, { exclusions: { lists: [excluded] } }) as never,
  })
  for (const id of [listId, excluded]) {
    const refused = await send('DELETE', `/lists/${id}`)
    expect([refused.status, problemsOf(refused)[0]!.type]).toEqual([400, 'in_use'])
  }
  await client.workflows.delete({ workflow_id: made.id })
  await client.rules.delete({ rule_id })
  for (const id of [listId, excluded]) expect((await send('DELETE', `/lists/${id}`)).status).toBe(200)
  expect((await send('POST', `/lists/${listId}/entries/list`, {})).status).toBe(404)
})

test('another’s list is as if it were not there', async () => {
  const listId = await newList(['Ada'], other.client)
  const rule = await send('POST', '/rules/', listRule(listId))
  expect([rule.status, problemsOf(rule)[0]]).toMatchObject([
    400,
    { type: 'list_not_found', loc: ['body', 'config', 'listRuleConfig', 'listId'] },
  ])
  const own = await client.rules.create({ body: listRule(await newList(['x1'])) })
  const workflow = await send('POST', '/workflows/', workflowOf(own.id, { exclusions: { lists: [listId] } }))
  expect([workflow.status, problemsOf(workflow)[0]]).toMatchObject([
    400,
    { type: 'list_not_found', loc: ['body', 'config', 'exclusions', 'lists', '0'] },
  ])
})

test('values that cannot be looked for are refused with their places, and are not repeated', async () => {
  const list_id = await newList([])
  const entries = [
    { value: 'Ada' },
    { value: '(sec', match: 'pattern' },
    { value: '--' },
    { value: 'xy', match: 'exact' },
  ]
  const reply = await send('POST', `/lists/${list_id}/entries`, { entries })
  expect([reply.status, problemsOf(reply).map(({ loc }) => loc[2])]).toEqual([422, ['1', '2', '3']])
  expect(reply.text).not.toContain('(sec')
})
