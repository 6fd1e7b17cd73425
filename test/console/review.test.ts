import { beforeAll, describe, expect, test } from 'vitest'
import { deployed } from '../api/deployed.ts'
import { redeploy } from '../api/redeployed.ts'
import type { Person } from '../api/setup.ts'
import { jobUntil } from '../api/waiting.ts'
import { fits, hasBrowser, logIn, looks, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture, type Reviewing, saved, startReviewing } from './under-review.ts'

const letter = 'Write to zyada@example.org or zybob@example.org.\nNot to Zymargaret, again zyada@example.org.\n'
const table = 'name,mail\nAda,zyada@example.org\nBob,zybob@example.org\nAda,zyada@example.org\n'

describe.skipIf(!hasBrowser || deployed)('a review in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let owner: Person
  let reviewer: Person
  let waitingJob: Reviewing['waitingJob']
  let open: Reviewing['open']
  let outputOf: (job: string) => Promise<string>
  beforeAll(async () => {
    const reviewing = await startReviewing(own.service)
    ;({ owner, reviewer, waitingJob, open } = reviewing)
    outputOf = async job => (await reviewing.outputOf(job)).text()
  })

  test('is asked for with the job, done by keyboard alone, and nothing of it stays in the browser', async () => {
    const asking = await openPage(own.browser)
    await logIn(asking.page, own.service.baseUrl, owner)
    expect(await asking.page.getByRole('link', { name: 'Reviews' }).count()).toBe(0)
    await asking.page.setInputFiles('input[type=file] >> nth=0', [
      { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from(letter) },
    ])
    await asking.page.getByLabel('What is replaced').selectOption({ label: 'Mail DOCUMENT (Documents)' })
    await asking.page.getByLabel('Review before release').selectOption({ index: 1 })
    await asking.page.click('button[type=submit]')
    await asking.page.waitForSelector('.status:has-text("Waits for review")', { timeout: 120_000 })
    await picture(asking.page, 'job-waits')
    const job = asking.page.url().split('/').at(-1)!

    const { page, troubles } = await openPage(own.browser, { viewport: { width: 1280, height: 900 } })
    await logIn(page, own.service.baseUrl, reviewer)
    await page.getByRole('link', { name: /waits? for a review/ }).press('Enter')
    await page.locator(`a[href$="${job}"]`).press('Enter')
    await page.waitForSelector('.finding:focus')
    await page.keyboard.press('r')
    await page.keyboard.press('e')
    await page.keyboard.type('CONTACT')
    await page.keyboard.press('Enter')
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await page.keyboard.press('n')
    await page.keyboard.type('Zymargaret')
    await page.keyboard.press('Tab')
    await page.keyboard.type('PERSON')
    await page.keyboard.press('Enter')
    await page.waitForSelector('mark.added')
    expect(await page.textContent('mark.added')).toBe('Zymargaret')
    await page.keyboard.press('Shift+R')
    await expect.poll(() => page.locator('mark.reject').count(), soon).toBe(3)
    await page.keyboard.press('u')
    await expect.poll(() => page.locator('mark.reject').count(), soon).toBe(1)
    await saved(page)
    expect(await page.locator('mark').evaluateAll(marks => marks.map(mark => mark.getAttribute('data-label')))).toEqual(
      ['E-mail', 'CONTACT', 'PERSON', 'E-mail'],
    )
    await picture(page, 'review-1280')
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.title, history.state])',
    )
    expect(kept).not.toMatch(/zy|Zy|letter|eyJ/)
    await page.getByRole('button', { name: 'Release the job' }).press('Enter')
    await page.waitForSelector('text=The files are being made')
    expect(await outputOf(job)).toBe('Write to zyada@example.org or [CONTACT].\nNot to [PERSON], again [E-mail].\n')
    expect([...troubles, ...asking.troubles]).toEqual([])
    await asking.page.context().close()
    await page.context().close()
  })

  test('the caps lock and keys that are held decide on no more than one finding', async () => {
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, reviewer)
    await open(page, await waitingJob([{ name: 'a.txt', content: letter }]))
    const press = (init: object) => page.locator('.finding:focus').dispatchEvent('keydown', init)
    await page.waitForSelector('.finding:focus')
    await press({ key: 'R' })
    await expect.poll(() => page.locator('.finding.reject').count(), soon).toBe(1)
    await press({ key: 'a', repeat: true })
    await press({ key: 'ArrowDown', repeat: true })
    expect(await page.locator('.finding.accept').count()).toBe(0)
    await press({ key: 'a', shiftKey: true })
    await expect.poll(() => page.locator('.finding.accept').count(), soon).toBe(3)
    await saved(page)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('decisions that the service did not get are shown as such once it answers, and nothing is released before', async () => {
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, reviewer)
    const job = await waitingJob([{ name: 'a.txt', content: letter }])
    await open(page, job)
    await page.context().setOffline(true)
    await page.keyboard.press('r')
    await page.waitForSelector('[role=alert]')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Release the job' }).click()
    await page.waitForSelector('.ending [role=alert]')
    expect((await reviewer.client.jobs.review({ job_id: job })).review.state).toBe('waiting')
    expect(await page.locator('.finding.reject').count()).toBe(0)
    await open(page, job)
    await page.context().setOffline(true)
    await page.keyboard.press('r')
    await page.waitForSelector('[role=alert]')
    await page.context().setOffline(false)
    // It looks again by itself.
    await expect.poll(() => page.locator('.finding.reject').count(), soon).toBe(0)
    await page.context().close()
  })

  test.each(looks)('is accessible and fits, documents and tables: $colorScheme, $viewport.width px', async look => {
    const jobs = {
      document: await waitingJob([{ name: 'a.txt', content: letter.repeat(40) }]),
      table: await waitingJob([{ name: 'a.csv', content: table }], 'TABLE'),
    }
    const { page, troubles } = await openPage(own.browser, look)
    await logIn(page, own.service.baseUrl, reviewer)
    await page.goto(`${own.service.baseUrl}/api/console/#/reviews`)
    await page.waitForSelector('.cards li')
    expect(await violations(page)).toEqual([])
    await fits(page)
    await picture(page, `reviews-${look.viewport.width}`)
    for (const [name, job] of Object.entries(jobs)) {
      await open(page, job)
      await page.keyboard.press('a')
      await page.keyboard.press('r')
      await saved(page)
      expect([name, await violations(page)]).toEqual([name, []])
      await fits(page)
      await picture(page, `review-${name}-${look.viewport.width}`)
    }
    await page.keyboard.press('n')
    await page.waitForSelector('dialog')
    expect(await violations(page)).toEqual([])
    await fits(page)
    await picture(page, `review-add-${look.viewport.width}`)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('adds the place that is selected, and decides by value, by label and by column', async () => {
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, reviewer)
    const job = await waitingJob([{ name: 'a.txt', content: letter }])
    await open(page, job)
    await page.evaluate(`{
      const text = [...document.querySelector('[data-text]').childNodes].find(node => node.data?.includes('Zymargaret'))
      const at = text.data.indexOf('Zymargaret')
      getSelection().setBaseAndExtent(text, at, text, at + 'Zymargaret'.length)
    }`)
    await page.getByRole('button', { name: /^Add/ }).click()
    await page.getByLabel('Label').last().fill('PERSON')
    await page.keyboard.press('Enter')
    await page.waitForSelector('mark.added')
    await page.getByLabel('By value').check()
    await expect.poll(() => page.locator('.finding').count(), soon).toBe(2)
    await page.locator('.finding:has-text("zyada")').click()
    await page.keyboard.press('r')
    await expect.poll(() => page.locator('mark.reject').count(), soon).toBe(2)
    await saved(page)
    await page.getByRole('button', { name: 'Release the job' }).click()
    expect(await outputOf(job)).toBe(letter.replace('zybob@example.org', '[E-mail]').replace('Zymargaret', '[PERSON]'))

    const second = await waitingJob([{ name: 'a.csv', content: table }], 'TABLE')
    await open(page, second)
    await page.locator('.finding:has-text("zyada")').click()
    await page.keyboard.press('r')
    await page.keyboard.press('n')
    await page.getByLabel(/^Value/).fill('Bob')
    await page.getByLabel('Label').last().fill('PERSON')
    await page.getByLabel('Only in the column').fill('name')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.additions li')
    await saved(page)
    await page.getByRole('button', { name: 'Release the job' }).click()
    expect(await outputOf(second)).toBe('name,mail\nAda,zyada@example.org\n[PERSON],[E-mail]\nAda,zyada@example.org\n')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('puts a value on a list for later jobs', async () => {
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, reviewer)
    const job = await waitingJob([{ name: 'a.txt', content: letter }])
    await open(page, job)
    await page.locator('.finding:has-text("zybob")').click()
    await page.keyboard.press('l')
    await page.getByRole('textbox', { name: 'Name' }).fill('Known partners')
    expect(await violations(page)).toEqual([])
    await picture(page, 'review-remember')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('mark.reject').count(), soon).toBe(1)
    await saved(page)
    const [list] = await reviewer.client.lists.list({ body: { search: 'Known partners' } })
    const entries = await reviewer.client.lists.entries({ list_id: list!.id })
    expect(entries.map(({ value }) => value)).toEqual(['zybob@example.org'])
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('passes from one person to another, and shows each what the other has decided', async () => {
    const job = await waitingJob([{ name: 'a.txt', content: letter }], 'DOCUMENT', 2)
    const other = await own.service.person('admin')
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, reviewer)
    await open(page, job)
    await other.client.jobs.decide({
      job_id: job,
      body: { decisions: [{ action: 'reject', value: 'zybob@example.org' }] },
    })
    // The page looks for it every few seconds; a release before that is refused.
    await expect.poll(() => page.locator('mark.reject').count(), soon).toBe(1)
    await page.getByRole('button', { name: 'Release and pass on' }).click()
    await page.waitForSelector('text=A second person must do so too')
    const { review } = await other.client.jobs.review({ job_id: job })
    expect(review.approvals.map(({ userId }) => userId)).toEqual([reviewer.user.id])
    await other.client.jobs.release({ job_id: job, body: { version: review.version } })
    expect(await outputOf(job)).toContain('or zybob@example.org')
    await page.context().close()
  })

  test('stays usable with ten thousand findings', async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => `Line ${n} names zy${n}@example.org in the middle of it.`)
    const job = await waitingJob([{ name: 'a.txt', content: lines.join('\n') }])
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, reviewer)
    await open(page, job)
    await expect.poll(() => page.textContent('.progress'), soon).toContain('0 of 10000 decided')
    expect(await page.locator('body *').count()).toBeLessThan(1500)
    await page.getByLabel('Search').fill('zy9999@')
    await expect.poll(() => page.locator('.finding').count(), soon).toBe(1)
    await page.locator('.finding').click()
    expect(await page.textContent('mark.current')).toBe('zy9999@example.org')
    await page.keyboard.press('r')
    await page.getByLabel('Search').fill('')
    await page.getByLabel('Undecided only').check()
    await page.getByLabel('Undecided only').uncheck()
    await expect.poll(() => page.textContent('.progress'), soon).toContain('1 of 10000 decided')
    await page.locator('.finding').first().click()
    await page.keyboard.press('Shift+A')
    await expect.poll(() => page.textContent('.progress'), soon).toContain('10000 of 10000 decided')
    await page.keyboard.press('u')
    await expect.poll(() => page.textContent('.progress'), soon).toContain('1 of 10000 decided')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('looks for nothing while the job is being released', async () => {
    const job = await waitingJob([{ name: 'letter.txt', content: letter }])
    const { page, troubles } = await openPage(own.browser)
    await page.clock.install()
    await logIn(page, own.service.baseUrl, reviewer)
    await open(page, job)
    const looks: string[] = []
    page.on('request', request => request.url().endsWith('/review') && looks.push(request.url()))
    await page.clock.fastForward(11_000)
    await expect.poll(() => looks.length, soon).toBeGreaterThan(0)
    const held = Promise.withResolvers<void>()
    await page.route('**/review/release', async route => {
      await held.promise
      await route.continue()
    })
    const asked = page.waitForRequest('**/review/release')
    await page.getByRole('button', { name: 'Release the job' }).click()
    await asked
    const before = looks.length
    await page.clock.fastForward(60_000)
    held.resolve()
    await page.waitForSelector('text=The files are being made')
    expect(looks.length).toBe(before)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('says that all was proposed anew, and adds again what is not found any more', async () => {
    const job = await waitingJob([{ name: 'letter.txt', content: letter }])
    const { client } = owner
    await redeploy(own.service, await client.jobs.get({ job_id: job }), 'zyada@example.org')
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, reviewer)
    await open(page, job)
    expect(await page.textContent('section.review')).not.toContain('The program has changed')
    await page.getByRole('button', { name: 'Release the job' }).click()
    await page.waitForSelector('text=The files are being made')
    await jobUntil(client, job, ({ review }) => review!.state === 'waiting' && review!.round === 1)
    await page.reload()
    await page.waitForSelector('.finding')
    expect(await page.textContent('section.review > .note')).toContain(
      '1 thing that was to be replaced is not found any more.',
    )
    expect(await page.locator('.additions .value').allTextContents()).toEqual(['zybob@example.org'])
    await picture(page, 'review-again')
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.waitForSelector('mark.added')
    await expect.poll(() => page.locator('summary', { hasText: 'Not found any more' }).count(), soon).toBe(0)
    await saved(page)
    await page.getByRole('button', { name: 'Release the job' }).click()
    await page.waitForSelector('text=The files are being made')
    expect(await outputOf(job)).toBe('Write to [E-mail] or [E-mail].\nNot to Zymargaret, again [E-mail].\n')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('rejects a job in German, after a question', async () => {
    const job = await waitingJob([{ name: 'a.txt', content: letter }])
    const { page, troubles } = await openPage(own.browser, { locale: 'de-DE' })
    page.on('dialog', dialog => dialog.accept())
    await logIn(page, own.service.baseUrl, reviewer)
    await open(page, job)
    await page.locator('summary', { hasText: 'Den ganzen Auftrag ablehnen' }).press('Enter')
    await page.getByRole('button', { name: 'Den ganzen Auftrag ablehnen' }).press('Enter')
    await page.waitForSelector('text=Abgelehnt.')
    expect((await owner.client.jobs.get({ job_id: job })).errors[0]!.type).toBe('review_rejected')
    expect(troubles).toEqual([])
    await page.context().close()
  })
})
