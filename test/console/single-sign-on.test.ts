import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deployed } from '../api/deployed.ts'
import { clientSecret, startRealProvider } from '../api/real-provider.ts'
import { type Service, startService } from '../api/setup.ts'
import { fits, hasBrowser, looksInGerman, openPage, startBrowser, violations } from './browser.ts'

describe.skipIf(!hasBrowser || deployed)('in a browser', { timeout: 300_000 }, () => {
  let provider: Awaited<ReturnType<typeof startRealProvider>>
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    provider = await startRealProvider()
    const known = { name: 'real', title: 'Acme', issuer: provider.issuer, clientId: 'service' }
    const others = { domains: ['acme.example'], provision: 'create' }
    const gone = { name: 'gone', title: 'Nowhere', issuer: 'http://127.0.0.1:9' }
    const providers = [
      { ...known, ...others },
      { ...known, ...others, ...gone },
    ]
    service = await startService({ environment: { IDENTITY_PROVIDERS: JSON.stringify(providers) } })
    provider.serve(service.apiUrl)
    const body = { secret: clientSecret }
    await service.admin.client.identity.setSecret({ provider: 'real', body })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await provider?.stop()
    expect([...(service?.troubles ?? []), ...(provider?.troubles ?? [])]).toEqual([])
  })

  const logInAs = async (name: string) => {
    const opened = await openPage(browser)
    const { page } = opened
    await page.goto(`${service.apiUrl}/console/#/jobs`)
    await page.getByRole('link', { name: 'Log in by Acme' }).click()
    await page.fill('input[name=login]', name)
    await page.fill('input[name=password]', 'any')
    await page.click('button[type=submit]')
    await page.waitForSelector('input[name=prompt][value=consent]', { state: 'attached' })
    await page.click('button[type=submit]')
    return opened
  }

  test('somebody logs in by the button of a provider, and is back where they wanted to go', async () => {
    const { page, troubles } = await logInAs('ada')
    await page.waitForURL(/console\/#\/jobs$/)
    await page.getByRole('link', { name: 'Account' }).waitFor()
    // The pages of the provider load what is not there.
    troubles.length = 0
    // The session outlasts the page.
    await page.reload()
    await page.getByRole('link', { name: 'Account' }).waitFor()
    expect(troubles).toEqual([])
  })

  test('somebody who may not use the service is told so in the console', async () => {
    const { page } = await logInAs('unverified')
    await page.getByRole('alert').getByText('you may not use this service').waitFor()
    expect(page.url()).toBe(`${service.apiUrl}/console/#/not-signed-on/sign_on_not_allowed`)
  })

  test.each(looksInGerman)('a provider that does not answer leads back to the console: %o', async look => {
    const { page } = await openPage(browser, look)
    await page.goto(`${service.apiUrl}/console/`)
    await page.getByRole('link', { name: 'Nowhere' }).click()
    await page.getByRole('alert').waitFor()
    expect(page.url()).toBe(`${service.apiUrl}/console/#/not-signed-on/provider_unavailable`)
    await fits(page)
    expect(await violations(page)).toEqual([])
  })
})
