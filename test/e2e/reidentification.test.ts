import { describe, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import type { NewWorkflow } from '../../shared/api/workflows.ts'
import { problemsOf } from '../api/http.ts'
import { type Person, type Reply, useOwnService } from '../api/setup.ts'
import { ended } from '../api/waiting.ts'

/** Whether nothing that an opening would store is stored. */
let full = false
const service = await useOwnService({
  faults: (_, action, __, caller) =>
    full && caller === 'reidentifications-open' && action === 'PutObject'
      ? { error: { name: 'AccessDenied', status: 403 } }
      : undefined,
})
const { admin } = service
const owner = await service.person()
const stranger = await service.person()

const roleOf = async (name: string, permissions: string[]) =>
  (await admin.client.roles.create({ body: { name, permissions } })).name
const approver = await service.person(await roleOf('officer', ['tokens:read', 'tokens:approve']))
const reader = await service.person(await roleOf('reader', ['tokens:read']))
const noone = await service.person(await roleOf('noone', []))

const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
const names = { regexRuleConfig: { pattern: 'Ann Lee|Bo Ek' } }

/** A finished job of one letter, its output and the tokens in it. */
async function anonymised(client: Client, text: string, scope = 'job') {
  const patterns = [
    ['EMAIL', config],
    ['PERSON', names],
  ] as const
  const rules = []
  for (const [as, pattern] of patterns) {
    const { id: ruleId } = await client.rules.create({ body: { name: as, type: 'REGEX', config: pattern } })
    rules.push({ ruleId, replacement: { token: { as, scope: scope as 'job' } } })
  }
  const made = await executed(client, text, rules)
  return { ...made, tokens: made.output.match(/(?:EMAIL|PERSON)~\w+/g)! }
}

async function executed(client: Client, text: string, rules: NewWorkflow['config']['rules']) {
  const body = { name: 'Reversible', supportedAssetType: 'DOCUMENT' as const, config: { rules, project: 'Study' } }
  const { id: workflowId } = await client.workflows.create({ body })
  const { id: job_id } = await client.jobs.upload({
    body: { name: 'Letters' },
    files: [{ name: 'letter.txt', content: text }],
  })
  await client.jobs.update({ job_id, body: { workflowId } })
  await client.jobs.execute({ job_id })
  return { jobId: job_id, ...(await resultOf(client, job_id)) }
}

async function resultOf(client: Client, job_id: string) {
  const job = await ended(client, job_id)
  expect([job.status, job.errors]).toEqual(['SUCCEEDED', []])
  const [{ url, outputAssetId }] = job.result!.assets as unknown as [{ url: string; outputAssetId: string }]
  return { outputId: outputAssetId, output: await (await fetch(url)).text() }
}

const text = 'Ann Lee <ann@b.example> wrote to Bo Ek.'
const letter = await anonymised(owner.client, text)
const why = { purpose: 'care' as const, reason: 'The patient is to be called', legalBasis: 'GDPR Art. 9(2)(h)' }
const ask = (person: Person, what: object) => person.client.reidentifications.create({ body: { ...why, ...what } })
const at = (id: string, step: string, { token }: { token?: string }, body?: object): Promise<Reply> =>
  service.send('POST', `/reidentifications/${id}/${step}`, { token, body: body ?? {} })
const typeOf = (reply: Reply) => [reply.status, problemsOf(reply)[0]?.type]

test('values come back to who asked, once, after somebody else approved', async () => {
  const { tokens, jobId } = letter
  const request = await ask(owner, { tokens, jobId, ticket: 'T-1' })
  expect(request).toMatchObject({ status: 'PENDING', tokenCount: 3, approvalsNeeded: 1, dataOwnerId: owner.user.id })
  expect(JSON.stringify(request)).not.toContain('Ann')
  const id = { reidentification_id: request.id }
  expect(typeOf(await at(request.id, 'open', owner))).toEqual([400, 'not_approved'])
  const approved = await approver.client.reidentifications.approve({ ...id, body: {} })
  expect([approved.status, approved.approvals.map(({ userId }) => userId)]).toEqual(['APPROVED', [approver.user.id]])
  const { values } = await owner.client.reidentifications.open(id)
  expect(values.map(({ value }) => value)).toEqual(['Ann Lee', 'ann@b.example', 'Bo Ek'])
  // A replay, also under the key of the first call, gives nothing out.
  expect(typeOf(await at(request.id, 'open', owner))).toEqual([400, 'not_approved'])
  expect(typeOf(await at(request.id, 'approve', approver))).toEqual([400, 'already_decided'])
  const trail = await admin.client.audit.list({ body: { filters: { recordId: request.id }, limit: 100 } })
  const steps = trail
    .toReversed()
    .map(({ operation, outcome, subject }) => [operation.split('/').at(-1), outcome, subject])
  expect(steps).toEqual([
    ['', 'done', request.fingerprint],
    ['open', 'refused', null],
    ['approve', 'done', request.fingerprint],
    ['open', 'done', request.fingerprint],
    ['open', 'refused', null],
    ['approve', 'refused', null],
  ])
  const told = await owner.client.notifications.list({ body: {} })
  expect(told.map(({ kind }) => kind)).toContain('reidentification.approved')
})

test('only kinds that were asked for and approved are given out', async () => {
  const { tokens, jobId } = letter
  const request = await ask(owner, { tokens, jobId })
  await approver.client.reidentifications.approve({
    reidentification_id: request.id,
    body: { labels: ['PERSON'] },
  })
  const { values } = await owner.client.reidentifications.open({ reidentification_id: request.id })
  expect(values.map(({ value }) => value)).toEqual(['Ann Lee', null, 'Bo Ek'])
})

test('a stranger’s token, another job’s, and garbage are the same', async () => {
  const other = await anonymised(owner.client, text)
  const wide = await anonymised(owner.client, text, 'project')
  const foreign = await anonymised(stranger.client, text, 'project')
  const body = letter.tokens[0]!
  const tokens = [...other.tokens, ...foreign.tokens, 'PERSON~NOTHING', '', body.replace('PERSON', 'EMAIL')].filter(
    Boolean,
  )
  const request = await ask(owner, { tokens: [...tokens, wide.tokens[0]!], jobId: letter.jobId })
  await approver.client.reidentifications.approve({ reidentification_id: request.id, body: {} })
  const { values } = await owner.client.reidentifications.open({ reidentification_id: request.id })
  expect(values.slice(0, -1).map(({ value }) => value)).toEqual(tokens.map(() => null))
  // Those of the project open wherever it is.
  expect(values.at(-1)!.value).toBe('Ann Lee')
})

test('a file comes back with the approved kinds only', { timeout: 60_000 }, async () => {
  for (const [what, labels, expected] of [
    [{ jobId: letter.jobId }, undefined, text],
    [{ assetId: letter.outputId }, ['EMAIL'], letter.output.replace(/EMAIL~\w+/, 'ann@b.example')],
  ] as const) {
    const request = await ask(owner, what)
    expect(request.tokenCount).toBe(null)
    await approver.client.reidentifications.approve({
      reidentification_id: request.id,
      body: { labels: labels && [...labels] },
    })
    // What fails on the way uses up no approval.
    full = true
    expect((await at(request.id, 'open', owner)).status).toBe(500)
    full = false
    const { request: opened, values } = await owner.client.reidentifications.open({ reidentification_id: request.id })
    expect([opened.status, values]).toEqual(['OPENED', []])
    expect((await resultOf(owner.client, opened.restoredJobId!)).output).toBe(expected)
    // What was restored has no inputs of its own that could be copied.
    const { id: list } = await owner.client.lists.create({ body: { name: 'Restored' } })
    const [restored] = await owner.client.jobs.assets({ job_id: opened.restoredJobId!, body: {} })
    const loaded = await service.send('POST', `/lists/${list}/import`, {
      token: owner.token,
      body: { assetId: restored!.id },
    })
    expect(typeOf(loaded)).toEqual([400, 'file_not_a_list'])
    const copied = owner.client.jobs.copy({ job_id: opened.restoredJobId! })
    await expect(copied).rejects.toMatchObject({ status: 400, detail: [{ type: 'inputs_gone' }] })
    // Erasing what was restored leaves the other job as it was.
    await owner.client.jobs.delete({ job_id: opened.restoredJobId! })
    expect((await resultOf(owner.client, letter.jobId)).output).toBe(letter.output)
  }
})

describe('values that keep their form', () => {
  const card = { name: 'Card', type: 'REGEX' as const, config: { regexRuleConfig: { pattern: '\\d{4}( \\d{4}){3}' } } }
  const cards = ['4111 1111 1111 1111', '5500 0000 0000 0004']
  const encryptedIn = async ({ client }: Person, scope: 'job' | 'document' | 'project') => {
    const { id: ruleId } = await client.rules.create({ body: card })
    const fpe = { keep: { last: 4 }, check: 'luhn', as: 'CARD', scope }
    const made = await executed(client, `Cards ${cards.join(', ')}.`, [{ ruleId, replacement: { fpe } }])
    return { ...made, encrypted: { ruleId, values: made.output.match(/\d{4}( \d{4}){3}/g)! } }
  }
  const approve = (id: string, labels?: string[]) =>
    approver.client.reidentifications.approve({ reidentification_id: id, body: { labels } })
  const opened = async (person: Person, id: string) =>
    (await person.client.reidentifications.open({ reidentification_id: id })).values.map(({ value }) => value)

  test.each(['job', 'document', 'project'] as const)('come back, of the scope %s', async scope => {
    const { jobId, outputId, encrypted } = await encryptedIn(owner, scope)
    expect(encrypted.values).not.toEqual(cards)
    const place = scope === 'document' ? { assetId: outputId } : { jobId }
    const request = await ask(owner, { encrypted, ...place })
    expect([request.tokenCount, JSON.stringify(request).includes(encrypted.values[0]!)]).toEqual([2, false])
    expect(typeOf(await at(request.id, 'open', owner))).toEqual([400, 'not_approved'])
    await approve(request.id)
    expect(await opened(owner, request.id)).toEqual(cards)
    expect(typeOf(await at(request.id, 'open', owner))).toEqual([400, 'not_approved'])
  })

  test('come back to nobody as another kind, of another form, or after the key was destroyed', async () => {
    const person = await service.person()
    const { jobId, encrypted } = await encryptedIn(person, 'job')
    const [kind, form, late] = [
      await ask(person, { encrypted, jobId }),
      await ask(person, { encrypted: { ...encrypted, values: ['12', 'none'] }, jobId }),
      await ask(person, { encrypted, jobId }),
    ]
    await approve(kind.id, ['PERSON'])
    expect(await opened(person, kind.id)).toEqual([null, null])
    await approve(form.id)
    expect(await opened(person, form.id)).toEqual([null, null])
    await approve(late.id)
    const [key] = await person.client.tokenKeys.list()
    await person.client.tokenKeys.destroy({ key_id: key!.id })
    expect(await opened(person, late.id)).toEqual([null, null])
  })

  test('do not come back of a rule that made them in two ways, of which nobody can tell which', async () => {
    const { id: ruleId } = await owner.client.rules.create({ body: card })
    const ways = [{ keep: { last: 4 } }, { keep: { last: 2 } }]
    const rules = ways.map(way => ({ ruleId, replacement: { fpe: { ...way, as: 'CARD' } } }))
    const { jobId, output } = await executed(owner.client, `Cards ${cards.join(', ')}.`, rules)
    const encrypted = { ruleId, values: output.match(/\d{4}( \d{4}){3}/g) }
    const body = { ...why, encrypted, jobId }
    const reply = await service.send('POST', '/reidentifications/', { token: owner.token, body })
    expect(typeOf(reply)).toEqual([400, 'nothing_reversible'])
  })

  test('are asked for by a rule that the job has, and beside no tokens', async () => {
    const { jobId, encrypted } = await encryptedIn(owner, 'job')
    const send = (body: object) =>
      service.send('POST', '/reidentifications/', { token: owner.token, body: { ...why, ...body } })
    const stray = { ...encrypted, ruleId: jobId }
    expect(typeOf(await send({ encrypted: stray, jobId }))).toEqual([400, 'nothing_reversible'])
    expect(typeOf(await send({ encrypted, jobId: letter.jobId }))).toEqual([400, 'nothing_reversible'])
    expect((await send({ encrypted })).status).toBe(422)
    expect((await send({ encrypted, jobId, tokens: ['PERSON~0'] })).status).toBe(422)
    expect((await send({ encrypted: { ...encrypted, values: [] }, jobId })).status).toBe(422)
  })
})

test('after the key was destroyed nothing opens, and no file is restored', { timeout: 60_000 }, async () => {
  const person = await service.person()
  const { tokens, jobId } = await anonymised(person.client, text)
  const asked = [await ask(person, { tokens, jobId }), await ask(person, { jobId })]
  for (const { id } of asked) await approver.client.reidentifications.approve({ reidentification_id: id, body: {} })
  const [key] = await person.client.tokenKeys.list()
  await person.client.tokenKeys.destroy({ key_id: key!.id })
  const { values } = await person.client.reidentifications.open({ reidentification_id: asked[0]!.id })
  expect(values.map(({ value }) => value)).toEqual([null, null, null])
  const { request } = await person.client.reidentifications.open({ reidentification_id: asked[1]!.id })
  const job = await ended(person.client, request.restoredJobId!)
  expect([job.status, job.errors[0]!.type]).toEqual(['FAILED', 'invalid_workflow'])
})

describe('access', () => {
  const nobody = { token: undefined }
  const ended = { token: `${owner.token.slice(0, -8)}AAAAAAAA` }
  /** Who may do what about a request of the owner's; 400 is for what would be allowed in another state of it. */
  test.each<[string, { token?: string }, Record<string, number>]>([
    ['nobody', nobody, { create: 401, list: 401, get: 401, approve: 401, reject: 401, open: 401 }],
    ['a bad token', ended, { create: 401, list: 401, get: 401, approve: 401, reject: 401, open: 401 }],
    ['who has no permission', noone, { create: 403, list: 403, get: 403, approve: 403, reject: 403, open: 403 }],
    ['a reader', reader, { create: 403, list: 200, get: 404, approve: 403, reject: 403, open: 403 }],
    ['a stranger', stranger, { create: 200, list: 200, get: 404, approve: 403, reject: 403, open: 404 }],
    ['who asks', owner, { create: 200, list: 200, get: 200, approve: 403, reject: 403, open: 400 }],
    ['an approver', approver, { create: 403, list: 200, get: 200, approve: 200, reject: 200, open: 403 }],
    ['an administrator', admin, { create: 200, list: 200, get: 200, approve: 200, reject: 200, open: 403 }],
  ])('of %s', async (_, { token }, expected) => {
    const { id } = await ask(owner, { tokens: ['PERSON~0'] })
    const { id: again } = await ask(owner, { tokens: ['PERSON~0'] })
    const send = async (method: string, path: string, body?: object) =>
      (await service.send(method, `/reidentifications/${path}`, { token, body })).status
    expect({
      create: await send('POST', '', { ...why, tokens: ['PERSON~0'] }),
      list: await send('POST', 'list', {}),
      get: await send('GET', id),
      open: await send('POST', `${id}/open`, {}),
      approve: await send('POST', `${id}/approve`, {}),
      reject: await send('POST', `${again}/reject`, {}),
    }).toEqual(expected)
  })

  test('lists show strangers nothing, and approvers everything', async () => {
    const mine = await ask(owner, { tokens: ['PERSON~0'] })
    const ids = async ({ client }: Person) => (await client.reidentifications.list({ body: {} })).map(({ id }) => id)
    expect(await ids(stranger)).not.toContain(mine.id)
    expect(await ids(approver)).toContain(mine.id)
  })

  test('nobody decides on a request of their own', async () => {
    const { id } = await ask(admin, { tokens: ['PERSON~0'] })
    expect(typeOf(await at(id, 'approve', admin))).toEqual([400, 'own_request'])
    expect(typeOf(await at(id, 'reject', admin))).toEqual([400, 'own_request'])
  })

  test('nobody asks for a job that they can’t see', async () => {
    const reply = await service.send('POST', '/reidentifications/', {
      token: stranger.token,
      body: { ...why, jobId: letter.jobId },
    })
    expect(typeOf(reply)).toEqual([404, 'not_found'])
  })

  test('the owner of the data is told when somebody else opens it', async () => {
    const { id } = await ask(admin, { tokens: letter.tokens, jobId: letter.jobId })
    await at(id, 'approve', approver)
    const { values } = await admin.client.reidentifications.open({ reidentification_id: id })
    expect(values[0]!.value).toBe('Ann Lee')
    const told = await owner.client.notifications.list({ body: {} })
    expect(told.filter(({ kind, resource }) => kind === 'reidentification.opened' && resource.id === id)).toHaveLength(
      1,
    )
  })

  test('an emergency takes two who may, and fifteen minutes', async () => {
    const other = await service.person('admin')
    const body = { ...why, tokens: letter.tokens, jobId: letter.jobId, emergency: true }
    const refused = await service.send('POST', '/reidentifications/', { token: owner.token, body })
    expect(typeOf(refused)).toEqual([403, 'permission_denied'])
    const { id } = await ask(admin, body)
    expect(typeOf(await at(id, 'approve', approver))).toEqual([403, 'permission_denied'])
    expect(typeOf(await at(id, 'approve', admin))).toEqual([400, 'own_request'])
    const { expiresAt } = await other.client.reidentifications.approve({ reidentification_id: id, body: {} })
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000)
    expect((await admin.client.reidentifications.open({ reidentification_id: id })).values[0]!.value).toBe('Ann Lee')
  })
})
