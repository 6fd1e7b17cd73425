import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../shared/api/flow.ts'
import { verify } from '../../verifier/verify.ts'
import { deployed } from '../api/deployed.ts'
import { makeFinishedJob } from '../api/requests.ts'
import { addSecondFactor, codeFor } from '../api/second-factor.ts'
import type { Person } from '../api/setup.ts'
import { fits, hasBrowser, logIn, looksInGerman, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

describe.skipIf(!hasBrowser || deployed)('in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let admin: Person
  beforeAll(async () => {
    admin = await own.service.person('admin')
  })

  const opened = async (person: Person, options: Parameters<typeof openPage>[1] = {}) => {
    const { page, troubles } = await openPage(own.browser, { acceptDownloads: true, ...options })
    page.on('dialog', dialog => dialog.accept())
    await logIn(page, own.service.baseUrl, person)
    return { page, troubles }
  }
  const visit = (page: Page, screen: string) => page.goto(`${own.service.baseUrl}/api/console/#/${screen}`)
  const saved = async (page: Page, name: string) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name, exact: true }).click()
    const got = await download
    return { name: got.suggestedFilename(), text: await readFile(await got.path(), 'utf8') }
  }

  test('a second factor is set up from its picture, asked for at the log-in, and turned off', async () => {
    const person = await own.service.person()
    const { page, troubles } = await opened(person)
    await visit(page, 'account')
    const factor = page.locator('section:has(> h2:has-text("Second factor"))')
    await factor.getByLabel('Password').fill(person.password)
    await factor.getByRole('button', { name: 'Set up a second factor' }).click()
    const secret = new URL(await scanned(page)).searchParams.get('secret')!
    expect((await factor.locator('code').textContent())!.replaceAll(' ', '')).toBe(secret)
    await factor.getByRole('textbox', { name: 'Code' }).fill(codeFor(secret))
    await factor.getByRole('button', { name: 'Turn on' }).click()
    await page.waitForSelector('.codes')
    const codes = await page.locator('.codes code').allTextContents()
    expect(codes).toHaveLength(10)
    expect(await saved(page, 'Save as a file')).toEqual({ name: 'recovery-codes.txt', text: `${codes.join('\n')}\n` })
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('A code turns it off').waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('E-mail').fill(person.user.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('textbox', { name: 'Code' }).fill('000000')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForSelector('[role=alert]')
    await page.getByRole('textbox', { name: 'Code' }).fill(codes[0]!)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForSelector('h2:has-text("Second factor")')
    await page.getByRole('textbox', { name: 'Code' }).fill(codes[1]!)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('button', { name: 'Set up a second factor' }).waitFor()
    expect(
      (await person.client.auth.login({ body: { email: person.user.email, password: person.password } })).access_token,
    ).toBeTruthy()
    // The browser says of a log-in that was refused that it was.
    expect(troubles.filter(trouble => !trouble.includes('401'))).toEqual([])
    await page.context().close()
  })

  test('whose role needs a second factor sets it up before anything else', async () => {
    const person = await own.service.person()
    const { page } = await openPage(own.browser)
    await page.route('**/api/auth/login', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), second_factor_setup_required: true } })
    })
    await page.goto(`${own.service.baseUrl}/api/console/`)
    await page.getByLabel('E-mail').fill(person.user.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Your role needs a second factor').waitFor()
    expect(await page.locator('.drop').count()).toBe(0)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Set up a second factor' }).click()
    const secret = new URL(await scanned(page)).searchParams.get('secret')!
    await page.getByRole('textbox', { name: 'Code' }).fill(codeFor(secret))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.waitForSelector('.drop')
    await page.context().close()
  })

  test('a code is asked for at the log-in of whoever has a second factor', async () => {
    const person = await own.service.person()
    const { secret } = await addSecondFactor(person)
    const { page } = await openPage(own.browser, { locale: 'de-DE' })
    await page.goto(`${own.service.baseUrl}/api/console/`)
    expect(await page.getByRole('textbox', { name: 'Code' }).count()).toBe(0)
    await page.getByLabel('E-Mail').fill(person.user.email)
    await page.getByLabel('Passwort').fill(person.password)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByRole('textbox', { name: 'Code' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Code' }).fill(codeFor(secret, 1))
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.waitForSelector('.drop')
    await page.context().close()
  })

  test('a service account is made, gets a key that is shown once, and loses it', async () => {
    const { page, troubles } = await opened(admin)
    await visit(page, 'accounts/create')
    await page.getByLabel('Name', { exact: true }).fill('Nightly export')
    await page.getByLabel('Role').selectOption('admin')
    await page.getByLabel('rules:read').check()
    await page.getByLabel('Only from these networks').fill('127.0.0.0/8\n\n')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Make a key' }).click()
    const key = (await page.textContent('[role=status] code'))!
    const asked = () =>
      fetch(`${own.service.apiUrl}/rules/list`, { method: 'POST', headers: { Authorization: `Bearer ${key}` } })
    expect((await asked()).status).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Revoke' }).waitFor()
    expect(await page.content()).not.toContain(key)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText(/^revoked /).waitFor()
    expect((await asked()).status).toBe(401)
    const [stored] = await admin.client.serviceAccounts.list({ query: { search: 'Nightly export' } })
    expect(stored).toMatchObject({ role: 'admin', permissions: ['rules:read'], networks: ['127.0.0.0/8'] })
    await visit(page, 'accounts')
    await page.getByRole('button', { name: 'Delete: Nightly export' }).click()
    await page.getByRole('link', { name: 'Nightly export' }).waitFor({ state: 'detached' })
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('the certificate of a job is checked, saved, and compared with files', async () => {
    const owner = await own.service.person()
    const job_id = await makeFinishedJob(owner.client)
    const { page, troubles } = await opened(owner)
    await visit(page, `jobs/${job_id}`)
    await page.getByRole('button', { name: 'Certificate' }).click()
    await page.waitForSelector('.status.succeeded:has-text("genuine")', soon)
    const { certificate } = await owner.client.jobs.certificate({ job_id })
    const file = await saved(page, 'Save the certificate')
    expect([file.name, JSON.parse(file.text)]).toEqual(['certificate.json', certificate])
    const report = await saved(page, 'Save the report')
    expect(report.text).toContain(job_id)
    const url = (await owner.client.jobs.get({ job_id })).result!.assets[0]!.url!
    const output = Buffer.from(await (await fetch(url)).arrayBuffer())
    await page.setInputFiles('.report input[type=file]', [
      { name: 'mine.txt', mimeType: 'text/plain', buffer: output },
      { name: 'other.txt', mimeType: 'text/plain', buffer: Buffer.concat([output, Buffer.from('!')]) },
    ])
    await expect
      .poll(() => page.locator('.report .files li').allTextContents(), soon)
      .toEqual(['mine.txtan output of this job, unchanged', 'other.txtno output of this job, or changed'])
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('the receipt of a certificate is saved, and leads into the log', async () => {
    const owner = await own.service.person()
    const job_id = await makeFinishedJob(owner.client)
    await owner.client.jobs.certificate({ job_id })
    // One that runs already may have passed it by.
    const isLogged = async () => {
      await own.service.cloud.invoke('pipeline-sweeper', {})
      return (await owner.client.jobs.certificate({ job_id })).receipt !== null
    }
    await expect.poll(isLogged, soon).toBe(true)
    const { certificate } = await owner.client.jobs.certificate({ job_id })
    const { page, troubles } = await opened(owner)
    await visit(page, `jobs/${job_id}`)
    await page.getByRole('button', { name: 'Certificate' }).click()
    await page.getByText(/^Entry \d+ of the \d+ in the log$/).waitFor()
    const file = await saved(page, 'Save the receipt')
    // Chromium ends the name of a text so.
    expect(file.name).toBe('receipt.txt')
    const bytes = (text: string) => Uint8Array.from(Buffer.from(text))
    const key = await saved(page, 'Save the key of the log')
    const { problems, logged } = await verify({
      certificate: bytes(JSON.stringify(certificate)),
      keys: bytes((await saved(page, 'Save the public keys')).text),
      files: [],
      all: false,
      log: { receipt: bytes(file.text), key: bytes(key.text) },
    })
    expect([problems, logged!.index < logged!.size]).toEqual([[], true])
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a certificate that was changed on its way is not accepted', async () => {
    const owner = await own.service.person()
    const job_id = await makeFinishedJob(owner.client)
    const { page } = await opened(owner)
    await page.route('**/certificate', async route => {
      const response = await route.fetch()
      const shown = await response.json()
      const payload = Buffer.from(shown.certificate.payload, 'base64').toString().replace('SUCCEEDED', 'FAILED')
      shown.certificate.payload = Buffer.from(payload).toString('base64')
      await route.fulfill({ response, json: shown })
    })
    await visit(page, `jobs/${job_id}`)
    await page.getByRole('button', { name: 'Certificate' }).click()
    await page.waitForSelector('[role=alert]:has-text("The signature does not match.")', soon)
    expect(await page.getByRole('button', { name: 'Save the report' }).count()).toBe(0)
    await page.context().close()
  })

  /** A token that stands for an e-mail address of somebody's. */
  const tokenOf = async ({ client }: Person) => {
    const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
    const { id: ruleId } = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
    const rules = [{ ruleId, replacement: { token: { as: 'EMAIL', scope: 'deployment' as const } } }]
    const body = { name: 'Tokens', supportedAssetType: 'DOCUMENT' as const, config: { rules } }
    const { id: workflowId } = await client.workflows.create({ body })
    const files = [{ name: 'a.txt', content: 'zyta@example.org' }]
    const job = await anonymise(client, { name: 'Tokens', workflowId }, files)
    return (await fetch(job.result!.assets[0]!.url!)).text()
  }

  test('values are asked for by one person, approved by another, and opened once', async () => {
    const token = await tokenOf(admin)
    const approver = await own.service.person('admin')
    const { page, troubles } = await opened(admin)
    await visit(page, 'recoveries/create')
    await page.getByLabel('Reason').fill('Zyta is to be called')
    await page.getByLabel('Tokens').fill(`${token}\n`)
    await page.getByRole('button', { name: 'Send the request' }).click()
    await page.getByText('Another person must decide.').waitFor()
    const { page: other } = await opened(approver)
    await visit(other, 'recoveries')
    await other.getByRole('link', { name: 'Zyta is to be called' }).first().click()
    await other.getByRole('button', { name: 'Approve' }).click()
    await other.getByText('approved', { exact: true }).waitFor()
    expect(await other.getByRole('button', { name: 'Open the values' }).count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: 'Open the values' }).click()
    await page.getByRole('cell', { name: 'zyta@example.org' }).waitFor()
    await page.reload()
    await page.getByText('opened', { exact: true }).waitFor()
    expect(await page.content()).not.toContain('zyta@example.org')
    expect(troubles).toEqual([])
    await page.context().close()
    await other.context().close()
  })

  test.each(looksInGerman)('these screens are accessible and fit: $colorScheme, $viewport.width px', async look => {
    const job_id = await makeFinishedJob(admin.client)
    const { id } = await admin.client.serviceAccounts.create({
      body: { name: 'Nightly', role: 'admin', permissions: ['rules:read'] },
    })
    await admin.client.serviceAccounts.createKey({ account_id: id, body: {} })
    const request = await admin.client.reidentifications.create({
      body: { purpose: 'care', reason: 'Call back', tokens: [await tokenOf(admin)] },
    })
    const { page, troubles } = await opened(admin, look)
    const screens: Record<string, () => Promise<unknown>> = {
      accounts: () => page.waitForSelector('.cards li'),
      'accounts/create': () => page.waitForSelector('fieldset'),
      [`accounts/${id}`]: () => page.waitForSelector('.cards li'),
      recoveries: () => page.waitForSelector('.cards li'),
      'recoveries/create': () => page.waitForSelector('form'),
      [`recoveries/${request.id}`]: () => page.waitForSelector('dl'),
      account: async () => {
        const form = page.locator('form').last()
        await form.locator('input[type=password]').fill(admin.password)
        await form.locator('button[type=submit]').click()
        await page.waitForSelector('svg.code-picture')
      },
      [`jobs/${job_id}`]: async () => {
        await page.getByRole('button', { name: /^(Certificate|Zertifikat)$/ }).click()
        await page.waitForSelector('.report .status.succeeded', soon)
      },
    }
    for (const [name, fill] of Object.entries(screens)) {
      await visit(page, name)
      await fill()
      expect([name, await violations(page)]).toEqual([name, []])
      await fits(page)
      const title = name.replace(/[0-9a-f-]{36}/, 'one').replace('/', '-')
      await picture(page, `${title}-${look.viewport.width}`)
    }
    expect(troubles).toEqual([])
    await page.context().close()
  })
})

/** What a camera reads from the picture on a page. */
async function scanned(page: Page): Promise<string> {
  await page.waitForSelector('svg.code-picture')
  const drawn = await page.locator('svg.code-picture').screenshot({ type: 'png' })
  const { width, height, data } = await page.evaluate<{ width: number; height: number; data: number[] }>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${drawn.toString('base64')}'
    await image.decode()
    const canvas = document.createElement('canvas')
    const { naturalWidth: width, naturalHeight: height } = image
    Object.assign(canvas, { width, height })
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    return { width, height, data: [...context.getImageData(0, 0, width, height).data] }
  })()`)
  return decodeQR({ width, height, data: Uint8Array.from(data) })
}
