import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { deployed, putFile } from '../api/deployed.ts'
import { startReceiver } from '../api/receiver.ts'
import type { Person } from '../api/setup.ts'
import { fits, hasBrowser, logIn, looks, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

/** Three values, one of them three times. */
const people = ['Ngozi Achterberg', 'Yusuf Karahan', ' Yusuf Karahan ', '', 'Yusuf Karahan', 'Zybert Oyelaran'].join(
  '\n',
)

describe.skipIf(!hasBrowser || deployed)('lists, schedules and webhooks in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let person: Person
  beforeAll(async () => {
    person = await own.service.person()
  })

  /** A page on which the person is logged in; every question is answered with yes. */
  const opened = async (options: Parameters<typeof openPage>[1] = {}) => {
    const { page, troubles } = await openPage(own.browser, options)
    page.on('dialog', dialog => dialog.accept())
    await logIn(page, own.service.baseUrl, person)
    return { page, troubles }
  }
  const visit = (page: Page, screen: string) => page.goto(`${own.service.baseUrl}/api/console/#/${screen}`)
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const name = (page: Page) => page.getByLabel('Name', { exact: true })
  const heading = (page: Page, title: string) => page.getByRole('heading', { name: title, level: 1, exact: true })
  const idIn = (page: Page) => page.url().split('/').at(-1)!

  test('a list is made and filled, by hand and from a file, searched, emptied and deleted', async () => {
    const { client } = person
    const { page, troubles } = await opened()
    const title = `Staff ${randomUUID()}`
    await visit(page, 'lists/create')
    await name(page).fill(title)
    await press(page, 'Save')
    await heading(page, title).waitFor(soon)
    const list_id = idIn(page)
    const stored = () => client.lists.entries({ list_id, body: {} })
    await page.getByLabel('New values').fill(people)
    await page.getByLabel('How they are found').selectOption('inflected')
    await page.getByLabel('Why they are on it').fill('They work here')
    await page.getByLabel('Only until').fill('2031-05-06T07:08')
    await press(page, 'Add 3 values')
    await page.getByText('3 values were added.').waitFor(soon)
    expect(await stored()).toMatchObject(
      ['Ngozi Achterberg', 'Yusuf Karahan', 'Zybert Oyelaran'].map(value => ({
        ...{ value, match: 'inflected', why: 'They work here', until: expect.stringMatching(/^2031-05-0/) },
      })),
    )
    const buffer = Buffer.from('Aurelia Nnamdi\r\nMirek Søgård\r\n')
    await page
      .getByLabel('Or take them from a text file')
      .setInputFiles([{ name: 'a.txt', mimeType: 'text/plain', buffer }])
    await press(page, 'Add 2 values')
    await page.getByText('2 values were added.').waitFor(soon)
    await page.getByLabel('Search').fill('søg')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.cards li').count(), soon).toBe(1)
    await press(page, 'Delete: Mirek Søgård')
    await page.getByText('Nothing matches.').waitFor(soon)
    expect((await stored()).map(({ value }) => value)).not.toContain('Mirek Søgård')
    await name(page).fill(`${title}, all`)
    await press(page, 'Save')
    await page.getByRole('link', { name: `${title}, all` }).waitFor(soon)
    await page.getByText('4 values', { exact: true }).waitFor()
    await press(page, `Delete: ${title}, all`)
    await page.getByRole('link', { name: `${title}, all` }).waitFor({ state: 'detached' })
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a value that can’t be looked for is refused where it was typed, and stays there', async () => {
    const { id } = await person.client.lists.create({ body: { name: 'Patterns' } })
    const { page } = await opened()
    await visit(page, `lists/${id}`)
    await page.getByLabel('New values').fill('(')
    await page.getByLabel('How they are found').selectOption('pattern')
    await press(page, 'Add 1 value')
    await page.getByRole('alert').waitFor(soon)
    expect(await page.getByLabel('New values').inputValue()).toBe('(')
    await page.context().close()
  })

  test('a rule looks for what is on a list, and a workflow leaves what is on another', async () => {
    const { client } = person
    const [staff, firm] = await Promise.all(
      ['Staff', 'Own firm'].map(title => client.lists.create({ body: { name: title } })),
    )
    await client.lists.add({ list_id: staff!.id, body: { entries: [{ value: 'Yusuf Karahan' }] } })
    const { page, troubles } = await opened()
    await visit(page, 'rules/create')
    await name(page).fill('Our people')
    await page.getByRole('radio', { name: 'List' }).check()
    await page.getByLabel('Which list').selectOption(staff!.id)
    await page.getByLabel('Text to test with').fill('Ask Yusuf Karahan.')
    await press(page, 'Test it')
    await page.locator('mark:has-text("Yusuf Karahan")').waitFor(soon)
    await press(page, 'Save')
    await page.getByRole('link', { name: 'Our people' }).waitFor(soon)
    await visit(page, 'workflows/create')
    await name(page).fill('Letters to the court')
    await page.getByLabel('Add a rule').selectOption({ label: 'Our people' })
    await page.getByLabel('Own firm').check()
    await press(page, 'Save')
    await page.getByRole('link', { name: 'Letters to the court' }).waitFor(soon)
    const [{ config }] = (await client.workflows.list({ body: { search: 'Letters to the court' } })) as [
      Awaited<ReturnType<typeof client.workflows.get>>,
    ]
    expect(config.exclusions).toEqual({ lists: [firm!.id], force: false })
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a schedule takes what is in a folder, writes its results to another, and says what it could not take', async () => {
    const { client, user } = person
    const source = await client.sources.create({ body: { name: 'Exchange', kind: 'LOCAL_ASSET', config: {} } })
    await putFile(user.id, own.service.files, 'inbox/letter.txt', 'Write to ngozi.achterberg@brookside.example\n')
    await putFile(user.id, own.service.files, 'inbox/broken.pdf', '%PDF-1.7 and no more')
    const { page, troubles } = await opened()
    await visit(page, 'schedules/create')
    await name(page).fill('Drop folder')
    await page.getByRole('radio', { name: 'At certain times' }).check()
    await page.getByLabel('Times (cron)').fill('30 2 * * 1-5')
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    await page.getByLabel('Takes from').selectOption(source.id)
    await page.getByLabel('Folder (optional)').fill('inbox')
    await page.getByLabel('Only files called').fill('*')
    await page.getByLabel('Writes results to').selectOption(source.id)
    await page.getByLabel('Folder of the results').fill('outbox')
    await press(page, 'Save')
    await heading(page, 'Drop folder').waitFor(soon)
    const schedule_id = idIn(page)
    expect(await client.schedules.get({ schedule_id })).toMatchObject({
      ...{ cron: '30 2 * * 1-5', rate: null, timezone: 'Europe/Berlin', folder: 'inbox', files: '*' },
      ...{ presetId: 'default', deliver: { sourceId: source.id, folder: 'outbox' }, enabled: true },
    })
    // Files that were changed less than ten seconds ago are left to the next run.
    await vi.waitFor(
      async () => {
        await press(page, 'Run now')
        await page.getByText('2 taken').first().waitFor({ timeout: 6000 })
      },
      { timeout: 120_000, interval: 1000 },
    )
    // What the clock does once a minute.
    await vi.waitFor(
      async () => {
        await own.service.cloud.invoke('pipeline-scheduler', {})
        await page.getByRole('heading', { name: 'Parked' }).waitFor({ timeout: 4000 })
      },
      { timeout: 120_000, interval: 100 },
    )
    await page.getByText('1 delivered').waitFor(soon)
    await press(page, 'Take again: inbox/broken.pdf')
    await page.getByRole('heading', { name: 'Parked' }).waitFor({ state: 'detached' })
    await page.getByLabel('Only files called').fill('')
    await page.getByRole('radio', { name: 'Every so often' }).check()
    await page.getByLabel('Every', { exact: true }).fill('6')
    await page.getByLabel('Unit').selectOption('hours')
    await page.getByLabel('It runs by itself').uncheck()
    await press(page, 'Save')
    await page.getByText('paused').waitFor(soon)
    expect(await client.schedules.get({ schedule_id })).toMatchObject({
      ...{ cron: null, rate: '6 hours', files: '', enabled: false, presetId: 'default' },
    })
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a webhook is made, tried, given a new secret, and shows what it was sent', async () => {
    const { client } = person
    const { url, received, close } = await startReceiver()
    onTestFinished(close)
    const { page, troubles } = await opened()
    await visit(page, 'webhooks/create')
    await name(page).fill('Tickets')
    await page.getByLabel('Address').fill(url)
    await page.getByLabel('All events').uncheck()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.getByLabel('Job succeeded').check()
    await page.getByLabel('Job cancelled').check()
    await press(page, 'Save')
    expect(await page.getByRole('status').textContent()).toMatch(/shown only now: whsec_/)
    await page.getByRole('link', { name: 'I have kept it' }).click()
    await page.getByText('Nothing was sent yet.').waitFor(soon)
    const webhook_id = idIn(page)
    expect((await client.webhooks.get({ webhook_id })).events).toEqual(['job.succeeded', 'job.cancelled'])
    await press(page, 'Send a test event')
    await page.getByText('The receiver has accepted it.').waitFor(soon)
    await page.locator('.cards li:has-text("webhook.test")').waitFor(soon)
    expect(received).toHaveLength(1)
    await press(page, 'Send again: webhook.test')
    await expect.poll(() => received.length, soon).toBe(2)
    await press(page, 'Make a new one')
    await page.getByText('shown only now: whsec_').waitFor(soon)
    await page.getByText('The one before counts until').waitFor(soon)
    await page.getByLabel('It is called').uncheck()
    await press(page, 'Save')
    await page.getByText('switched off').waitFor(soon)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('an address that nobody answers at is told with its reason', async () => {
    const body = { name: 'Nobody', url: 'http://127.0.0.1:9', events: ['*' as const] }
    const { id } = await person.client.webhooks.create({ body: { ...body, url: 'http://127.0.0.1:1099/hook' } })
    const { page } = await opened()
    await visit(page, `webhooks/${id}`)
    await press(page, 'Send a test event')
    await page.getByText('The receiver has not accepted it.').waitFor(soon)
    await page.locator('.cards .status:has-text("given up")').waitFor(soon)
    expect(await page.locator('.cards li').textContent()).not.toMatch(/[a-z]_[a-z]/)
    await page.context().close()
  })

  test.each(looks)('every screen is accessible and fits: $colorScheme, $viewport.width px', async look => {
    const { client } = person
    const [list, source, { url, close }] = await Promise.all([
      client.lists.create({ body: { name: 'Clients', description: 'Of the firm' } }),
      client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } }),
      startReceiver(),
    ])
    onTestFinished(close)
    const entries = ['Ngozi Achterberg', 'Yusuf Karahan'].map(value => ({ value, why: 'A client since 2019' }))
    await client.lists.add({ list_id: list.id, body: { entries } })
    const settings = { name: 'Nightly', sourceId: source.id, presetId: 'default' as const }
    const schedule = await client.schedules.create({ body: { ...settings, cron: '30 2 * * *', folder: 'in' } })
    await client.schedules.run({ schedule_id: schedule.id })
    const webhook = await client.webhooks.create({ body: { name: 'Tickets', url, events: ['*'], signing: 'ed25519' } })
    await client.webhooks.test({ webhook_id: webhook.id })
    const { page, troubles } = await opened(look)
    const screens: Record<string, () => Promise<unknown>> = {
      lists: () => page.waitForSelector('.cards li'),
      [`lists/${list.id}`]: () => page.waitForSelector('.cards li'),
      schedules: () => page.waitForSelector('.cards li'),
      'schedules/create': () => page.getByLabel('Takes from').selectOption(source.id),
      [`schedules/${schedule.id}`]: () => page.waitForSelector('.cards .status.succeeded, .cards .status.failed'),
      webhooks: () => page.waitForSelector('.cards li'),
      'webhooks/create': () => page.getByLabel('All events').uncheck(),
      [`webhooks/${webhook.id}`]: () => page.waitForSelector('.cards li'),
    }
    for (const [screen, fill] of Object.entries(screens)) {
      await visit(page, screen)
      await fill()
      expect([screen, await violations(page)]).toEqual([screen, []])
      await fits(page)
      await picture(page, `${screen.replace(/\/[-0-9a-f]{36}/, '-one').replace('/', '-')}-${look.viewport.width}`)
      if (screen.endsWith('/create')) await page.getByRole('link', { name: 'Cancel' }).click()
    }
    expect(troubles).toEqual([])
    await page.context().close()
  })
})
