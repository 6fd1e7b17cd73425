import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { deployed } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { fits, hasBrowser, logIn, looksInGerman, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

describe.skipIf(!hasBrowser || deployed)('what could not be loaded', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let person: Person
  let admin: Person
  const ids = { rule: '', job: '' }
  beforeAll(async () => {
    person = await own.service.person()
    admin = await own.service.person('admin')
    const { client } = person
    const config = { regexRuleConfig: { pattern: '[0-9]{6}' } }
    ids.rule = (await client.rules.create({ body: { name: 'Numbers', type: 'REGEX', config } })).id
    const files = [{ name: 'a.txt', content: 'Nothing is in it.' }]
    ids.job = (await client.jobs.upload({ body: { name: 'Letters', presetId: 'default' }, files })).id
  })

  const visit = (page: Page, screen: string) => page.goto(`${own.service.baseUrl}/api/console/#/${screen}`)
  const again = (page: Page) => page.getByRole('button', { name: 'Try again' })
  /** What has the focus, by the text that it shows. */
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')
  const everything = /\/api\/(?!console|auth)/
  /** The service fails, or the network does, whenever something is asked for. */
  const breakAll = (page: Page, how: 'network' | 'service') =>
    page.route(everything, route =>
      how === 'network' ? route.abort() : route.fulfill({ status: 503, json: { detail: [] } }),
    )

  test.each(['network', 'service'] as const)('is loaded again on every screen when asked for: %s', async how => {
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, admin)
    await page.waitForLoadState('networkidle')
    const screens: [screen: string, told: string][] = [
      ['jobs', 'Jobs'],
      ['reviews', 'Reviews'],
      ['rules', 'Rules'],
      ['rules/create', 'Rules'],
      ['workflows', 'Workflows'],
      ['workflows/create', 'Workflows'],
      ['lists', 'Lists'],
      ['sources', 'Sources'],
      ['schedules', 'Schedules'],
      ['schedules/create', 'Schedules'],
      ['webhooks', 'Webhooks'],
      ['users', 'Users'],
      ['roles', 'Roles'],
      ['roles/create', 'Roles'],
      ['accounts', 'Service accounts'],
      ['accounts/create', 'Service accounts'],
      ['recoveries', 'Recover values'],
      ['audit', 'Audit trail'],
      ['notifications', 'Notifications'],
      ['reference', 'API reference'],
      [`jobs/${ids.job}`, 'Jobs'],
      [`rules/${ids.rule}`, 'Rules'],
      ['new', 'What is replaced'],
    ]
    for (const [screen, told] of screens) {
      await breakAll(page, how)
      await visit(page, screen)
      await page.getByText(`This could not be loaded: ${told}`).waitFor(soon)
      expect([screen, await page.getByRole('alert').count(), await page.locator('h1').count()]).toEqual([screen, 1, 1])
      await page.unroute(everything)
      await again(page).click()
      await expect.poll(() => page.getByRole('alert').count(), soon).toBe(0)
      // Not lost with the button: somewhere in what came.
      await expect.poll(() => page.evaluate('document.activeElement !== document.body'), soon).toBe(true)
      expect(await page.locator('main :focus, main:focus').count()).toBe(1)
    }
    await page.context().close()
  })

  test.each(looksInGerman)('says so to everybody: $viewport.width px', async look => {
    const isGerman = look.locale === 'de-DE'
    const { page } = await openPage(own.browser, look)
    await logIn(page, own.service.baseUrl, person)
    await breakAll(page, 'network')
    for (const screen of ['jobs', `rules/${ids.rule}`, 'new']) {
      await visit(page, screen)
      const button = page.getByRole('button', { name: isGerman ? 'Noch einmal versuchen' : 'Try again' })
      await button.waitFor(soon)
      expect(await violations(page)).toEqual([])
      await fits(page)
      await picture(page, `again-${screen.split('/')[0]}-${look.viewport.width}`)
    }
    await page.context().close()
  })

  /** Counts what programs that read the screen are told from now on. */
  const countAlerts = (page: Page) =>
    page.evaluate(`{
      globalThis.told = 0
      new MutationObserver(changes => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) if (node.role === 'alert') globalThis.told++
      }).observe(document.body, { childList: true, subtree: true })
    }`)

  test('keeps the focus on the button while it fails, and is told once a try', async () => {
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await breakAll(page, 'service')
    await visit(page, 'rules')
    await again(page).waitFor(soon)
    await countAlerts(page)
    for (const time of [1, 2]) {
      await again(page).press('Enter')
      await expect.poll(() => page.evaluate('told'), soon).toBe(time)
      expect(await focused(page)).toBe('Try again')
    }
    await page.unroute(everything)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.cards li:has-text("Numbers")')
    await expect.poll(() => focused(page), soon).toContain('Numbers')
    await page.context().close()
  })

  test('is told once where the page asks again by itself, and is gone when that succeeds', async () => {
    const { page } = await openPage(own.browser)
    await page.clock.install()
    await logIn(page, own.service.baseUrl, admin)
    await breakAll(page, 'service')
    await visit(page, 'reviews')
    await again(page).waitFor(soon)
    await countAlerts(page)
    for (const _ of [1, 2, 3]) {
      const answer = page.waitForResponse('**/api/reviews/**')
      await page.clock.runFor(10_000)
      await answer
    }
    expect(await page.evaluate('told')).toBe(0)
    await page.unroute(everything)
    await page.clock.runFor(10_000)
    await expect.poll(() => page.getByRole('alert').count(), soon).toBe(0)
    await page.context().close()
  })

  test('of what stands on the page of a job or a source is loaded again there', async () => {
    const { client } = person
    const files = [{ name: 'a.txt', content: 'Dear Ms Ngozi Achterberg,\n' }]
    const { id } = await client.jobs.upload({ body: { name: 'Done', presetId: 'default' }, files })
    await client.jobs.execute({ job_id: id })
    await expect
      .poll(async () => (await client.jobs.get({ job_id: id })).status, { timeout: 120_000 })
      .toBe('SUCCEEDED')
    const source = await admin.client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, admin)
    const lookAt = async (screen: string, parts: [button: string, told: string, shown: string][]) => {
      await visit(page, screen)
      for (const [button, told, shown] of parts) {
        await page.getByRole('button', { name: button, exact: true }).waitFor(soon)
        await breakAll(page, 'network')
        await page.getByRole('button', { name: button, exact: true }).click()
        await page.getByText(`This could not be loaded: ${told}`).waitFor(soon)
        await page.unroute(everything)
        await again(page).click()
        await page.locator(shown).first().waitFor(soon)
        expect([button, await page.getByRole('alert').count()]).toEqual([button, 0])
      }
    }
    await lookAt(`jobs/${id}`, [
      ['Report', 'Report', '.report table.bars'],
      ['Compare', 'Before, After', 'figure del'],
      ['Show findings', 'Findings', 'td:has-text("PERSON")'],
      ['Certificate', 'Certificate', 'text=Signed by the key'],
      ['Try another workflow', 'Workflow or preset', 'button:has-text("Search again")'],
    ])
    await lookAt(`sources/${source.id}`, [['Look into the source', 'Content', 'text=There is nothing in it.']])
    await page.context().close()
  })

  test('is not offered again where that cannot help', async () => {
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await visit(page, 'jobs/00000000-0000-4000-8000-000000000000')
    await page.getByRole('alert').waitFor(soon)
    expect(await again(page).count()).toBe(0)
    await page.context().close()
  })

  test('of the console itself is fetched again too', async () => {
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.route('**/later-*.js', route => route.abort())
    await visit(page, 'reference')
    await page.getByText('This could not be loaded: API reference').waitFor(soon)
    await page.unroute('**/later-*.js')
    await again(page).click()
    await page.getByRole('heading', { name: 'API reference' }).waitFor(soon)
    await page.getByRole('searchbox').waitFor(soon)
    await page.context().close()
  })

  test('of a job under review is read again where it is', async () => {
    const { client } = person
    const files = [{ name: 'a.txt', content: 'Dear Ms Ngozi Achterberg,\n' }]
    const { id } = await client.jobs.upload({ body: { name: 'Held', presetId: 'default' }, files })
    await client.jobs.update({ job_id: id, body: { review: { approvers: 1 } } })
    await client.jobs.execute({ job_id: id })
    await expect
      .poll(async () => (await client.jobs.get({ job_id: id })).review?.state, { timeout: 120_000 })
      .toBe('waiting')
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, admin)
    await breakAll(page, 'service')
    await visit(page, `reviews/${id}`)
    await page.getByText('This could not be loaded: Reviews').waitFor(soon)
    await page.unroute(everything)
    await page.route('**/proposals?**', route => route.fulfill({ status: 500, json: {} }))
    await again(page).click()
    await page.getByText('This could not be loaded: File').waitFor(soon)
    await page.unroute('**/proposals?**')
    await again(page).click()
    await page.waitForSelector('.finding')
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  })
})
