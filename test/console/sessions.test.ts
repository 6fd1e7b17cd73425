import { beforeAll, describe, expect, test } from 'vitest'
import { deployed } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { fits, hasBrowser, logIn, looksInGerman, openPage, soon, useBrowser, violations } from './browser.ts'

const minutes = 60_000

describe.skipIf(!hasBrowser || deployed)('in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let person: Person
  beforeAll(async () => {
    person = await own.service.person()
  })

  /** Two tabs of one browser, both logged in. */
  const twoTabs = async () => {
    const { page: first, troubles } = await openPage(own.browser)
    await logIn(first, own.service.baseUrl, person)
    const second = await first.context().newPage()
    await second.clock.install()
    await second.goto(`${own.service.baseUrl}/api/console/#/new`)
    await second.waitForSelector('.drop')
    return { first, second, troubles }
  }

  test('tabs that are loaded again together stay logged in, and so does one that is loaded twice at once', async () => {
    const { first, second, troubles } = await twoTabs()
    for (let time = 0; time < 4; time++) {
      await Promise.all([first.reload(), second.reload()])
      await Promise.all([first.waitForSelector('.drop'), second.waitForSelector('.drop')])
    }
    await second.close()
    for (let time = 0; time < 4; time++) {
      const asked = first.waitForRequest('**/auth/refresh')
      await first.reload({ waitUntil: 'commit' })
      await asked
      await first.reload()
      await first.waitForSelector('.drop')
    }
    expect(troubles).toEqual([])
    await first.context().close()
  })

  test('a session ends when no tab is used any more, and then in all of them', async () => {
    const { first, second } = await twoTabs()
    await second.clock.fastForward(14 * minutes)
    await first.keyboard.press('Shift')
    // The other tab hears of it by a message.
    await first.waitForTimeout(500)
    await second.clock.fastForward(14 * minutes)
    await second.getByRole('link', { name: 'Jobs', exact: true }).click()
    await second.waitForSelector('h1:has-text("Jobs")')
    await second.clock.fastForward(15 * minutes)
    for (const page of [first, second]) {
      await page.getByText('Your session has ended.').waitFor(soon)
      expect(await page.locator('input[type=password]').count()).toBe(1)
    }
    expect(await violations(first)).toEqual([])
    await first.context().close()
  })

  test('who logs out is logged out in every tab, without being told that it ended', async () => {
    const { first, second } = await twoTabs()
    await first.click('text=Log out')
    await second.waitForSelector('input[type=password]', soon)
    await first.waitForSelector('input[type=password]')
    expect(await first.getByText('Your session has ended.').count()).toBe(0)
    await first.context().close()
  })

  test.each(looksInGerman)('a service that does not answer ends no session: $viewport.width px', async look => {
    const { page } = await openPage(own.browser, look)
    await logIn(page, own.service.baseUrl, person)
    await page.route('**/auth/refresh', route => route.fulfill({ status: 503, json: {} }))
    await page.reload()
    await page.waitForSelector('[role=alert]:has-text("503")')
    expect(await violations(page)).toEqual([])
    await fits(page)
    await page.unroute('**/auth/refresh')
    await page.click('button')
    await page.waitForSelector('.drop')
    await page.context().close()
  })

  test('a call that finds no time for a renewal says so, and what was typed stays', async () => {
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/rules/create`)
    await page.getByLabel('Name', { exact: true }).fill('Numbers')
    await page.getByLabel('Regular expression').fill('[0-9]{6}')
    await page.route('**/auth/refresh', route =>
      route.fulfill({ status: 429, json: { detail: [{ loc: [], msg: 'Too many requests', type: 'rate_limited' }] } }),
    )
    await page.route('**/rules/', route => route.fulfill({ status: 401, json: { detail: [] } }), { times: 1 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForSelector('[role=alert]:has-text("Too many requests")')
    await page.unroute('**/auth/refresh')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForSelector('.cards li:has-text("Numbers")')
    await page.context().close()
  })

  test('who leaves the form while files are sent stays where they went, and hears of it when that fails', async () => {
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    const send = async (then: 'continue' | 'abort') => {
      let answer = () => {}
      const isLeft = new Promise<void>(resolve => {
        answer = resolve
      })
      await page.route('**/jobs/upload', async route => {
        await isLeft
        await route[then]()
      })
      await page.goto(`${own.service.baseUrl}/api/console/#/new`)
      const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a@b.example') }
      await page.setInputFiles('input[type=file] >> nth=0', [file])
      await page.getByLabel('Name of the job').fill(`Job to ${then}`)
      await page.click('button[type=submit]')
      await page.goto(`${own.service.baseUrl}/api/console/#/rules/create`)
      await page.getByLabel('Name', { exact: true }).fill('Half a rule')
      answer()
      return file
    }
    const started = page.waitForResponse(/\/execute$/)
    await send('continue')
    await started
    await page.waitForTimeout(500)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a rule')
    await page.unroute('**/jobs/upload')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await send('abort')
    await page.getByText('The job “Job to abort” was not started.').waitFor(soon)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a rule')
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await page.getByText('was not started').count()).toBe(0)
    await page.context().close()
  })
})
