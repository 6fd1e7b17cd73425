import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { encodePng } from '../../shared/engine/formats/image/codecs.ts'
import { deployed, loseInput } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { makeDocx } from '../engine/formats/package.ts'
import { typedBitmap } from '../engine/formats/picture-samples.ts'
import { fits, hasBrowser, logIn, looks, looksInGerman, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

/** A PDF of so many pages with an address on each. */
async function pdfOf(pages: number): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (let n = 1; n <= pages; n++) {
    const page = document.addPage([600, 800])
    page.drawText(`Page ${n}: write to zyada@example.org today`, { x: 60, y: 700, size: 20, font })
  }
  return Uint8Array.from(await document.save())
}

const docx = () => {
  const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
  return Uint8Array.from(makeDocx(paragraph('Minutes of a meeting') + paragraph('Write to zyada@example.org today')))
}

const tableOf = (rows: number) =>
  `name,town,mail,note\n${Array.from({ length: rows }, (_, n) => `Somebody ${n},Lagos,z${n}@example.org,as agreed on the phone`).join('\n')}`

describe.skipIf(!hasBrowser || deployed)('before and after in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()
  const workflows: Record<string, string> = {}
  let person: Person
  beforeAll(async () => {
    person = await own.service.person()
    const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
    const { id: ruleId } = await person.client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
    for (const supportedAssetType of ['DOCUMENT', 'TABLE'] as const) {
      const rules = [{ ruleId, replacement: { text: '[MAIL]' } }]
      const body = { name: `Mail ${supportedAssetType}`, supportedAssetType, config: { rules } }
      workflows[supportedAssetType] = (await person.client.workflows.create({ body })).id
    }
  })

  /** A finished job of one file. */
  async function finished(name: string, content: Uint8Array<ArrayBuffer> | string, type = 'DOCUMENT') {
    const { client } = person
    const { id: job_id, Assets } = await client.jobs.upload({ body: { name: 'Compared' }, files: [{ name, content }] })
    await client.jobs.update({ job_id, body: { workflowId: workflows[type]! } })
    await client.jobs.execute({ job_id })
    await expect.poll(async () => (await client.jobs.get({ job_id })).status, { timeout: 200_000 }).toBe('SUCCEEDED')
    return { job_id, assetId: Assets[0]!.id }
  }

  /** The comparison of the only file of a job. */
  async function compared(job_id: string, options: Parameters<typeof openPage>[1] = {}, button = 'Compare') {
    const { page, troubles } = await openPage(own.browser, options)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${job_id}`)
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.waitForSelector('.compare figure')
    return { page, troubles }
  }

  const sides = (page: Page) => page.locator('.compare figure').allTextContents()
  const pictures = (page: Page) =>
    page.locator('.compare img').evaluateAll(all => all.map(one => (one as unknown as { src: string }).src))

  test.each(looksInGerman)('the pages of a PDF are pictures side by side: $viewport.width px', async look => {
    const { job_id } = await finished('a.pdf', await pdfOf(3))
    const { page, troubles } = await compared(job_id, look, look.locale === 'de-DE' ? 'Vergleichen' : 'Compare')
    await page.waitForSelector('.compare img')
    const [before, after] = await pictures(page)
    expect(before).toMatch(/^data:image\/jpeg;base64,/)
    expect(after).not.toBe(before)
    const names = await page.locator('.compare img').evaluateAll(all => all.map(one => one.getAttribute('alt')))
    expect(names).toEqual(
      look.locale === 'de-DE'
        ? ['Vorher: Bild der Seite 1', 'Nachher: Bild der Seite 1']
        : ['Before: picture of page 1', 'After: picture of page 1'],
    )
    expect(await violations(page)).toEqual([])
    await fits(page)
    await picture(page, `compare-pdf-${look.viewport.width}`)
    await page.locator('.steps button').last().click()
    await expect.poll(async () => (await pictures(page))[0] !== before, soon).toBe(true)
    await page.locator('.compare').locator('..').locator('select.short').selectOption({ index: 2 })
    await expect.poll(() => page.locator('.compare img').first().getAttribute('width'), soon).toBe('200%')
    expect(await violations(page)).toEqual([])
    await fits(page)
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.title])',
    )
    expect(kept).not.toMatch(/zyada|jpeg/)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a PDF of 300 pages is looked at where one wants', async () => {
    const { job_id } = await finished('long.pdf', await pdfOf(300))
    const { page, troubles } = await compared(job_id)
    await page.waitForSelector('.compare img')
    await page.getByRole('combobox', { name: 'Page', exact: true }).selectOption({ label: 'Page 300 of 300' })
    await page.waitForSelector('img[alt="After: picture of page 300"]')
    expect(await page.locator('.compare img').count()).toBe(2)
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a picture is shown as the service draws it', async () => {
    const source = await typedBitmap(['Please write to', 'zyada@example.org'])
    const { job_id } = await finished('scan.png', Uint8Array.from(await encodePng(source)))
    const { page, troubles } = await compared(job_id)
    await page.waitForSelector('.compare img')
    const [before, after] = await pictures(page)
    expect(after).not.toBe(before)
    expect(await page.getByRole('combobox', { name: 'Page', exact: true }).count()).toBe(0)
    await picture(page, 'compare-picture')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test.each(looks)('a document of Office by its texts, changes marked: $viewport.width px', async look => {
    const { job_id } = await finished('minutes.docx', docx())
    const { page, troubles } = await compared(job_id, look)
    await page.waitForSelector('ins')
    expect(await sides(page)).toEqual([
      'BeforeMinutes of a meeting\nWrite to zyada@example.org today',
      'AfterMinutes of a meeting\nWrite to [MAIL] today',
    ])
    expect(await page.textContent('del')).toBe('zyada@example.org')
    expect(await page.textContent('section[aria-label="Compare"]')).toContain('without their layout')
    expect(await violations(page)).toEqual([])
    await fits(page)
    await picture(page, `compare-office-${look.viewport.width}`)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('a table of 10,000 rows part by part', async () => {
    const { job_id } = await finished('people.csv', tableOf(10_000), 'TABLE')
    const { page, troubles } = await compared(job_id)
    await page.waitForSelector('ins')
    const [before, after] = await sides(page)
    expect(before).toContain('Somebody 7 | Lagos | z7@example.org | as agreed')
    expect(after).toContain('Somebody 7 | Lagos | [MAIL] | as agreed')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect
      .poll(() => sides(page), soon)
      .toEqual([
        expect.stringContaining('Somebody 150 | Lagos | z150@'),
        expect.stringContaining('Somebody 150 | Lagos | [MAIL]'),
      ])
    await picture(page, 'compare-table')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test.each([
    ['of a text', 'letter.txt', 'Write to zyada@example.org today'],
    ['of a document', 'letter.docx', docx()],
  ])('what an input %s no longer is, is said', async (_, name, content) => {
    const { job_id, assetId } = await finished(name, content)
    await loseInput(own.service.cloud, job_id, assetId)
    const { page } = await compared(job_id)
    const gone = 'BeforeThis file is not there any more: its time is over, or somebody has deleted it.'
    await expect.poll(async () => (await sides(page))[0], soon).toBe(gone)
    expect((await sides(page))[1]).toContain('Write to [MAIL] today')
    expect(await page.locator('ins').count()).toBe(0)
    await picture(page, `compare-gone-${name}`)
    await page.context().close()
  })

  test('what cannot be shown is said with its reason', async () => {
    const { job_id, assetId } = await finished('letter.docx', docx())
    const { page, troubles } = await openPage(own.browser)
    await page.route(`**/assets/${assetId}/page**`, route =>
      route.fulfill({ status: 400, json: { detail: [{ type: 'cannot_show', loc: ['path'], msg: 'It is too long' }] } }),
    )
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${job_id}`)
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.waitForSelector('.compare figure')
    expect((await sides(page))[0]).toContain('Download it to look at it. It is too long')
    expect(troubles.filter(trouble => !trouble.includes('400'))).toEqual([])
    await page.context().close()
  })
})
