import { describe, expect, test } from 'vitest'
import { deployed, putFile } from '../api/deployed.ts'
import { tableKinds } from '../engine/formats/tables.ts'
import { fits, hasBrowser, logIn, looksInGerman, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

const people = ['Anna Berg', 'Marco Rossi', 'Laura Novak', 'Peter Weber', 'Sophie Dubois']
const lines = Array.from({ length: 40 }, (_, n) =>
  [people[n % 5], `p${n}@clinic.example`, n % 2 ? 'f' : 'm', 20 + n, n % 2 ? 'Asthma' : 'Migraine'].join(','),
)
const table = ['full_name,email,sex,age,diagnosis', ...lines, ''].join('\n')

describe.skipIf(!hasBrowser || deployed)('a table of a source in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()

  test.each(looksInGerman)('tells what its columns hold: $viewport.width px', async look => {
    const german = look.locale === 'de-DE'
    const owner = await own.service.person()
    await putFile(owner.user.id, own.service.files, 'people.csv', table)
    const { id } = await owner.client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
    const { page, troubles } = await openPage(own.browser, look)
    await logIn(page, own.service.baseUrl, owner)
    await page.goto(`${own.service.baseUrl}/api/console/#/sources/${id}`)
    await page.getByRole('button', { name: german ? 'In die Quelle sehen' : 'Look into the source' }).click()
    await page.getByRole('button', { name: 'people.csv' }).click()
    const title = german ? 'Was in den Spalten steht' : 'What its columns hold'
    await page.getByRole('button', { name: title }).click()
    const rowOf = (name: string) => page.getByRole('row', { name }).locator('td').allTextContents()
    await page.getByRole('row', { name: 'full_name' }).waitFor()
    const trimmed = async (name: string) => (await rowOf(name)).map(text => text.trim())
    expect(await trimmed('full_name')).toEqual(
      german ? ['PERSON', 'wer es ist', '100 %', 'ein Pseudonym'] : ['PERSON', 'who it is', '100 %', 'a pseudonym'],
    )
    expect((await trimmed('sex'))[3]).toBe(german ? 'bleibt' : 'stays')
    expect((await trimmed('age'))[3]).toBe(german ? 'weniger genau' : 'less detail')
    expect((await trimmed('diagnosis'))[0]).toBe(
      german ? 'Gesundheit, Glaube oder Herkunft' : 'health, belief or origin',
    )
    expect(await page.content()).not.toContain('Novak')
    expect(await violations(page)).toEqual([])
    await fits(page)
    await picture(page, `discovery-${look.viewport.width}`)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('that is a workbook is looked through on the page of its job', async () => {
    const owner = await own.service.person()
    const cells = lines.map(line => line.split(','))
    const workbook = tableKinds.find(({ name }) => name === 't.xlsx')!.make(table.split('\n')[0]!.split(','), cells)
    const files = [{ name: 'people.xlsx', content: Uint8Array.from(workbook) }]
    const { id } = await owner.client.jobs.upload({ body: { name: 'People' }, files })
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, owner)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${id}`)
    await page.getByRole('button', { name: 'What its columns hold' }).click()
    const refusals = page.getByRole('alert')
    await page.getByRole('row', { name: 'full_name' }).or(refusals).waitFor({ timeout: soon.timeout })
    expect(await refusals.allTextContents()).toEqual([])
    const cellsOf = await page.getByRole('row', { name: 'email' }).locator('td').allTextContents()
    expect(cellsOf.map(text => text.trim())).toEqual(['EMAIL', 'who it is', '100 %', 'a pseudonym'])
    expect(await violations(page)).toEqual([])
    await fits(page)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('becomes a job with the workflow that was proposed', async () => {
    const owner = await own.service.person()
    await putFile(owner.user.id, own.service.files, 'people.csv', table)
    const { id } = await owner.client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, owner)
    const look = async () => {
      await page.goto(`${own.service.baseUrl}/api/console/#/sources/${id}`)
      await page.getByRole('button', { name: 'Look into the source' }).click()
      await page.getByRole('button', { name: 'people.csv' }).click()
    }
    await look()
    await page.getByRole('button', { name: 'What its columns hold' }).click()
    await page.getByRole('button', { name: 'Make this workflow' }).click()
    await page.getByRole('heading', { name: 'people.csv' }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('people.csv')
    await look()
    await page.getByRole('button', { name: 'New job with it' }).click()
    await page.getByLabel('What is replaced').selectOption({ label: 'people.csv (Tables)' })
    await page.getByRole('button', { name: /^Anonymise/ }).click()
    await page.waitForSelector('.status.succeeded')
    const [job] = await owner.client.jobs.list({ body: { limit: 1 } })
    const { result } = await owner.client.jobs.get({ job_id: job!.id })
    const output = await (await fetch(result!.assets[0]!.url!)).text()
    for (const person of people) expect(output).not.toContain(person)
    expect(output).toContain('Asthma')
    expect(troubles).toEqual([])
    await page.context().close()
  })
})
