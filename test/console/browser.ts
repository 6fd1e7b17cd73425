import { existsSync } from 'node:fs'
import AxeSource from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Service, useService } from '../api/setup.ts'
import { executablePath } from './chromium.ts'

/** Whether there is a browser to test with; tests without one are skipped. */
export const hasBrowser = existsSync(executablePath)

export const startBrowser = (): Promise<Browser> =>
  // No sandbox: tests run as root in containers, and only pages of our own are opened.
  chromium.launch({ executablePath, args: ['--no-sandbox'] })

/** How long to wait for what the service or the page is to do. */
export const soon = { timeout: 60_000 }

/** How every screen is looked at: on a desktop, on a phone, and at 200 % on a screen of 1280 by 1024 pixels. */
export const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
  { colorScheme: 'light', viewport: { width: 640, height: 512 }, deviceScaleFactor: 2 },
] as const

/** The same, in German on the phone. */
export const looksInGerman = looks.map((look, n) => ({ ...look, locale: n === 1 ? 'de-DE' : 'en-GB' }))

/** A service and a browser for the tests of a group, which has them once its tests run. */
export function useBrowser(): { service: Service; browser: Browser } {
  const own = {} as { service: Service; browser: Browser }
  beforeAll(async () => {
    own.service = await useService()
    own.browser = await startBrowser()
  })
  afterAll(() => own.browser?.close())
  return own
}

/** A new page, and what went wrong in it: errors, refused loads, breaches of the content security policy. */
export async function openPage(
  browser: Browser,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<{ page: Page; troubles: string[] }> {
  // Other pages can be opened beside it.
  const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage()
  const troubles: string[] = []
  page.on('console', message => message.type() === 'error' && troubles.push(message.text()))
  page.on('pageerror', error => troubles.push(error.message))
  return { page, troubles }
}

/** What axe-core finds wrong with a page. */
export async function violations(page: Page): Promise<string[]> {
  // Trusted Types forbid the page to evaluate text; the debugger may.
  await page.evaluate(AxeSource.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof AxeSource }).axe.run({ resultTypes: ['violations'] }),
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** Logs in by the form. */
export async function logIn(page: Page, baseUrl: string, person: { user: { email: string }; password: string }) {
  await page.goto(`${baseUrl}/api/console/`)
  await page.fill('input[type=email]', person.user.email)
  await page.fill('input[type=password]', person.password)
  await page.click('button[type=submit]')
  await page.waitForSelector('.drop')
}

/** Controls that are cut off at a side of the page, or hidden behind it, where nothing around them scrolls. */
const cutOff = `[...document.querySelectorAll('a, button, input, select, textarea, summary')]
  .filter(one => one.checkVisibility() && !one.closest('.skip, .scroll, .sheet, pre'))
  .filter(one => {
    const { left, right } = one.getBoundingClientRect()
    return left < -1 || right > innerWidth + 1
  })
  .map(one => one.outerHTML.slice(0, 80))`

/** No page scrolls sideways, and no control of it is out of reach. */
export async function fits(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'), soon).toBe(true)
  expect(await page.evaluate(cutOff)).toEqual([])
}
