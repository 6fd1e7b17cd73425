import { beforeAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../shared/api/flow.ts'
import { deployed } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { fits, hasBrowser, logIn, looks, openPage, soon, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

const letter = 'Call 112 or write to zyada@example.org.\nThe number of Zymargaret is C-123456.\n'

describe.skipIf(!hasBrowser || deployed)('another workflow on the inputs of a job', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let person: Person
  beforeAll(async () => {
    person = await own.service.person()
  })

  /** A workflow that looks for patterns. */
  const workflow = async (name: string, patterns: string[], supportedAssetType: 'DOCUMENT' | 'TABLE' = 'DOCUMENT') => {
    const { client } = person
    const rules = await Promise.all(
      patterns.map(async pattern => {
        const config = { regexRuleConfig: { pattern } }
        const { id: ruleId } = await client.rules.create({ body: { name: 'Rule', type: 'REGEX', config } })
        return { ruleId, replacement: { text: '#' } }
      }),
    )
    const body = { name, supportedAssetType, config: { rules } }
    return (await client.workflows.create({ body })).id
  }

  test.each(looks)('is compared by places, without values, and leaves nothing: $viewport.width px', async look => {
    const workflowId = await workflow('Before', ['112', '[\\w.]+@[\\w.]+\\w'])
    const changed = `Changed ${look.viewport.width}`
    await workflow(changed, ['C-\\d{6}', '[\\w.]+@[\\w.]+\\w'])
    const job = await anonymise(person.client, { name: 'Letters', workflowId }, [{ name: 'a.txt', content: letter }])
    const before = await person.client.jobs.list.full({ body: { limit: 1 } })
    const { page, troubles } = await openPage(own.browser, look)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${job.id}`)
    await page.getByRole('button', { name: 'Try another workflow' }).click()
    await page.getByLabel('Workflow or preset').selectOption({ label: changed })
    await page.getByRole('button', { name: 'Search again' }).click()
    await page.getByText('1 newly found, 1 no longer found, 1 the same').waitFor(soon)
    expect(await page.textContent('.report')).not.toMatch(/zyada|C-123456|112/)
    expect(await violations(page)).toEqual([])
    await fits(page)
    await picture(page, `shadow-${look.viewport.width}`)
    const after = await person.client.jobs.list.full({ body: { limit: 1 } })
    expect(after.headers.get('x-total-count')).toBe(before.headers.get('x-total-count'))
    expect(troubles).toEqual([])
    await page.context().close()
  })

  const table = 'name,mail,number\nZymargaret,zyada@example.org,C-123456\nZybob,zybob@example.org,C-654321\n'

  /** What the console says of the table, anonymised with one workflow, searched with another one. */
  async function comparedTable(job_id: string, changed: string) {
    const { page, troubles } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${job_id}`)
    await page.getByRole('button', { name: 'Try another workflow' }).click()
    await page.getByLabel('Workflow or preset').selectOption({ label: changed })
    await page.getByRole('button', { name: 'Search again' }).click()
    await page.locator('.report [role=status]').waitFor(soon)
    return { page, troubles, told: await page.locator('.report [role=status]').textContent() }
  }

  test('is compared of anonymised tables too, by column, with what the workflow of the job finds', async () => {
    const workflowId = await workflow('Mail', ['[\\w.]+@[\\w.]+\\w'], 'TABLE')
    await workflow('Numbers', ['C-\\d{6}'], 'TABLE')
    const job = await anonymise(person.client, { name: 'T', workflowId }, [{ name: 'people.csv', content: table }])
    const { page, troubles, told } = await comparedTable(job.id, 'Numbers')
    expect(told).toContain('2 newly found, 2 no longer found, 0 the same')
    expect(told).toMatch(/Newly found\s*people\.csv, column number: Rule\s*2/)
    expect(told).toMatch(/No longer found\s*people\.csv, column mail: Rule\s*2/)
    expect(told).toContain('as it is now: people.csv')
    expect(told).not.toMatch(/zyada|123456/)
    expect(await violations(page)).toEqual([])
    await picture(page, 'shadow-table')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  test('is not compared of tables whose workflow is gone, which is said', async () => {
    const workflowId = await workflow('Gone', ['[\\w.]+@[\\w.]+\\w'], 'TABLE')
    const job = await anonymise(person.client, { name: 'T', workflowId }, [{ name: 'people.csv', content: table }])
    await person.client.workflows.delete({ workflow_id: workflowId })
    await workflow('Left', ['C-\\d{6}'], 'TABLE')
    const before = await person.client.jobs.list.full({ body: { limit: 1 } })
    const { page, told } = await comparedTable(job.id, 'Left')
    expect(told).toContain('Of these tables only numbers are kept: people.csv')
    expect(told).toContain('0 newly found, 0 no longer found')
    const after = await person.client.jobs.list.full({ body: { limit: 1 } })
    expect(after.headers.get('x-total-count')).toBe(before.headers.get('x-total-count'))
    await page.context().close()
  })

  test('what is wrong with it is said, and the copy goes all the same', async () => {
    const workflowId = await workflow('Only', ['112'])
    const job = await anonymise(person.client, { name: 'Letters', workflowId }, [{ name: 'a.txt', content: letter }])
    const { client } = person
    const rule = await client.rules.create({
      body: { name: 'Rule', type: 'REGEX', config: { regexRuleConfig: { pattern: '1' } } },
    })
    const rules = [{ ruleId: rule.id, replacement: { text: '#' } }]
    await client.workflows.create({ body: { name: 'For tables', supportedAssetType: 'TABLE', config: { rules } } })
    const before = await client.jobs.list.full({ body: { limit: 1 } })
    const { page } = await openPage(own.browser)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${job.id}`)
    await page.getByRole('button', { name: 'Try another workflow' }).click()
    await page.getByLabel('Workflow or preset').selectOption({ label: 'For tables' })
    await page.getByRole('button', { name: 'Search again' }).click()
    await page.waitForSelector('.report [role=alert]')
    const after = await client.jobs.list.full({ body: { limit: 1 } })
    expect(after.headers.get('x-total-count')).toBe(before.headers.get('x-total-count'))
    await page.context().close()
  })
})
