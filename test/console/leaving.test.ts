import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { deployed } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { fits, hasBrowser, logIn, looksInGerman, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

const minutes = 60_000

describe.skipIf(!hasBrowser || deployed)('a form that is left', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let person: Person
  let rule = ''
  beforeAll(async () => {
    person = await own.service.person('admin')
    const config = { regexRuleConfig: { pattern: '[0-9]{6}' } }
    rule = (await person.client.rules.create({ body: { name: 'Six digits', type: 'REGEX', config } })).id
  })

  const visit = (page: Page, screen: string) => page.goto(`${own.service.baseUrl}/api/console/#/${screen}`)
  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
  const name = (page: Page) => page.getByLabel('Name', { exact: true })
  const link = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true })
  const heading = (page: Page, title: string) => page.getByRole('heading', { name: title, level: 1, exact: true })
  const stay = (page: Page) => page.getByRole('button', { name: 'Stay here' }).click()
  const leave = (page: Page) => page.getByRole('button', { name: 'Leave without saving' }).click()

  /** Somebody who has come from the jobs to a new rule, and has typed half of it. */
  const halfTyped = async (options: Parameters<typeof openPage>[1] = {}) => {
    const { page, troubles } = await openPage(own.browser, options)
    await logIn(page, own.service.baseUrl, person)
    await visit(page, 'jobs')
    await heading(page, 'Jobs').waitFor(soon)
    await visit(page, 'rules/create')
    await name(page).fill('Half a rule')
    return { page, troubles }
  }
  /** Whether the browser itself would ask before the tab is closed. */
  const holds = (page: Page) =>
    page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))") as Promise<boolean>

  test('by a link asks, stays with all that was typed, and leaves when told to', async () => {
    const { page, troubles } = await halfTyped()
    await link(page, 'Workflows').click()
    await question(page).waitFor(soon)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Stay here')
    await stay(page)
    await page.waitForURL(/#\/rules\/create$/)
    expect(await name(page).inputValue()).toBe('Half a rule')
    await link(page, 'Workflows').click()
    await question(page).waitFor(soon)
    await page.keyboard.press('Escape')
    await page.waitForURL(/#\/rules\/create$/)
    expect(await question(page).count()).toBe(0)
    expect(await name(page).inputValue()).toBe('Half a rule')
    await link(page, 'Workflows').click()
    await leave(page)
    await heading(page, 'Workflows').waitFor(soon)
    expect(page.url()).toMatch(/#\/workflows$/)
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    // What was given up is not asked about again.
    await link(page, 'Jobs').click()
    await heading(page, 'Jobs').waitFor(soon)
    expect(await holds(page)).toBe(false)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('by the way back or forward asks too, and the history stays as it was', async () => {
    const { page } = await halfTyped()
    await page.goBack()
    await question(page).waitFor(soon)
    await stay(page)
    await page.waitForURL(/#\/rules\/create$/)
    expect(await name(page).inputValue()).toBe('Half a rule')
    await page.goBack()
    // Whoever goes back to the form themselves has answered.
    await page.goForward()
    await expect.poll(() => question(page).count(), soon).toBe(0)
    expect(await name(page).inputValue()).toBe('Half a rule')
    await page.goBack()
    await leave(page)
    await heading(page, 'Jobs').waitFor(soon)
    await page.goForward()
    await heading(page, 'New rule').waitFor(soon)
    expect(await name(page).inputValue()).toBe('')
    await name(page).fill('Half')
    await page.goBack()
    await leave(page)
    await page.goForward()
    await page.waitForURL(/#\/rules\/create$/)
    await name(page).fill('Half')
    await link(page, 'Jobs').click()
    await stay(page)
    await page.waitForURL(/#\/rules\/create$/)
    await page.goForward()
    await question(page).waitFor(soon)
    await leave(page)
    await heading(page, 'Jobs').waitFor(soon)
    await page.context().close()
  })

  test('is stayed with in a browser that does not tell where in its history it is', async () => {
    const { page } = await openPage(own.browser)
    await page.addInitScript("Object.defineProperty(globalThis, 'navigation', { value: undefined })")
    await logIn(page, own.service.baseUrl, person)
    await visit(page, 'rules/create')
    await name(page).fill('Half a rule')
    await page.goBack()
    await question(page).waitFor(soon)
    await stay(page)
    await page.waitForURL(/#\/rules\/create$/)
    expect(await name(page).inputValue()).toBe('Half a rule')
    await page.goBack()
    await question(page).waitFor(soon)
    await leave(page)
    await page.waitForSelector('.drop')
    await page.context().close()
  })

  test('by closing or loading the page again asks by the browser, and only then', async () => {
    const { page } = await halfTyped()
    const asked: string[] = []
    page.on('dialog', dialog => {
      asked.push(dialog.type())
      dialog.dismiss()
    })
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => asked, soon).toEqual(['beforeunload'])
    expect(await name(page).inputValue()).toBe('Half a rule')
    await name(page).fill('')
    expect(await holds(page)).toBe(false)
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => page.isClosed(), soon).toBe(true)
    expect(asked).toEqual(['beforeunload'])
  })

  test('is not asked about when nothing is changed, or all is as it was again', async () => {
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    const away = async () => {
      await link(page, 'Jobs').click()
      await heading(page, 'Jobs').waitFor(soon)
      expect(await question(page).count()).toBe(0)
    }
    await visit(page, `rules/${rule}`)
    await heading(page, 'Six digits').waitFor(soon)
    await away()
    await visit(page, `rules/${rule}`)
    await name(page).fill('Seven digits')
    await page.getByLabel('Any case').check()
    expect(await holds(page)).toBe(true)
    await page.getByLabel('Any case').uncheck()
    await name(page).fill('Six digits')
    await page.getByLabel('Text to test with').fill('123456')
    await page.getByRole('button', { name: 'Test it' }).click()
    await page.getByRole('heading', { name: '1 finding' }).waitFor(soon)
    expect(await holds(page)).toBe(false)
    await away()
    await page.context().close()
  })

  test('is not asked about when it is saved or given up', async () => {
    const { page } = await halfTyped()
    await page.getByLabel('Regular expression').fill('[0-9]{6}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForSelector('.cards li:has-text("Half a rule")')
    expect(await question(page).count()).toBe(0)
    await visit(page, 'rules/create')
    await name(page).fill('Another')
    await link(page, 'Cancel').click()
    await heading(page, 'Rules').waitFor(soon)
    expect(await question(page).count()).toBe(0)
    await page.context().close()
  })

  test('is asked about still when the service has refused it', async () => {
    const { page } = await halfTyped()
    await page.getByLabel('Regular expression').fill('(')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor(soon)
    await link(page, 'Workflows').click()
    await question(page).waitFor(soon)
    await page.context().close()
  })

  test('while it is being saved is not asked about any more once that is done', async () => {
    const { page } = await halfTyped()
    await page.getByLabel('Regular expression').fill('[0-9]{6}')
    let answer = () => {}
    const isAsked = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/api/rules/', async route => {
      await isAsked
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await link(page, 'Rules').click()
    await question(page).waitFor(soon)
    answer()
    await heading(page, 'Rules').waitFor(soon)
    expect(await question(page).count()).toBe(0)
    await page.context().close()
  })

  test('has this on every screen with a form', async () => {
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    const screens: [screen: string, field: string][] = [
      ['workflows/create', 'Name'],
      ['sources/create', 'Name'],
      ['lists/create', 'Name'],
      ['webhooks/create', 'Name'],
      ['roles/create', 'Name'],
      ['roles/create', 'Permission'],
      ['accounts/create', 'Name'],
      ['recoveries/create', 'Reason'],
    ]
    for (const [screen, label] of screens) {
      await visit(page, screen)
      const isOwn = label === 'Permission'
      if (isOwn) await page.getByText('A permission of your own').click()
      const field = isOwn ? page.getByPlaceholder('reports:read') : page.getByLabel(label).first()
      await field.fill('Half')
      await link(page, 'Account').click()
      await question(page).waitFor(soon)
      await stay(page)
      await page.waitForURL(`**/#/${screen}`)
      expect([screen, await field.inputValue()]).toEqual([screen, 'Half'])
      await field.fill('')
      await link(page, 'Account').click()
      await heading(page, 'Account').waitFor(soon)
    }
    await page.context().close()
  })

  test('by the log-out asks, but not when the session ends by itself, and keeps nothing of what was typed', async () => {
    const { page } = await openPage(own.browser)
    await page.clock.install()
    await logIn(page, own.service.baseUrl, person)
    await visit(page, 'rules/create')
    await name(page).fill('Ngozi Achterberg')
    await page.getByRole('button', { name: 'Log out' }).click()
    await question(page).waitFor(soon)
    await stay(page)
    expect(await name(page).inputValue()).toBe('Ngozi Achterberg')
    await link(page, 'Workflows').click()
    await question(page).waitFor(soon)
    await page.clock.fastForward(15 * minutes)
    await page.getByText('Your session has ended.').waitFor(soon)
    expect(await question(page).count()).toBe(0)
    expect(await holds(page)).toBe(false)
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])')
    expect(kept).not.toContain('Achterberg')
    await page.fill('input[type=email]', person.user.email)
    await page.fill('input[type=password]', person.password)
    await page.click('button[type=submit]')
    await heading(page, 'Workflows').waitFor(soon)
    await visit(page, 'rules/create')
    await name(page).fill('Half')
    await page.getByRole('button', { name: 'Log out' }).click()
    await leave(page)
    await page.waitForSelector('input[type=password]')
    await page.context().close()
  })

  test.each(looksInGerman)('asks everybody: $viewport.width px', async look => {
    const isGerman = look.locale === 'de-DE'
    const { page } = await openPage(own.browser, look)
    await logIn(page, own.service.baseUrl, person)
    await visit(page, 'jobs')
    await visit(page, 'rules/create')
    await name(page).fill('Half a rule')
    await page.goBack()
    await page
      .getByRole('dialog', { name: isGerman ? 'Seite verlassen, ohne zu speichern?' : 'Leave without saving?' })
      .waitFor(soon)
    expect(await violations(page)).toEqual([])
    await fits(page)
    await picture(page, `leave-${look.viewport.width}`)
    await page.context().close()
  })
})
