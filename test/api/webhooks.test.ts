import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { deployed } from './deployed.ts'
import { startReceiver } from './receiver.ts'
import { form, makeWorkflow } from './requests.ts'
import { type Person, useOwnService } from './setup.ts'

const patience = { timeout: 180_000, interval: 50 }
vi.setConfig({ testTimeout: 240_000 })

// Receivers are on this machine, and attempts that are due much later are made by the sweeper.
describe.skipIf(deployed)('a webhook', async () => {
  if (deployed) return
  const service = await useOwnService()

  async function receiver(...behaviour: Parameters<typeof startReceiver>) {
    const started = await startReceiver(...behaviour)
    onTestFinished(started.close)
    return started
  }

  const hook = (url: string, more = {}) => ({ name: 'Tickets', url, events: ['job.*' as const], ...more })

  /** Cancels a job of a person, which is the quickest event. */
  async function cancelled({ client }: Person, name = 'Letters'): Promise<string> {
    const job = await client.jobs.upload({ body: { name }, files: [{ name: 'a.txt', content: 'Call 112 now' }] })
    await client.jobs.cancel({ job_id: job.id })
    return job.id
  }

  const deliveries = ({ client }: Person, webhook_id: string) => client.webhooks.deliveries({ webhook_id })

  test('hears how a job ended, by ids and counts alone, signed as its secret says', async () => {
    const person = await service.person()
    const { url, received } = await receiver()
    const { id, secret } = await person.client.webhooks.create({ body: hook(url) })
    expect(secret).toMatch(/^whsec_/)
    const body = form({ name: 'Letters of KANARIE' }, { 'KANARIE-file.txt': 'Call 112 KANARIE-text' })
    const { body: job } = await service.send('POST', '/jobs/upload', { token: person.token, body })
    const job_id = (job as { id: string }).id
    await person.client.jobs.update({ job_id, body: { workflowId: await makeWorkflow(person.client) } })
    await person.client.jobs.execute({ job_id })
    await vi.waitFor(() => expect(received).toHaveLength(1), patience)
    const [{ headers, body: text }] = received as [(typeof received)[0]]
    const told = new Webhook(secret!).verify(text, headers as Record<string, string>)
    const counts = { assets: 1, succeeded: 1, failed: 0, findings: 1 }
    const data = { ownerId: person.user.id, resource: { type: 'job', id: job_id }, counts }
    expect(told).toEqual({ type: 'job.succeeded', timestamp: expect.any(String), data })
    await vi.waitFor(async () => expect((await deliveries(person, id))[0]?.status).toBe('DELIVERED'), patience)
    const bus = async () => await readFile(join(service.files, '../events/events.ndjson'), 'utf8')
    await vi.waitFor(async () => expect(await bus()).toContain(headers['webhook-id']), patience)
    const put = (await bus())
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(put.find(({ detail }) => detail.id === headers['webhook-id'])).toMatchObject({
      ...{ source: 'anonymisation', 'detail-type': 'job.succeeded' },
      detail: { id: headers['webhook-id'], timestamp: (told as { timestamp: string }).timestamp, data },
    })
    const [delivery] = await deliveries(person, id)
    expect(delivery).toMatchObject({ eventId: headers['webhook-id'], attempts: 1, responseStatus: 204, problem: null })
    const logs = await readFile(service.cloud.logFile, 'utf8')
    for (const shown of [text, JSON.stringify(headers), JSON.stringify(delivery), logs, await bus()]) {
      expect(shown).not.toContain('KANARIE')
      expect(shown).not.toContain('kept nowhere')
      expect(shown).not.toContain(secret)
    }
  })

  test('is not shown its secret again', async () => {
    const { client } = await service.person()
    const { id, secret, ...webhook } = await client.webhooks.create({ body: hook('https://example.org') })
    expect(await client.webhooks.get({ webhook_id: id })).toEqual({ id, ...webhook })
    expect(await client.webhooks.list()).toEqual([{ id, ...webhook }])
    const reply = await service.send('GET', `/webhooks/${id}`, { token: service.admin.token })
    expect(reply.text).not.toContain(secret!.slice(6))
    expect(reply.text).not.toContain('sealed')
  })

  test('hears of its owner’s events only, and an administrator’s of everybody’s if asked for', async () => {
    const [person, other] = [await service.person(), await service.person()]
    const [own, all] = [await receiver(), await receiver()]
    await person.client.webhooks.create({ body: hook(own.url) })
    const everybody = hook(all.url, { scope: 'all' })
    await service.admin.client.webhooks.create({ body: everybody })
    const refused = await service.send('POST', '/webhooks/', { token: person.token, body: everybody })
    expect(refused.status).toBe(403)
    const ids = [await cancelled(other), await cancelled(person)]
    const heard = (received: { body: string }[]) => received.map(({ body }) => JSON.parse(body).data.resource.id)
    await vi.waitFor(() => expect(heard(all.received)).toEqual(expect.arrayContaining(ids)), patience)
    await vi.waitFor(() => expect(heard(own.received)).toEqual([ids[1]]), patience)
  })

  test('hears of nothing that it did not ask for, or while it is disabled', async () => {
    const person = await service.person()
    const { url, received } = await receiver()
    const create = (more = {}) => person.client.webhooks.create({ body: hook(url, more) })
    const deaf = [await create({ events: ['load.failed', 'review.*'] }), await create({ enabled: false })]
    await create()
    await cancelled(person)
    await vi.waitFor(() => expect(received).toHaveLength(1), patience)
    for (const { id } of deaf) expect(await deliveries(person, id)).toEqual([])
  })

  test('gets an event again by the same id until it accepts it, and is not followed elsewhere', async () => {
    const person = await service.person()
    const elsewhere = await receiver()
    const { url, received } = await receiver(n => ({
      status: n === 0 ? 302 : 200,
      headers: { location: elsewhere.url },
    }))
    const { id } = await person.client.webhooks.create({ body: hook(url) })
    await cancelled(person)
    await vi.waitFor(async () => expect((await deliveries(person, id))[0]?.responseStatus).toBe(302), patience)
    const [delivery] = await deliveries(person, id)
    expect(delivery).toMatchObject({ status: 'PENDING', attempts: 1, nextAttemptAt: expect.any(String) })
    expect((await person.client.webhooks.get({ webhook_id: id })).failingSince).not.toBeNull()
    await vi.waitFor(async () => expect((await deliveries(person, id))[0]?.status).toBe('DELIVERED'), patience)
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([delivery!.eventId, delivery!.eventId])
    expect(elsewhere.received).toEqual([])
    await vi.waitFor(async () => {
      expect((await person.client.webhooks.get({ webhook_id: id })).failingSince).toBeNull()
    }, patience)
  })

  test('is disabled, with a word to its owner, when its receiver says that it is gone', async () => {
    const person = await service.person()
    const { url } = await receiver(() => ({ status: 410 }))
    const { id } = await person.client.webhooks.create({ body: hook(url) })
    await cancelled(person)
    await vi.waitFor(async () => {
      expect((await person.client.webhooks.get({ webhook_id: id })).enabled).toBe(false)
    }, patience)
    const webhook = await person.client.webhooks.get({ webhook_id: id })
    expect(webhook.disabledBecause).toBe('gone')
    await vi.waitFor(async () => expect((await deliveries(person, id))[0]?.status).toBe('FAILED'), patience)
    const filters = { kind: 'webhook.disabled' as const }
    expect(await person.client.notifications.list({ body: { filters } })).toHaveLength(1)
    const again = await person.client.webhooks.update({ webhook_id: id, body: { enabled: true } })
    expect(again).toMatchObject({ enabled: true, disabledBecause: null, failingSince: null })
  })

  test('is tested, and told again what it was told, by the same id', async () => {
    const { client } = await service.person()
    const { url, received } = await receiver()
    const { id: webhook_id, secret } = await client.webhooks.create({ body: hook(url, { enabled: false }) })
    const tested = await client.webhooks.test({ webhook_id })
    expect(tested).toMatchObject({ type: 'webhook.test', status: 'DELIVERED', attempts: 1, responseStatus: 204 })
    await client.webhooks.update({ webhook_id, body: { enabled: true } })
    await client.webhooks.redeliver({ webhook_id, delivery_id: tested.id })
    await vi.waitFor(() => expect(received).toHaveLength(2), patience)
    for (const { headers, body } of received) {
      expect(headers['webhook-id']).toBe(tested.eventId)
      new Webhook(secret!).verify(body, headers as Record<string, string>)
    }
  })

  test('signs with both secrets while one takes the place of the other', async () => {
    const { client } = await service.person()
    const { url, received } = await receiver()
    const { id: webhook_id, secret: first } = await client.webhooks.create({ body: hook(url) })
    const { secret: second, previousKeyUntil } = await client.webhooks.rotate({ webhook_id, body: {} })
    expect([second === first, Date.parse(previousKeyUntil!) > Date.now()]).toEqual([false, true])
    await client.webhooks.test({ webhook_id })
    const { secret: third } = await client.webhooks.rotate({ webhook_id, body: { overlapHours: 0 } })
    await client.webhooks.test({ webhook_id })
    const accepts = (secret: string | null, n: number) => {
      const { body, headers } = received[n]!
      return new Webhook(secret!).verify(body, headers as Record<string, string>)
    }
    for (const secret of [first, second]) expect(accepts(secret, 0)).toBeTruthy()
    expect(accepts(third, 1)).toBeTruthy()
    for (const secret of [first, second]) expect(() => accepts(secret, 1)).toThrow()
  })

  test('hears of nothing once its owner is blocked, has lost the permission or is gone, not even what waited', async () => {
    const { admin } = service
    const witness = await receiver()
    await admin.client.webhooks.create({ body: hook(witness.url, { scope: 'all' }) })
    const role = `hearing-${Date.now()}`
    const permissions = ['webhooks:read', 'webhooks:write', 'webhooks:any', 'jobs:read', 'jobs:write', 'jobs:execute']
    await admin.client.roles.create({ body: { name: role, permissions: permissions as never } })
    const owner = await service.person(role)
    const other = await service.person()
    const { url, received } = await receiver(() => ({ status: 503, headers: { 'retry-after': '20' } }))
    const { id } = await owner.client.webhooks.create({ body: hook(url, { scope: 'all' }) })
    await cancelled(other)
    await vi.waitFor(() => expect(received).toHaveLength(1), patience)

    const user_id = owner.user.id
    const changes = [
      () => admin.client.users.block({ user_id }),
      async () => {
        await admin.client.users.block({ user_id, body: { blocked: false } })
        await admin.client.users.update({ user_id, body: { role: 'user' } })
      },
      () => admin.client.users.delete({ user_id }),
    ]
    for (const change of changes) {
      await change()
      const job = await cancelled(other)
      const heard = () => witness.received.some(({ body }) => JSON.parse(body).data.resource.id === job)
      await vi.waitFor(() => expect(heard()).toBe(true), patience)
    }
    const waited = async () => (await admin.client.webhooks.deliveries({ webhook_id: id }))[0]!
    await vi.waitFor(async () => expect((await waited()).status).toBe('FAILED'), patience)
    expect(await waited()).toMatchObject({ attempts: 1, problem: 'webhook_disabled' })
    expect(received).toHaveLength(1)
  })

  test('goes with an owner who is purged', async () => {
    const person = await service.person()
    const { url } = await receiver()
    const { id } = await person.client.webhooks.create({ body: hook(url) })
    await service.send('DELETE', `/users/${person.user.id}?purge=true`, { token: service.admin.token })
    await vi.waitFor(async () => {
      const reply = await service.send('GET', `/webhooks/${id}`, { token: service.admin.token })
      expect(reply.status).toBe(404)
    }, patience)
  })
})
