import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { deployed, putFile } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { fits, hasBrowser, logIn, looks, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

describe.skipIf(!hasBrowser || deployed)('administration in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let admin: Person
  beforeAll(async () => {
    admin = await own.service.person('admin')
  })

  /** A page on which somebody is logged in; every question is answered with yes. */
  const opened = async (person: Person, options: Parameters<typeof openPage>[1] = {}) => {
    const { page, troubles } = await openPage(own.browser, options)
    const asked: string[] = []
    page.on('dialog', dialog => {
      asked.push(dialog.message())
      return dialog.accept()
    })
    await logIn(page, own.service.baseUrl, person)
    return { page, troubles, asked }
  }
  const visit = (page: Page, screen: string) => page.goto(`${own.service.baseUrl}/api/console/#/${screen}`)

  /** Somebody whom a search by name finds alone. */
  const named = async () => {
    const person = await own.service.person()
    const name = `Zyta ${randomUUID()}`
    await own.service.admin.client.users.update({ user_id: person.user.id, body: { name } })
    return { ...person, name }
  }

  test('users get a role, are blocked, get a new password and are deleted', async () => {
    const { user, name } = await named()
    const stored = () => own.service.admin.client.users.get({ user_id: user.id })
    const { page, troubles, asked } = await opened(admin)
    await visit(page, 'users')
    await page.getByLabel('Search').fill(name)
    await expect.poll(() => page.locator('.cards li').count(), soon).toBe(1)
    await page.getByRole('combobox', { name: `Role: ${name}` }).selectOption('admin')
    await expect.poll(async () => (await stored()).role, soon).toBe('admin')
    await page.getByRole('button', { name: `Block: ${name}` }).click()
    await page.waitForSelector('.cards .status:has-text("blocked")')
    expect((await stored()).blocked).toBe(true)
    await page.getByRole('button', { name: `Unblock: ${name}` }).click()
    await page.getByRole('button', { name: `Block: ${name}`, exact: true }).waitFor()
    await page.getByRole('button', { name: `New password: ${name}` }).click()
    const password = (await page.textContent('[role=status] code'))!
    const body = { email: user.email, password }
    expect(await admin.client.auth.login({ body })).toMatchObject({ password_change_required: true })
    await page.getByRole('button', { name: `Delete: ${name}` }).click()
    await page.waitForSelector('text=Nothing matches.')
    await expect(stored()).rejects.toMatchObject({ status: 404 })
    expect(asked).toEqual([
      `Give ${name} the role “admin”?`,
      `Give ${name} a temporary password? All their sessions end.`,
      `Delete ${name}? What they own stays for administrators.`,
    ])
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('what the service refuses is shown beside the user, and the list stays as it was', async () => {
    const { user, name } = await named()
    const { page } = await opened(admin)
    await visit(page, 'users')
    await page.getByLabel('Search').fill(name)
    await expect.poll(() => page.locator('.cards li').count(), soon).toBe(1)
    await own.service.admin.client.users.delete({ user_id: user.id })
    await page.getByRole('button', { name: `Block: ${name}` }).click()
    await page.waitForSelector('.cards [role=alert]')
    await page.context().close()
  })

  test('a role is made and deleted, and one that is built in is only shown', async () => {
    const { page, troubles } = await opened(admin)
    const name = `a-${randomUUID().slice(0, 8)}`
    await visit(page, 'roles/create')
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('rules:read').check()
    await page.getByLabel('jobs:read').check()
    await page.getByLabel('Bytes a day').fill('1000000')
    await page.getByLabel('Jobs a day').fill('20')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name }).click()
    await expect.poll(() => page.getByLabel('Name').inputValue(), soon).toBe(name)
    expect(await page.getByLabel('Jobs a day').inputValue()).toBe('20')
    await page.getByLabel('Bytes a day').fill('')
    await page.getByLabel('jobs:read').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name }).waitFor()
    const made = (await own.service.admin.client.roles.list({ query: { search: name } }))[0]!
    expect(made).toMatchObject({ name, permissions: ['rules:read'] })
    expect(made.quota).toEqual({ jobsPerDay: 20 })
    await page.getByRole('link', { name }).click()
    const lists = page.getByRole('group', { name: 'Lists' })
    await lists.getByLabel('All: Lists').check()
    await lists.getByLabel('lists:any').uncheck()
    await page.getByText('A permission of your own').click()
    await page.getByLabel('Permission', { exact: false }).last().fill(`${name}:read`)
    await page.getByRole('button', { name: 'Add it' }).click()
    expect(await page.getByRole('checkbox', { name: `${name}:read` }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name }).waitFor()
    await page.getByRole('link', { name }).click()
    await page.getByLabel('Jobs a day').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name }).waitFor()
    const [changed] = await own.service.admin.client.roles.list({ query: { search: name } })
    expect(changed!.quota).toEqual({})
    expect(changed!.permissions.toSorted()).toEqual(
      [`${name}:read`, 'lists:read', 'lists:write', 'rules:read'].toSorted(),
    )
    await page.getByRole('button', { name: `Delete: ${name}` }).click()
    await page.getByRole('link', { name }).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Delete: admin' }).count()).toBe(0)
    await page.getByRole('link', { name: 'admin', exact: true }).click()
    await page.waitForSelector('text=Built in')
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    expect(await page.getByLabel('rules:read').isDisabled()).toBe(true)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('the audit trail is read by person and by outcome', async () => {
    const { user, name, client } = await named()
    const refused = client.users.update({ user_id: user.id, body: { role: 'admin' } })
    await expect(refused).rejects.toMatchObject({ status: 403 })
    await expect(client.users.update({ user_id: admin.user.id, body: {} })).rejects.toMatchObject({ status: 403 })
    const { page, troubles } = await opened(admin)
    const late = Promise.withResolvers<void>()
    await page.route('**/audit/list', async route => {
      await late.promise
      await route.continue()
    })
    await visit(page, 'audit')
    const lines = () => page.locator('tbody tr').allTextContents()
    await page.getByLabel('Record').fill(user.id)
    late.resolve()
    await page.waitForSelector('tbody tr')
    // What is typed stays when entries arrive.
    await page.getByLabel('Record').press('Enter')
    // Registered, named, and refused.
    const isOfUser = (line: string) => line.includes(user.id)
    await expect.poll(async () => (await lines()).map(isOfUser), soon).toEqual([true, true, true])
    await page.getByLabel('Record').fill('')
    await page.getByLabel('Record').press('Enter')
    await page.getByLabel('Who').selectOption(user.id)
    await page.getByLabel('Outcome').selectOption('refused')
    const isRefusal = (line: string) => line.includes(name) && line.includes('permission_denied')
    await expect.poll(async () => (await lines()).map(isRefusal), soon).toEqual([true, true])
    await page.getByLabel('Day').fill('2001-02-03')
    await page.waitForSelector('text=Nothing of that kind was recorded')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a source is made, tested and looked into, in German', async () => {
    const owner = await own.service.person()
    await putFile(owner.user.id, own.service.files, 'letters/a.txt', 'Call 112')
    const { page, troubles } = await opened(owner, { locale: 'de-DE' })
    await visit(page, 'sources/create')
    await page.getByLabel('Name').fill('Ablage')
    await page.getByRole('button', { name: 'Verbindung prüfen' }).click()
    await page.waitForSelector('.status.succeeded')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('link', { name: 'Ablage' }).click()
    await page.getByRole('button', { name: 'In die Quelle sehen' }).click()
    await page.getByRole('button', { name: 'letters/' }).click()
    await page.getByRole('button', { name: 'a.txt' }).click()
    await page.waitForSelector('[role=status]:has-text("letters/a.txt")')
    await page.getByRole('button', { name: 'Alles' }).click()
    await page.getByRole('button', { name: 'letters/' }).waitFor()
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a source that cannot be reached says why, and its secret is never shown', async () => {
    const owner = await own.service.person()
    const config = { provider: 's3', bucket: 'letters', region: 'eu-west-1', access_key_id: 'AKIA0' } as const
    const endpoint = 'https://nowhere.invalid'
    const { id } = await owner.client.sources.create({
      body: { name: 'Store', kind: 'CLOUD_DRIVE', config: { ...config, endpoint, secret_access_key: 'zyx-secret' } },
    })
    const { page } = await opened(owner)
    await visit(page, `sources/${id}`)
    await expect.poll(() => page.getByLabel('Bucket').inputValue(), soon).toBe('letters')
    expect(await page.getByLabel('Variant').locator('option:checked').textContent()).toBe('S3')
    expect(await page.getByLabel('Secret access key').inputValue()).toBe('')
    expect(await page.content()).not.toContain('zyx-secret')
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await page.waitForSelector('.status.failed')
    await page.getByLabel('Folder (optional)').fill('2026')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Store' }).waitFor()
    expect(await owner.client.sources.get({ source_id: id })).toMatchObject({
      config: { ...config, endpoint, prefix: '2026' },
      secrets: { secret_access_key: true },
    })
    await page.context().close()
  })

  test('who may not administer has no way there in the menu', async () => {
    const { page } = await opened(await own.service.person())
    const names = await page.locator('header nav a').allTextContents()
    expect(names).toContain('Sources')
    for (const name of ['Users', 'Roles', 'Audit trail', 'Reviews']) expect(names).not.toContain(name)
    await page.context().close()
  })

  test.each(looks)('every screen is accessible and fits: $colorScheme, $viewport.width px', async look => {
    const { page, troubles } = await opened(admin, look)
    const { id } = await admin.client.sources.create({
      body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} },
    })
    await putFile(admin.user.id, own.service.files, 'letters/a.txt', 'Call 112')
    const screens: Record<string, () => Promise<unknown>> = {
      users: () => page.waitForSelector('.cards li'),
      roles: () => page.waitForSelector('.cards li'),
      'roles/create': () => page.waitForSelector('.line'),
      audit: () => page.waitForSelector('tbody tr'),
      sources: () => page.waitForSelector('.cards li'),
      'sources/create': () => page.getByLabel('Kind').selectOption('DB_ENGINE_1'),
      [`sources/${id}`]: async () => {
        await page.getByRole('button', { name: 'Test the connection' }).click()
        await page.waitForSelector('.status.succeeded')
        await page.getByRole('button', { name: 'Look into the source' }).click()
        await page.getByRole('button', { name: 'letters/' }).waitFor()
      },
    }
    for (const [name, fill] of Object.entries(screens)) {
      await visit(page, name)
      await fill()
      expect([name, await violations(page)]).toEqual([name, []])
      await fits(page)
      await picture(page, `${name.replace(id, 'one').replace('/', '-')}-${look.viewport.width}`)
      if (name.endsWith('/create')) await page.getByRole('link', { name: 'Cancel' }).click()
    }
    expect(troubles).toEqual([])
    await page.context().close()
  })
})
