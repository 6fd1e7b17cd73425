import { beforeAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../shared/api/flow.ts'
import { deployed } from '../api/deployed.ts'
import type { Person } from '../api/setup.ts'
import { fits, hasBrowser, logIn, looksInGerman, openPage, useBrowser, violations } from './browser.ts'
import { picture } from './under-review.ts'

/** Forty people of different ages, who become four groups of ten. */
const people = `age,income\n${Array.from({ length: 40 }, (_, n) => `${20 + n},${(n % 3) * 100}`).join('\n')}\n`

describe.skipIf(!hasBrowser || deployed)('the risk of a table in a browser', { timeout: 300_000 }, () => {
  const own = useBrowser()
  let person: Person
  let job_id: string
  beforeAll(async () => {
    person = await own.service.person()
    const { client } = person
    const pattern = { regexRuleConfig: { pattern: '[\\s\\S]+' } }
    const { id: ruleId } = await client.rules.create({ body: { name: 'Everything', type: 'REGEX', config: pattern } })
    const rules = [{ ruleId, columns: ['age'], replacement: { generalise: { range: 10 } } }]
    const risk = { quasiIdentifiers: ['age'], sensitive: ['income'], threshold: 0.2 }
    const body = { name: 'Ages', supportedAssetType: 'TABLE' as const, config: { rules, risk } }
    const { id: workflowId } = await client.workflows.create({ body })
    const files = [{ name: 'people.csv', content: people }]
    job_id = (await anonymise(client, { name: 'People', workflowId }, files)).id
  })

  test.each(looksInGerman)('is a chart, with all of its numbers as text: $viewport.width px', async look => {
    const german = look.locale === 'de-DE'
    const { page, troubles } = await openPage(own.browser, look)
    await logIn(page, own.service.baseUrl, person)
    await page.goto(`${own.service.baseUrl}/api/console/#/jobs/${job_id}`)
    await page.getByRole('button', { name: german ? 'Bericht' : 'Report', exact: true }).click()
    const section = page.getByRole('region', {
      name: german ? 'Risiko, erkannt zu werden' : 'Risk of being recognised',
    })
    await section.waitFor()
    const rowOf = (name: RegExp) => section.getByRole('row', { name }).first().locator('td').allTextContents()
    expect(await rowOf(/\(k\)/)).toEqual(['1', '10'])
    expect(await rowOf(german ? /^Gruppen/ : /^Groups/)).toEqual(['40', '4'])
    expect(await rowOf(german ? /denen keiner/ : /like no other/)).toEqual(['40 (100 %)', '0 (0 %)'])
    expect(await rowOf(/20 %/)).toEqual(['100 %', '0 %'])
    expect(await rowOf(/\(l\)/)).toEqual(['1', '3'])
    const told = await section.getByRole('img').getAttribute('aria-label')
    expect(told).toMatch(german ? /hatte vorher 1 und hat jetzt 10/ : /had 1 before and has 10 now/)
    const bars = section.locator('rect')
    const heights = await bars.evaluateAll(all => all.map(one => Number(one.getAttribute('height'))))
    const full = Math.max(...heights)
    // Before, all stand alone; after, all are in groups of 10 to 19.
    expect(heights.map(height => height / full)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0])
    await section.locator('summary').click()
    expect(await rowOf(/^10–19/)).toEqual(['0 %', '100 %'])
    expect(await violations(page)).toEqual([])
    await fits(page)
    await picture(page, `risk-${look.viewport.width}`)
    expect(troubles).toEqual([])
    await page.context().close()
  })
})
