import { beforeAll, describe, expect, test } from 'vitest'
import { deployed } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { fits, hasBrowser, logIn, looksInGerman, openPage, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

describe.skipIf(!hasBrowser || deployed)('in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let person: Person
  beforeAll(async () => {
    person = await own.service.person()
  })

  test('the reference is there without logging in, and the page at /docs leads to it', async () => {
    const { page, troubles } = await openPage(own.browser)
    await page.goto(`${own.service.apiUrl}/docs`)
    await page.waitForURL('**/console/#/reference')
    await page.getByLabel('Search').fill('rules create')
    await page.getByRole('link', { name: 'Create a rule' }).click()
    await page.waitForURL('**/#/reference/rules_create')
    await page.getByText('Log in to try it here.').waitFor()
    expect(await page.locator('pre').first().textContent()).toContain('curl')
    await page.getByRole('button', { name: 'Python' }).click()
    expect(await page.locator('pre').first().textContent()).toContain('client.rules.create({')
    await page.getByLabel('Search').fill('Retry-After')
    await page.getByLabel('Search').fill('nothing has these words')
    await page.getByText('Nothing has these words.').waitFor()
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('an operation is called with the token of the session, and its answer is shown', async () => {
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/reference/rules_create`)
    await page.getByText('Try it').click()
    const body = { name: 'Tried', type: 'REGEX', config: { regexRuleConfig: { pattern: 'T-\\d+' } } }
    await page.getByLabel('Body').fill('{')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('The body is not JSON.').waitFor()
    await page.getByLabel('Body').fill(JSON.stringify(body))
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForSelector('[role=status] .succeeded:has-text("200")')
    expect(await page.textContent('[role=status] dl')).toContain('x-ratelimit-remaining')
    expect(await person.client.rules.list({ body: { search: 'Tried' } })).toMatchObject([body])
    await page.goto(`${own.service.baseUrl}/api/console/#/reference/rules_get`)
    await page.getByText('Try it').click()
    await page.getByLabel('rule_id').fill('00000000-0000-4000-8000-000000000000')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForSelector('[role=status] .failed:has-text("404")')
    expect(troubles.filter(trouble => !trouble.includes('404'))).toEqual([])
    await page.context().close()
  })

  test.each(looksInGerman)('it is accessible and fits: $colorScheme, $viewport.width px', async look => {
    const { page, troubles } = await openPage(own.browser, look)
    await logIn(page, own.service.baseUrl, person)
    for (const id of ['', 'rules_create', 'jobs_list', 'jobs_upload', 'schema-Job', 'using-rates', 'source-settings']) {
      await page.goto(`${own.service.baseUrl}/api/console/#/reference/${id}`)
      await page.waitForSelector(id ? 'article' : '.reference pre')
      expect([id, await violations(page)]).toEqual([id, []])
      await fits(page)
      await picture(page, `reference-${id}-${look.viewport.width}`)
    }
    expect(troubles).toEqual([])
    await page.context().close()
  })
})
