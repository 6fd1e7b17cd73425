import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../shared/api/flow.ts'
import { deployed } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { fits, hasBrowser, logIn, looksInGerman, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

/** Python's own reader says what is in a ZIP, and that every checksum is right. */
const reader = `
import base64, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as opened:
    assert opened.testzip() is None
    print(json.dumps([[one.filename, base64.b64encode(opened.read(one)).decode()] for one in opened.infolist()]))
`

async function unzip(path: string): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)('python3', ['-c', reader, path], { maxBuffer: 1e9 })
  return Object.fromEntries(JSON.parse(stdout) as [string, string][])
}

const letter = (name: string) => ({ name, content: `Write to ${name.length}@brookside.example.\n` })
const files = [letter('a.txt'), letter('A.txt'), letter('Grüße (1).txt'), letter('con.txt')]
const broken = { name: 'broken.pdf', content: '%PDF-1.7 broken' }

describe.skipIf(!hasBrowser || deployed)('all results of a job', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let person: Person
  beforeAll(async () => {
    person = await own.service.person()
  })

  const finished = async (sent: typeof files) => {
    const { id: job_id } = await person.client.jobs.upload({
      body: { name: 'All: 1/2', presetId: 'default' },
      files: sent,
    })
    await person.client.jobs.execute({ job_id })
    await expect.poll(async () => (await person.client.jobs.status({ job_id })).status, soon).not.toBe('IN_PROGRESS')
    return person.client.jobs.get({ job_id })
  }
  /** What each output is by its single download, in base64. */
  const singly = async ({ result }: Awaited<ReturnType<typeof finished>>) => {
    const outputs = result!.assets.filter(({ outputAssetId }) => outputAssetId !== null)
    const contents = outputs.map(async ({ outputAssetId }) => {
      const { url } = await person.client.assets.url({ asset_id: outputAssetId! })
      return Buffer.from(await (await fetch(url)).arrayBuffer()).toString('base64')
    })
    return (await Promise.all(contents)).toSorted()
  }
  const visit = async (page: Page, id: string) => {
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${id}`)
  }
  // A browser without a window can't ask for a place: these are one that never does, and the place of the page itself.
  const withoutPicker = 'delete globalThis.showSaveFilePicker'
  const inOwnPlace = `globalThis.showSaveFilePicker = async ({ suggestedName }) => {
    globalThis.chosen = await (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })
    return globalThis.chosen
  }`

  test.each(looksInGerman)(
    'are one ZIP that others read, with every file as by itself: $locale, $viewport.width px',
    async look => {
      const job = await finished([...files, broken])
      const { page, troubles } = await openPage(own.browser, { ...look, acceptDownloads: true })
      await page.addInitScript(withoutPicker)
      await visit(page, job.id)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: /ZIP/ }).click()
      const saved = await download
      expect(saved.suggestedFilename()).toBe('All_ 1_2.zip')
      const inside = await unzip(await saved.path())
      expect(Object.keys(inside).toSorted()).toEqual(expect.arrayContaining(['Grüße (1).txt', '_con.txt']))
      expect(new Set(Object.keys(inside).map(name => name.toLowerCase())).size).toBe(files.length)
      expect(Object.values(inside).toSorted()).toEqual(await singly(job))
      await page.locator('[role=status]', { hasText: '4' }).waitFor()
      expect(await violations(page)).toEqual([])
      await fits(page)
      await picture(page, `download-all-${look.viewport.width}`)
      expect(troubles).toEqual([])
      await page.context().close()
    },
  )

  test('are written bit by bit to the place that was chosen', async () => {
    const job = await finished(files)
    const { page, troubles } = await openPage(own.browser)
    await page.addInitScript(inOwnPlace)
    await visit(page, job.id)
    await page.getByRole('button', { name: 'Download all 4 files as a ZIP' }).click()
    await page.getByText('4 files are in the ZIP.').waitFor(soon)
    const content = await page.evaluate<number[]>(
      'chosen.getFile().then(file => file.arrayBuffer()).then(bytes => [...new Uint8Array(bytes)])',
    )
    const path = `${own.service.files}-${job.id}.zip`
    await writeFile(path, Buffer.from(content))
    expect(Object.values(await unzip(path)).toSorted()).toEqual(await singly(job))
    expect((await readFile(path)).subarray(0, 2).toString()).toBe('PK')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('are named that can’t be fetched, and the others are there', async () => {
    const job = await finished(files)
    const [gone] = job.result!.assets
    await person.client.assets.delete({ asset_id: gone!.outputAssetId! })
    const { page } = await openPage(own.browser, { acceptDownloads: true })
    await page.addInitScript(withoutPicker)
    await visit(page, job.id)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: /as a ZIP/ }).click()
    const inside = await unzip(await (await download).path())
    expect(Object.keys(inside).length).toBe(3)
    expect(await page.locator('[role=alert] li').allTextContents()).toEqual([gone!.name])
    await page.context().close()
  })

  test('are not offered where there is but one, nor saved where no place was chosen', async () => {
    const job = await anonymise(person.client, { name: 'One', presetId: 'default' }, [letter('a.txt')])
    const { page, troubles } = await openPage(own.browser)
    await page.addInitScript("globalThis.showSaveFilePicker = async () => { throw new DOMException('', 'AbortError') }")
    await visit(page, job.id)
    await page.getByRole('button', { name: 'Download' }).waitFor()
    expect(await page.getByRole('button', { name: /ZIP/ }).count()).toBe(0)
    const several = await finished(files)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${several.id}`)
    await page.getByRole('button', { name: /ZIP/ }).click()
    await expect.poll(() => page.locator('progress').count(), soon).toBe(0)
    expect(await page.locator('[role=status], [role=alert]').count()).toBe(0)
    expect(troubles).toEqual([])
    await page.context().close()
  })
})
