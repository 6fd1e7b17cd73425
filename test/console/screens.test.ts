import iconv from 'iconv-lite'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { encodePage } from '../../shared/engine/formats/image/codecs.ts'
import { deployed } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { typedPicture } from '../engine/formats/picture-samples.ts'
import { fits, hasBrowser, logIn, looks, openPage, soon, useBrowser, violations } from './browser.ts'

const letter = {
  name: 'letter.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from('Dear Ms Ngozi Achterberg,\n\nplease write to ngozi.achterberg@brookside.example soon.\n'),
}

describe.skipIf(!hasBrowser || deployed)('in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let person: Person
  beforeAll(async () => {
    person = await own.service.person()
    const { client } = person
    const rule = await client.rules.create({
      body: { name: 'E-mail', type: 'REGEX', config: { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+' } } },
    })
    await client.workflows.create({
      body: {
        name: 'Letters',
        supportedAssetType: 'DOCUMENT',
        config: { rules: [{ ruleId: rule.id, replacement: { text: '[MAIL]' } }] },
      },
    })
  })

  test('a first file is anonymised, compared and downloaded with three clicks, and nothing of it stays in the browser', async () => {
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.setInputFiles('input[type=file] >> nth=0', [letter])
    await page.click('button[type=submit]')
    await page.waitForSelector('.status.succeeded', { timeout: 120_000 })
    await page.click('text=Compare')
    await page.waitForSelector('ins')
    expect(await page.textContent('figure >> nth=0')).toContain('Ngozi Achterberg')
    const after = await page.textContent('figure >> nth=1')
    expect(after).toContain('[EMAIL]')
    expect(after).not.toContain('chterberg')
    const download = page.waitForEvent('download')
    await page.click('button:has-text("Download")')
    expect((await download).suggestedFilename()).toBe('letter.txt')
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.title])',
    )
    expect(kept).not.toMatch(/chterberg|letter|eyJ/)
    const stores = 'Promise.all([indexedDB.databases(), caches.keys()]).then(kept => kept.flat().length)'
    expect(await page.evaluate(stores)).toBe(0)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('somebody new gets the first file anonymised with three clicks from the log-in on', async () => {
    const { page, troubles } = await openPage(own.browser)
    await page.addInitScript(
      "addEventListener('click', () => sessionStorage.setItem('clicks', sessionStorage.getItem('clicks') + 1))",
    )
    await page.goto(`${own.service.baseUrl}/api/console/`)
    await page.fill('input[type=email]', person.user.email)
    await page.fill('input[type=password]', person.password)
    await page.click('button[type=submit]')
    await page.waitForSelector('.drop')
    await page.evaluate("sessionStorage.setItem('clicks', '')")
    const chooser = page.waitForEvent('filechooser')
    await page.click('text=Choose files')
    await (await chooser).setFiles([letter])
    await page.click('button[type=submit]')
    await page.waitForSelector('.status.succeeded', { timeout: 120_000 })
    const download = page.waitForEvent('download')
    await page.click('button:has-text("Download")')
    expect((await download).suggestedFilename()).toBe('letter.txt')
    // Each is one click; choosing files makes one more, which the page sends to its field.
    expect((await page.evaluate<string>("sessionStorage.getItem('clicks')")).length).toBeLessThanOrEqual(4)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a session goes on after the page is loaded again, by a cookie that no program can read', async () => {
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.reload()
    await page.waitForSelector('.drop')
    const [cookie] = await page.context().cookies(`${own.service.apiUrl}/auth/refresh`)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/auth' })
    await page.goto(`${own.service.baseUrl}/api/console/#/account`)
    // What the page still asks for when its session ends is refused.
    await page.waitForLoadState('networkidle')
    await page.click('text=Log out')
    await page.waitForSelector('input[type=email]')
    expect(await page.context().cookies(`${own.service.apiUrl}/auth/refresh`)).toEqual([])
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a folder of more files than a form takes makes one job, without what systems put into folders', async () => {
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    const texts = Array.from({ length: 22 }, (_, n) => ({ ...letter, name: `${n}.txt` }))
    const besides = [
      { ...letter, name: '.DS_Store' },
      { ...letter, name: 'empty.txt', buffer: Buffer.alloc(0) },
    ]
    await page.setInputFiles('input[type=file] >> nth=0', [...texts, ...besides])
    await page.getByText('Left out, because there is nothing in it: empty.txt').waitFor()
    // Whoever looks at something else before finds them again.
    await page.getByLabel('Review before release').selectOption({ index: 1 })
    await page.getByRole('link', { name: 'Rules', exact: true }).click()
    await page.getByRole('heading', { name: 'Rules' }).waitFor()
    await page.goBack()
    expect(await page.getByLabel('Review before release').inputValue()).toBe('1')
    await page.getByLabel('Review before release').selectOption({ index: 0 })
    await page.getByRole('button', { name: 'Anonymise 22 files' }).click()
    await page.waitForURL(/#\/jobs\/[0-9a-f-]+/)
    const job_id = page.url().split('/').at(-1)!
    const { Assets } = await person.client.jobs.get({ job_id })
    expect(new Set(Assets.map(({ name }) => name))).toEqual(new Set(texts.map(({ name }) => name)))
    await person.client.jobs.cancel({ job_id }).catch(() => {})
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test.each(looks)(
    'a job that only looks shows where something stands, and no value: $viewport.width px',
    async look => {
      const { page, troubles } = await openPage(own.browser, look)
      await logIn(page, own.service.baseUrl, person)
      await page.setInputFiles('input[type=file] >> nth=0', [letter])
      await page.getByLabel('Only show').check()
      await page.getByRole('button', { name: 'Look into 1 file' }).click()
      await page.waitForSelector('td:has-text("EMAIL")', { timeout: 120_000 })
      expect(await page.textContent('main')).not.toMatch(/chterberg|brookside/)
      expect(await page.getByRole('button', { name: 'Download' }).count()).toBe(0)
      expect(await violations(page)).toEqual([])
      await fits(page)
      if (process.env.SCREENSHOTS)
        await page.screenshot({
          path: `${process.env.SCREENSHOTS}/findings-${look.viewport.width}.png`,
          fullPage: true,
        })
      await page.getByLabel('Label').selectOption('PERSON')
      await expect.poll(() => page.locator('td:has-text("EMAIL")').count(), soon).toBe(0)
      expect(await page.locator('tbody td:has-text("PERSON")').count()).toBeGreaterThan(0)
      expect(troubles).toEqual([])
      await page.context().close()
    },
  )

  test('a job whose files could not be sent is erased, and one whose upload broke off says so', async () => {
    const other = await own.service.person()
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, other)
    await page.route('**/*', route => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
    const large = { ...letter, buffer: Buffer.from('Dear Ms Achterberg\n'.repeat(200_000)) }
    await page.setInputFiles('input[type=file] >> nth=0', [large])
    await page.click('button[type=submit]')
    await page.waitForSelector('[role=alert]')
    expect(await page.locator('.files li').count()).toBe(1)
    expect(await other.client.jobs.list({ body: {} })).toEqual([])
    const body = { name: 'Broken off', files: [{ filename: 'a.txt', size: 5_000_000 }] }
    const { id } = await other.client.jobs.uploads({ body })
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${id}`)
    await page.getByText('The files are still being uploaded, or that has broken off.').waitFor()
    expect(await page.getByRole('button', { name: 'Anonymise' }).count()).toBe(0)
    await page.context().close()
  })

  test('the report of a picture says in per cent how sure its text was read', async () => {
    const { client } = person
    const content = Uint8Array.from(
      await encodePage(await typedPicture(['Please write to', 'ngozi@brookside.example']), 90),
    )
    const { id } = await client.jobs.upload({ body: { name: 'Scan' }, files: [{ name: 'scan.jpg', content }] })
    const [workflow] = await client.workflows.list({ body: { limit: 1 } })
    await client.jobs.update({ job_id: id, body: { workflowId: workflow!.id } })
    await client.jobs.execute({ job_id: id })
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${id}`)
    await page.click('button:has-text("Report")', { timeout: 120_000 })
    await page.waitForSelector('.report p:has-text("1 page")')
    // Type as clean as this is read with hardly a doubt.
    expect(await page.textContent('.report')).toMatch(/confidence (?:[6-9]\d|100) %/)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('the report of a file counts each label once, whichever rules found it', async () => {
    const { client } = person
    const content =
      'Dear Ms Ngozi Achterberg,\nplease write to ngozi@brookside.example or call +49 30 901820.\nYours, Ada Lovelace\n'
    const body = { name: 'Letter', presetId: 'default' }
    const { id } = await client.jobs.upload({ body, files: [{ name: 'letter.txt', content }] })
    await client.jobs.execute({ job_id: id })
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${id}`)
    await page.click('button:has-text("Report")', { timeout: 120_000 })
    await page.waitForSelector('.report .bars th')
    expect((await page.locator('.report .bars tr').allTextContents()).toSorted()).toEqual([
      'EMAIL1',
      'PERSON2',
      'PHONE1',
    ])
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('the report of an older text says what it was read in', async () => {
    const { client } = person
    const content = Uint8Array.from(iconv.encode('Меня зовут Жуков, пишите на a@b.example.', 'windows-1251'))
    const { id } = await client.jobs.upload({ body: { name: 'Note' }, files: [{ name: 'note.txt', content }] })
    const [workflow] = await client.workflows.list({ body: { limit: 1 } })
    await client.jobs.update({ job_id: id, body: { workflowId: workflow!.id } })
    await client.jobs.execute({ job_id: id })
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${id}`)
    await page.click('button:has-text("Report")', { timeout: 120_000 })
    await page.waitForSelector('.report p:has-text("Read as windows-1251")')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  const screens: Record<string, (page: Page) => Promise<unknown>> = {
    new: page => page.waitForSelector('details'),
    text: async page => {
      await page.click('text=Fill in an example')
      await page.click('button[type=submit]')
      // The first text waits until the models are loaded.
      await page.waitForSelector('mark', { timeout: 200_000 })
    },
    jobs: page => page.waitForSelector('table'),
    rules: page => page.waitForSelector('.cards li'),
    'rules/create': async page => {
      await page.check('text=Model')
      await page.selectOption('select', { index: 1 })
      await page.waitForSelector('legend')
    },
    workflows: page => page.waitForSelector('.cards li'),
    'workflows/create': async page => {
      await page.selectOption('fieldset select', { index: 1 })
      await page.waitForSelector('.entry')
    },
    notifications: page => page.waitForSelector('.cards li'),
    account: page => page.waitForSelector('dl'),
  }
  test.each(looks)('every screen is accessible and fits: $colorScheme, $viewport.width px', async look => {
    const { page, troubles } = await openPage(own.browser, look)
    await logIn(page, own.service.baseUrl, person)
    for (const [name, fill] of Object.entries(screens)) {
      await page.goto(`${own.service.baseUrl}/api/console/#/${name}`)
      await fill(page)
      expect([name, await violations(page)]).toEqual([name, []])
      await fits(page)
      if (name.endsWith('/create')) await page.getByRole('link', { name: 'Cancel' }).click()
    }
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a rule and a workflow are made, and used, by keyboard and in German', async () => {
    const { page, troubles } = await openPage(own.browser, { locale: 'de-DE' })
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/rules/create`)
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.type('Kundennummer')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('K-\\d{4}')
    await page.getByRole('button', { name: 'Speichern' }).press('Enter')
    await page.waitForSelector('text=Kundennummer')
    await page.goto(`${own.service.baseUrl}/api/console/#/workflows/create`)
    await page.getByLabel('Name', { exact: true }).fill('Nur Kunden')
    await page.getByLabel('Regel hinzufügen').selectOption({ label: 'Kundennummer' })
    await page.getByRole('button', { name: 'Speichern' }).press('Enter')
    await page.waitForSelector('text=Nur Kunden')
    const [workflow] = await person.client.workflows.list({ body: { search: 'Nur Kunden' } })
    expect(workflow!.config.rules[0]!.replacement).toEqual({ text: '[KUNDENNUMMER]' })
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('on a phone the menu opens with a button, leads on, and closes; what a job will take is said before', async () => {
    const { page, troubles } = await openPage(own.browser, looks[1])
    await logIn(page, own.service.baseUrl, person)
    const rules = page.getByRole('link', { name: 'Rules', exact: true })
    expect(await rules.isVisible()).toBe(false)
    const opener = page.getByRole('button', { name: /^Menu/ })
    await opener.press('Enter')
    expect(await violations(page)).toEqual([])
    await fits(page)
    await rules.press('Enter')
    await page.getByRole('heading', { name: 'Rules' }).waitFor()
    await expect.poll(() => opener.getAttribute('aria-expanded'), soon).toBe('false')
    expect(await rules.isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Anonymisation' }).click()
    await page.setInputFiles('input[type=file] >> nth=0', [letter])
    await page.getByText(/^Takes about .*second.*Cost on AWS: less than 1 US cent/).waitFor()
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('rules and workflows are deleted from their lists after a question, but no rule that is in use', async () => {
    const other = await own.service.person()
    const config = { regexRuleConfig: { pattern: '\\d{5}' } }
    const { id: ruleId } = await other.client.rules.create({ body: { name: 'Postcode', type: 'REGEX', config } })
    const rules = [{ ruleId, replacement: { remove: {} } }]
    const body = { name: 'Addresses', supportedAssetType: 'DOCUMENT' as const, config: { rules } }
    await other.client.workflows.create({ body })
    const { page } = await openPage(own.browser)
    const asked: string[] = []
    page.on('dialog', dialog => {
      asked.push(dialog.message())
      return dialog.accept()
    })
    await logIn(page, own.service.baseUrl, other)
    const remove = async (screen: string, name: string) => {
      await page.goto(`${own.service.baseUrl}/api/console/#/${screen}`)
      await page.getByRole('button', { name: `Delete: ${name}` }).click()
    }
    await remove('rules', 'Postcode')
    await page.waitForSelector('[role=alert]')
    await remove('workflows', 'Addresses')
    await page.locator('.empty').getByRole('link', { name: 'New workflow' }).waitFor()
    await remove('rules', 'Postcode')
    await page.locator('.empty').getByRole('link', { name: 'New rule' }).waitFor()
    expect(asked).toEqual([
      'Delete the rule “Postcode”?',
      'Delete the workflow “Addresses”?',
      'Delete the rule “Postcode”?',
    ])
    await page.context().close()
  })

  test.each(looks)('empty screens say what they are for and what to do first: $viewport.width px', async look => {
    const { page, troubles } = await openPage(own.browser, look)
    await logIn(page, own.service.baseUrl, await own.service.person())
    const screens = ['jobs', 'rules', 'workflows', 'lists', 'sources', 'schedules', 'webhooks', 'recoveries']
    for (const screen of [...screens, 'notifications']) {
      await page.goto(`${own.service.baseUrl}/api/console/#/${screen}`)
      await page.locator('.empty p').waitFor()
      expect(await page.locator('main a.button').count()).toBe(1)
      expect([screen, await violations(page)]).toEqual([screen, []])
      await fits(page)
    }
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a rule that looks for a list keeps it when its name is changed', async () => {
    const { client } = person
    const { id: listId } = await client.lists.create({ body: { name: 'Staff' } })
    const config = { listRuleConfig: { listId } }
    const rule = await client.rules.create({ body: { name: 'Staff', type: 'LIST', config } })
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/rules/${rule.id}`)
    await expect.poll(() => page.getByLabel('Which list').inputValue(), soon).toBe(listId)
    await page.getByLabel('Name', { exact: true }).fill('People')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'People' }).waitFor()
    const { name, type, config: kept } = await client.rules.get({ rule_id: rule.id })
    expect({ name, type, config: kept }).toMatchObject({ name: 'People', type: 'LIST', config })
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a rule keeps the settings that the form has no field for when its name is changed', async () => {
    const { client } = person
    const configs = {
      REGEX: {
        regexRuleConfig: {
          pattern: '^\\d{5}$',
          flags: 'ims',
          score: 0.3,
          confidence_threshold: 0.4,
          context: [{ words: ['Postcode'], score: 0.9, before: 10, after: 0 }],
        },
      },
      AIMODEL: {
        aiModelRuleConfig: {
          modelId: 'pii-ner',
          modelVersion: '2.2.0',
          modelParameters: { confidence_threshold: 0.6, entities: ['PERSON'], language: 'de' },
        },
      },
    }
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    for (const [type, config] of Object.entries(configs)) {
      const rule = await client.rules.create({ body: { name: type, type, config } as never })
      await page.goto(`${own.service.baseUrl}/api/console/#/rules/${rule.id}`)
      await page.waitForSelector(`h1:has-text("${type}")`)
      await page.getByLabel('Name', { exact: true }).fill(`Renamed ${type}`)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: `Renamed ${type}` }).waitFor()
      const kept = (await client.rules.get({ rule_id: rule.id })).config as Record<string, { flags?: string }>
      if (kept.regexRuleConfig) kept.regexRuleConfig.flags = [...kept.regexRuleConfig.flags!].toSorted().join('')
      expect(kept).toEqual(config)
    }
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('who comes back to a list finds it as they left it, and no page that is empty', async () => {
    const other = await own.service.person()
    const config = { regexRuleConfig: { pattern: '\\d{5}' } }
    for (let n = 0; n < 51; n++) await other.client.rules.create({ body: { name: `Rule ${n}`, type: 'REGEX', config } })
    for (const n of [1, 2]) {
      const files = [{ name: 'a.txt', content: 'Dear Ms Achterberg\n' }]
      await other.client.jobs.upload({ body: { name: `Letters ${n}` }, files })
    }
    const { page, troubles } = await openPage(own.browser)
    page.on('dialog', dialog => dialog.accept())
    await logIn(page, own.service.baseUrl, other)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs`)
    await page.getByLabel('Search').fill('Letters 2')
    await expect.poll(() => page.locator('tbody tr').count(), soon).toBe(1)
    expect(await page.title()).toBe('Jobs – Anonymisation')
    await page.getByRole('link', { name: 'Letters 2' }).click()
    await page.getByRole('heading', { name: 'Letters 2' }).waitFor()
    await page.goBack()
    await expect.poll(() => page.locator('tbody tr').count(), soon).toBe(1)
    expect(await page.getByLabel('Search').inputValue()).toBe('Letters 2')
    await page.goto(`${own.service.baseUrl}/api/console/#/rules`)
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByRole('link', { name: 'Rule 0', exact: true }).click()
    await page.getByRole('heading', { name: 'Rule 0' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Delete: Rule 0', exact: true }).click()
    await page.getByRole('link', { name: 'Rule 50' }).waitFor()
    expect(await page.locator('.cards li').count()).toBe(50)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a notification that is followed is read', async () => {
    const other = await own.service.person()
    const { id: job_id } = await other.client.jobs.upload({
      body: { name: 'Letters', presetId: 'default' },
      files: [{ name: 'a.txt', content: 'Dear Ms Achterberg\n' }],
    })
    await other.client.jobs.execute({ job_id })
    const unread = async () => (await other.client.notifications.list({ body: { filters: { read: false } } })).length
    await expect.poll(unread, { timeout: 120_000 }).toBe(1)
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, other)
    await page.goto(`${own.service.baseUrl}/api/console/#/notifications`)
    await page.locator('.cards a').click()
    await page.getByRole('heading', { name: 'Letters' }).waitFor()
    await expect.poll(unread, soon).toBe(0)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('what the service refuses is shown with its place, and nothing is lost', async () => {
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/rules/create`)
    await page.getByLabel('Name', { exact: true }).fill('Broken')
    await page.getByLabel('Regular expression').fill('(')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForSelector('[role=alert]')
    expect(await page.textContent('[role=alert]')).toMatch(/pattern/i)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Broken')
    await page.context().close()
  })
})
