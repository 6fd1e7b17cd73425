import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathOf } from '../../shared/jobs/certificate/tree.ts'
import { fits, hasBrowser, openPage, startBrowser, violations } from '../console/browser.ts'
import { loggedAt, logKey, witness } from './logged.ts'
import { certified, fileOf, jwks } from './made.ts'

const folder = mkdtempSync(join(tmpdir(), 'verifier-page-'))
const file = join(folder, 'verify.html')
const few = [fileOf(1), fileOf(2)]
const many = Array.from({ length: 200 }, (_, n) => fileOf(n))

let browser: Browser
beforeAll(async () => {
  const made = spawnSync(process.execPath, ['local/verifier-page.ts', file], { encoding: 'utf8' })
  expect(made.stderr).toBe('')
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

const chosen = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
type Chosen = ReturnType<typeof chosen>
const outputsOf = (files: typeof few) => files.map(({ name, content }) => chosen(name, content))

/** Chooses files on the page and has them checked; answers what it says then, line by line. */
async function checked(page: Page, certificate: Chosen[], outputs: Chosen[], all = true): Promise<string[]> {
  await page.setInputFiles('[name=certificate]', certificate)
  await page.setInputFiles('[name=keys]', chosen('jwks.json', jwks))
  await page.setInputFiles('[name=outputs]', outputs)
  await page.setChecked('[name=all]', all)
  await page.click('button')
  await page.waitForSelector('section h2')
  const said = await page.locator('section :is(h2, p, li)').allTextContents()
  await page.reload()
  return said
}

describe.skipIf(!hasBrowser)('the page that checks certificates', () => {
  test('accepts what is right, refuses what was changed or is missing, and loads nothing', async () => {
    const { page, troubles } = await openPage(browser)
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).protocol))
    await page.goto(pathToFileURL(file).href)
    const certificate = chosen('certificate.json', certified(few).certificate)
    const outputs = outputsOf(few)
    const accepted = await checked(page, [certificate], outputs)
    expect(accepted).toEqual([
      'Accepted',
      expect.stringMatching(/^Job .*, SUCCEEDED at .*: 2 assets, 2 files checked\.$/),
      expect.stringMatching(/^Signed by the key .{43}\. Compare/),
      'Save a report for people',
    ])
    const changed = { ...outputs[0]!, buffer: Buffer.concat([outputs[0]!.buffer, Buffer.from('!')]) }
    const refused = await checked(page, [certificate], [changed, outputs[1]!])
    expect(refused).toEqual([
      'Refused',
      'file 1.txt is not as it was when the job ended',
      'file 1.txt is an output and was not shown',
    ])
    expect(await checked(page, [certificate], [outputs[1]!], false)).toContain('Accepted')
    expect(await checked(page, [chosen('letter.txt', Buffer.from('no certificate'))], [])).toEqual([
      'Refused',
      'None of the files chosen as certificate is one',
    ])
    expect([troubles, new Set(asked)]).toEqual([[], new Set(['file:'])])
  })

  test('takes the list of a large job, or the proof for one file', async () => {
    const { page } = await openPage(browser)
    await page.goto(pathToFileURL(file).href)
    const { certificate, list, lines } = certified(many)
    const envelope = chosen('certificate.json', certificate)
    const withList = [envelope, chosen('assets.ndjson', list)]
    expect(await checked(page, withList, outputsOf(many))).toContain('Accepted')
    const proof = chosen(
      'proof.json',
      Buffer.from(JSON.stringify({ leaf: lines[7], index: 7, path: pathOf(lines, 7) })),
    )
    expect(await checked(page, [envelope, proof], outputsOf([many[7]!]), false)).toContain('Accepted')
    expect((await checked(page, [envelope], outputsOf([many[7]!]), false))[0]).toBe('Refused')
  })

  test('finds a certificate in the log, and the log in a checkpoint that was kept', async () => {
    const { page } = await openPage(browser)
    await page.goto(pathToFileURL(file).href)
    const { certificate } = certified(few)
    const log = loggedAt(5, 11, certificate)
    const seen = witness('witness.example')
    const found = async (shown: Record<string, Buffer | string>, witnesses = '') => {
      await page.click('summary')
      for (const [name, content] of Object.entries(shown))
        await page.setInputFiles(`[name=${name}]`, chosen(name, Buffer.from(content)))
      await page.fill('textarea', witnesses)
      return checked(page, [chosen('certificate.json', certificate)], outputsOf(few))
    }
    const receipt = log.receipt()
    const logged = 'Entry 5 of the log, which had 11 of them.'
    expect(await found({ receipt, logKey })).toContain(logged)
    const older = { checkpoint: log.checkpoint(8), consistency: log.consistency(8) }
    expect(await found({ receipt, logKey, ...older })).toContain(logged)
    const cosigned = log.receipt(seen.cosigned(log.checkpoint(11)))
    expect(await found({ receipt: cosigned, logKey }, seen.key)).toContain(logged)
    const other = loggedAt(4, 11, certificate)
    const refused: [shown: Record<string, Buffer | string>, witnesses?: string][] = [
      [{ receipt: other.receipt(), logKey, ...older }],
      [{ receipt, logKey }, seen.key],
      [{ receipt }],
      [{ logKey, checkpoint: log.checkpoint(8) }],
    ]
    for (const [shown, witnesses] of refused) expect((await found(shown, witnesses))[0]).toBe('Refused')
  })

  test('gives a report to save', async () => {
    const { page } = await openPage(browser)
    await page.goto(pathToFileURL(file).href)
    await page.setInputFiles('[name=certificate]', chosen('certificate.json', certified(few).certificate))
    await page.setInputFiles('[name=keys]', chosen('jwks.json', jwks))
    await page.click('button')
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('section a')])
    const report = readFileSync(await download.path(), 'utf8')
    expect(report).toContain('<title>Report of a job</title>')
    await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(report)}`)
    expect(await violations(page)).toEqual([])
  })

  test('speaks German to browsers that ask for it', async () => {
    const { page } = await openPage(browser, { locale: 'de-AT' })
    await page.goto(pathToFileURL(file).href)
    expect(await page.title()).toBe('Ein Zertifikat prüfen')
    const english = page.getByText(/\b(the|files|keys)\b/i).filter({ visible: true })
    expect(await english.count()).toBe(0)
    const certificate = chosen('certificate.json', certified(few).certificate)
    expect((await checked(page, [certificate], outputsOf(few)))[0]).toBe('Angenommen')
    const refused = await checked(page, [certificate], outputsOf([fileOf(7)]), false)
    expect(refused).toEqual(['Abgelehnt', expect.stringMatching(/^Eine Datei gehört nicht zum Auftrag: /)])
  })

  test.each([
    ['light', 1280, 'en-GB'],
    ['dark', 320, 'de-DE'],
  ] as const)('is readable in %s at %i px, with nothing that axe finds', async (colorScheme, width, locale) => {
    const { page } = await openPage(browser, { colorScheme, locale, viewport: { width, height: 800 } })
    await page.goto(pathToFileURL(file).href)
    await page.click('summary')
    await fits(page)
    expect(await violations(page)).toEqual([])
  })
})
