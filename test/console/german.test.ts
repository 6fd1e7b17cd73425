import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { de } from '../../console/i18n/de.ts'
import { en } from '../../console/i18n/en.ts'
import { defaultPermissions } from '../../shared/api/permission-names.ts'
import { problems } from '../../shared/api/problems.ts'
import { deployed } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { hasBrowser, logIn, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

/** All texts of a language that are no functions. */
const textsOf = (messages: object): string[] =>
  Object.values(messages).flatMap(one => (typeof one === 'string' ? one : typeof one === 'object' ? textsOf(one) : []))

/** All texts that a page shows, but those that are marked as English. */
const shown = `[...document.querySelectorAll('body *')]
  .filter(one => one.checkVisibility() && !one.closest('[lang=en]'))
  .flatMap(one => [...one.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE))
  .map(({ data }) => data.trim())
  .filter(Boolean)`

describe.skipIf(!hasBrowser || deployed)('in German', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let admin: Person
  const jobs: Record<'failed' | 'pending' | 'waiting', string> = { failed: '', pending: '', waiting: '' }
  const records: string[] = []
  beforeAll(async () => {
    admin = await own.service.person('admin')
    const { client } = admin
    const letter = { name: 'brief.txt', content: 'Sehr geehrte Frau Ngozi Achterberg,\n' }
    const upload = async (files: (typeof letter)[]) =>
      (await client.jobs.upload({ body: { name: 'Briefe', presetId: 'default' }, files })).id
    jobs.pending = await upload([letter])
    jobs.failed = await upload([letter, { name: 'kaputt.pdf', content: '%PDF-1.7' }])
    await client.jobs.execute({ job_id: jobs.failed })
    jobs.waiting = await upload([letter])
    await client.jobs.update({ job_id: jobs.waiting, body: { review: { approvers: 1 } } })
    await client.jobs.execute({ job_id: jobs.waiting })
    const list = await client.lists.create({ body: { name: 'Mandanten' } })
    await client.lists.add({ list_id: list.id, body: { entries: [{ value: 'Ngozi Achterberg' }] } })
    const source = await client.sources.create({ body: { name: 'Ablage', kind: 'LOCAL_ASSET', config: {} } })
    const settings = { name: 'Nachts', sourceId: source.id, presetId: 'default' as const, rate: '1 day' }
    const schedule = await client.schedules.create({ body: settings })
    await client.schedules.run({ schedule_id: schedule.id })
    const hook = { name: 'Vorgänge', url: 'http://127.0.0.1:1099/hook', events: ['*' as const] }
    const webhook = await client.webhooks.create({ body: hook })
    await client.webhooks.test({ webhook_id: webhook.id })
    records.push(`lists/${list.id}`, `schedules/${schedule.id}`, `webhooks/${webhook.id}`)
    await vi.waitFor(async () => {
      expect((await client.jobs.get({ job_id: jobs.waiting })).review?.state).toBe('waiting')
      expect((await client.jobs.get({ job_id: jobs.failed })).status).toBe('FAILED')
    }, soon)
  }, 120_000)

  const visit = (page: Page, screen: string) => page.goto(`${own.service.baseUrl}/api/console/#/${screen}`)

  test('no screen has a word of the English console, or of the English service', async () => {
    const german = new Set(textsOf(de))
    const english = new Set([
      ...textsOf(en),
      ...Object.values(problems).map(([, meaning]) => meaning),
      ...Object.values(defaultPermissions),
      ...(await admin.client.presets.list()).flatMap(({ name, description }) => [name, description]),
      ...(await admin.client.models.list()).map(({ description }) => description),
      ...(await admin.client.notifications.list({ body: {} })).flatMap(({ title, message }) => [title, message]),
    ])
    const { page, troubles } = await openPage(own.browser, { locale: 'de-DE' })
    await logIn(page, own.service.baseUrl, admin)
    const screens = [
      ...['new', 'text', 'jobs', 'reviews', 'workflows', 'workflows/create', 'rules', 'rules/create', 'sources'],
      ...['sources/create', 'lists', 'lists/create', 'schedules', 'schedules/create', 'webhooks', 'users', 'roles'],
      ...['webhooks/create', ...records],
      ...['roles/create', 'accounts', 'accounts/create', 'recoveries'],
      ...['recoveries/create', 'audit', 'notifications', 'account'],
      ...[jobs.failed, jobs.pending, jobs.waiting].map(id => `jobs/${id}`),
      `reviews/${jobs.waiting}`,
    ]
    const found: { screen: string; text: string }[] = []
    for (const screen of screens) {
      await visit(page, screen)
      await page.locator('h1').waitFor(soon)
      await expect.poll(() => page.getByText(de.loading).count(), soon).toBe(0)
      const texts = await page.evaluate<string[]>(shown)
      expect(texts.length).toBeGreaterThan(15)
      const ours = texts.filter(text => english.has(text) && !german.has(text))
      found.push(...ours.map(text => ({ screen, text })))
    }
    // Administrators also see what other tests have made, which may be called like something of the console.
    const { workflows, rules, jobs: all, sources } = admin.client
    const body = { limit: 1000 }
    const listed = await Promise.all([
      workflows.list({ body }),
      rules.list({ body }),
      all.list({ body }),
      sources.list({ body }),
    ])
    const names = new Set(listed.flat().map(({ name }) => name))
    expect(found.filter(({ text }) => !names.has(text))).toEqual([])
    await visit(page, 'rules/create')
    await page.getByLabel('Modell').check()
    await page.getByRole('combobox').selectOption({ index: 1 })
    await page.getByText('Namen, Orte, Organisationen').waitFor()
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('what the service refuses is told by its code, with the facts of its message', async () => {
    const { page } = await openPage(own.browser, { locale: 'de-DE' })
    await page.goto(`${own.service.baseUrl}/api/console/`)
    await page.fill('input[type=email]', admin.user.email)
    await page.fill('input[type=password]', 'nobody has this one')
    await page.click('button[type=submit]')
    await page.getByText('E-Mail-Adresse oder Passwort ist falsch.').waitFor()
    await logIn(page, own.service.baseUrl, admin)
    await visit(page, 'rules/create')
    await page.getByLabel('Name', { exact: true }).fill('Kaputt')
    await page.getByLabel('Regulärer Ausdruck').fill('(')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Das Muster ist kein gültiger regulärer Ausdruck:').waitFor()
    expect((await page.locator('[role=alert] [lang=en]').textContent())!.length).toBeGreaterThan(5)
    expect(await violations(page)).toEqual([])
    await picture(page, 'german-refusal')
    await page.getByRole('link', { name: 'Abbrechen' }).click()
    await visit(page, `jobs/${jobs.failed}`)
    await page.getByText('Die Datei ist beschädigt oder hält sich nicht an ihr Format').waitFor()
    await page.context().close()
  })

  test('another language is told what is shown already', async () => {
    const { page, troubles } = await openPage(own.browser, { locale: 'de-DE' })
    await page.goto(`${own.service.baseUrl}/api/console/`)
    await page.getByRole('combobox').selectOption('en')
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await page.fill('input[type=email]', admin.user.email)
    await page.fill('input[type=password]', 'nobody has this one')
    await page.click('button[type=submit]')
    await page.getByText('E-mail address or password is wrong').waitFor()
    await page.getByRole('combobox').selectOption('de')
    await page.getByText('E-Mail-Adresse oder Passwort ist falsch.').waitFor()
    expect(troubles.filter(trouble => !trouble.includes('401'))).toEqual([])
    await page.context().close()
  })
})
