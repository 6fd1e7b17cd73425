import { beforeAll, describe, expect, test } from 'vitest'
import { deployed } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { hasBrowser, logIn, openPage, soon, useBrowser } from './browser.ts'

describe.skipIf(!hasBrowser || deployed)('dates and numbers', { timeout: 120_000 }, () => {
  const own = useBrowser()
  let person: Person
  let createdAt = ''
  beforeAll(async () => {
    person = await own.service.person()
    const files = [{ name: 'a.txt', content: 'Nothing is in it.' }]
    const { id } = await person.client.jobs.upload({ body: { name: 'Letters', presetId: 'default' }, files })
    createdAt = (await person.client.jobs.get({ job_id: id })).createdAt
  })

  test.each([
    { languages: ['en-GB', 'en-US', 'en'], shown: 'en', written: 'en-GB' },
    { languages: ['de-DE', 'en-AU', 'en'], shown: 'en', written: 'en-AU' },
    { languages: ['en-US'], shown: 'en', written: 'en-US' },
    { languages: ['en-GB', 'de-AT'], shown: 'de', written: 'de-AT' },
    { languages: ['fr-FR', 'en_US@posix'], shown: 'en', written: 'en' },
    { languages: ['en-GB'], shown: 'de', written: 'de' },
  ])('are written as the browser has them in the language of the console: $shown of $languages', async one => {
    const { page, troubles } = await openPage(own.browser, { timezoneId: 'UTC' })
    await page.addInitScript(
      `Object.defineProperty(navigator, 'languages', { value: ${JSON.stringify(one.languages)} })
       localStorage.setItem('language', '${one.shown}')`,
    )
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs`)
    const format = new Intl.DateTimeFormat(one.written, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
    const plain = (text: string) => text.replaceAll(/\s/g, ' ')
    await page.waitForSelector('td.when', soon)
    expect(plain((await page.textContent('td.when'))!)).toBe(plain(format.format(new Date(createdAt))))
    expect(await page.getAttribute('html', 'lang')).toBe(one.shown)
    expect(troubles).toEqual([])
    await page.context().close()
  })
})
