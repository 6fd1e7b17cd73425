import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodePng, encodePng } from '../../shared/engine/formats/image/codecs.ts'
import { deployed } from '../api/deployed.ts'
import { showPdf } from '../engine/formats/pdf-samples.ts'
import { typedBitmap } from '../engine/formats/picture-samples.ts'
import { fits, hasBrowser, logIn, looks, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture, type Reviewing, saved, startReviewing } from './under-review.ts'

/** Pages of 600 by 800 points with their lines, the first 100 points from the top, each 100 below the one before. */
async function pdfOf(pages: string[][]): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (const lines of pages) {
    const page = document.addPage([600, 800])
    for (const [n, line] of lines.entries()) page.drawText(line, { x: 60, y: 700 - 100 * n, size: 20, font })
  }
  return Uint8Array.from(await document.save({ useObjectStreams: false }))
}

/** From before the first letter of the second line of a page to behind its last, as shares of the page. */
const secondLine = { from: [0.08, 0.2275], to: [0.95, 0.255] } as const

/** Where a place on the page that is shown is in the window. */
async function inWindow(page: Page, [x, y]: readonly [number, number]): Promise<[number, number]> {
  const sheet = (await page.locator('.sheet svg').boundingBox())!
  return [sheet.x + x * sheet.width, sheet.y + y * sheet.height]
}

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  await page.mouse.move(...(await inWindow(page, from)))
  await page.mouse.down()
  await page.mouse.move(...(await inWindow(page, to)), { steps: 5 })
  await page.mouse.up()
}

/** Whether the middle of a box is in the part of the page that is scrolled to. */
const isInSight = (page: Page, box: string): Promise<boolean> =>
  page.evaluate(`(() => {
    const [sheet, box] = ['.sheet', '${box}'].map(which => document.querySelector(which).getBoundingClientRect())
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    return x > sheet.left && x < sheet.right && y > sheet.top && y < sheet.bottom && y < innerHeight
  })()`)

/** Presses a key so many times. */
async function press(page: Page, key: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await page.keyboard.press(key)
}

/** High enough that the whole page is in sight. */
const desktop = { viewport: { width: 1280, height: 1600 } }

const two = [
  ['Write to zyada@example.org today', 'or to zybob@example.org'],
  ['again to zyada@example.org', 'not to Zymargaret'],
]
const one = [['Write to zyada@example.org today', 'not to Zymargaret']]

describe.skipIf(!hasBrowser || deployed)('pages under review in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let reviewing: Reviewing
  beforeAll(async () => {
    reviewing = await startReviewing(own.service)
  })

  const waitingPdf = async (...files: string[][][]) => {
    const contents = await Promise.all(files.map(pdfOf))
    return reviewing.waitingJob(contents.map((content, n) => ({ name: `${n}.pdf`, content })))
  }

  /** The review of a job, with the first page of its first file and what is awaited on it. */
  const opened = async (job: string, options: Parameters<typeof openPage>[1] = desktop, awaited = '.sheet .box') => {
    const { page, troubles } = await openPage(own.browser, options)
    await logIn(page, own.service.baseUrl, reviewing.reviewer)
    await page.goto(`${own.service.baseUrl}/api/console/#/reviews/${job}`)
    await page.waitForSelector(awaited)
    return { page, troubles }
  }

  const linesOf = async (job: string) =>
    (await showPdf(new Uint8Array(await (await reviewing.outputOf(job)).arrayBuffer()))).join('\n')

  const decisionsOn = async (job_id: string) =>
    (await reviewing.reviewer.client.jobs.decisions({ job_id })).decisions.filter(({ undone }) => !undone)

  test('have a box over each finding, which is chosen by click or by key and decided on', async () => {
    const job = await waitingPdf(two)
    const { page, troubles } = await opened(job)
    const boxes = page.locator('.sheet .box')
    expect(await boxes.count()).toBe(2)
    await boxes.nth(1).click()
    await expect.poll(() => page.textContent('.finding[aria-current]'), soon).toContain('zybob@example.org')
    await page.keyboard.press('r')
    // What comes next stands on the other page.
    await page.waitForSelector('.sheet[aria-label="Picture of page 2 of 2, with 1 finding"] .box.current')
    await page.keyboard.press('e')
    await page.keyboard.type('CONTACT')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.sheet .box.relabel')
    await page.keyboard.press('k')
    await page.waitForSelector('.sheet[aria-label^="Picture of page 1"] .box.reject.current')
    await page.keyboard.press('k')
    await page.keyboard.press('a')
    await page.waitForSelector('.sheet .box.accept')
    await page.getByRole('combobox', { name: 'Page', exact: true }).selectOption({ label: 'Page 2 of 2' })
    await page.getByRole('button', { name: 'The current finding is on page 1' }).click()
    await page.waitForSelector('.sheet[aria-label^="Picture of page 1"] .box.current')
    // The button is gone, and keys work.
    await page.waitForSelector('.strokes:focus')
    await saved(page)
    await picture(page, 'review-pages-decided')
    await page.getByRole('button', { name: 'Release the job' }).click()
    const shown = await linesOf(job)
    expect(shown.match(/\[\S+\]|z\w+@\S+/g)).toEqual(['[E-mail]', 'zybob@example.org', '[CONTACT]'])
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('give way to the text and come back, from file to file', async () => {
    const { page, troubles } = await opened(await waitingPdf(one, two))
    await page.keyboard.press('v')
    await page.waitForSelector('.text mark')
    // Files of one upload are in no certain order.
    const files = page.getByRole('combobox', { name: 'File', exact: true })
    const choose = async (name: string) => {
      const names = await files.locator('option').allTextContents()
      await files.selectOption({ index: names.findIndex(one => one.endsWith(name)) })
    }
    await choose('0.pdf')
    await expect.poll(() => page.locator('.text mark').count(), soon).toBe(1)
    await choose('1.pdf')
    await expect.poll(() => page.locator('.text mark').count(), soon).toBe(3)
    await page.locator('.finding').nth(2).click()
    await page.keyboard.press('v')
    await page.waitForSelector('.sheet[aria-label^="Picture of page 2"] .box.current')
    await page.getByRole('radio', { name: 'text' }).check()
    await page.waitForSelector('.text mark.current')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('take a box that the pointer draws, also from a finding on', async () => {
    const job = await waitingPdf(one)
    const { page, troubles } = await opened(job)
    const found = (await page.locator('.sheet .box').boundingBox())!
    await page.mouse.move(found.x + found.width / 2, found.y + found.height / 2)
    await page.mouse.down()
    await page.mouse.move(found.x, found.y + 200, { steps: 5 })
    await page.mouse.up()
    await page.waitForSelector('dialog')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    await page.keyboard.press('Escape')
    await page.waitForSelector('.box.drawn', { state: 'detached' })
    await drag(page, secondLine.from, secondLine.to)
    await page.getByRole('heading', { name: 'What is in the box?' }).waitFor()
    await page.keyboard.type('PERSON')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.sheet .box.added')
    expect(await page.textContent('.additions li')).toContain('a box on page 1')
    expect(await page.locator('.box.drawn').count()).toBe(0)
    await saved(page)
    await picture(page, 'review-pages-added')
    await page.getByRole('button', { name: 'Release the job' }).click()
    const shown = await linesOf(job)
    expect(shown).toContain('[E-mail]')
    expect(shown).toContain('[PERSON]')
    expect(shown).not.toMatch(/Zymargaret|zyada/)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('take a box that keys or clicks draw, in German', async () => {
    const job = await waitingPdf(one)
    const { page, troubles } = await opened(job, { ...desktop, locale: 'de-DE' })
    await page.keyboard.press('b')
    await page.waitForSelector('.sheet.drawing:focus')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.box.drawn', { state: 'detached' })
    await page.keyboard.press('b')
    await page.waitForSelector('.sheet.drawing:focus')
    await press(page, 'ArrowLeft', 2)
    await press(page, 'ArrowUp', 1)
    await press(page, 'Shift+ArrowDown', 4)
    const told = 'Rahmen von 38 bis 58 % der Breite und von 47 bis 53 % der Höhe.'
    await expect.poll(() => page.textContent('.page [role=status]'), soon).toContain(told)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Was steht im Rahmen?' }).waitFor()
    await page.keyboard.type('PERSON')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.sheet .box.added')
    const box = { page: 1, left: 0.38, top: 0.47, right: 0.58, bottom: 0.53 }
    expect(await decisionsOn(job)).toMatchObject([{ action: 'add', label: 'PERSON', box }])

    await page.keyboard.press('b')
    await page.waitForSelector('.box.drawn')
    await page.mouse.click(...(await inWindow(page, [0.1, 0.6])))
    await page.mouse.click(...(await inWindow(page, [0.9, 0.7])))
    await page.keyboard.press('n')
    await page.waitForSelector('dialog')
    await page.keyboard.type('PLACE')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.sheet .box.added').count(), soon).toBe(2)
    const clicked = (await decisionsOn(job))[1]!.box!
    for (const [side, share] of Object.entries({ left: 0.1, top: 0.48, right: 0.9, bottom: 0.7 }))
      expect(clicked[side as 'left']).toBeCloseTo(share, 2)
    await page.keyboard.press('u')
    await expect.poll(() => page.locator('.sheet .box.added').count(), soon).toBe(1)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('may be a picture in which nothing was found, which is painted over where a box is drawn', async () => {
    const source = await typedBitmap(['Minutes of a meeting'])
    const job = await reviewing.waitingJob([{ name: 'a.png', content: Uint8Array.from(await encodePng(source)) }])
    const { page, troubles } = await opened(job, desktop, '.sheet image')
    await drag(page, [0.6, 0.7], [0.9, 0.9])
    await page.waitForSelector('dialog')
    await page.keyboard.type('FACE')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.sheet .box.added')
    await saved(page)
    await page.getByRole('button', { name: 'Release the job' }).click()
    const output = await (await reviewing.outputOf(job)).arrayBuffer()
    const { width, height, data } = await decodePng(new Uint8Array(output))
    const redAt = (x: number, y: number) => data[(Math.floor(y * height) * width + Math.floor(x * width)) * 4]!
    const reds = [redAt(0.61, 0.72), redAt(0.89, 0.88), redAt(0.5, 0.6), redAt(0.95, 0.95)]
    expect(reds.map(red => red < 240)).toEqual([true, true, false, false])
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test.each(looks)('are accessible and fit: $colorScheme, $viewport.width px', async look => {
    const { page, troubles } = await opened(await waitingPdf(two, one), look)
    await page.keyboard.press('a')
    await page.keyboard.press('k')
    await saved(page)
    const check = async (name: string) => {
      expect([name, await violations(page)]).toEqual([name, []])
      await fits(page)
      await picture(page, `review-pages-${name}-${look.viewport.width}`)
    }
    await check('plain')
    await page.getByRole('combobox', { name: 'Size' }).selectOption({ index: 3 })
    await expect.poll(() => isInSight(page, '.box.current'), soon).toBe(true)
    await check('large')
    await page.getByRole('button', { name: /^Draw a box/ }).click()
    await page.waitForSelector('.sheet.drawing:focus')
    await expect.poll(() => isInSight(page, '.box.drawn'), soon).toBe(true)
    await check('drawing')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog')
    await check('asked')
    expect(troubles).toEqual([])
    await page.context().close()
  })
})
