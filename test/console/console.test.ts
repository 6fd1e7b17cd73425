import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { buildConsole } from '../../infra/console.ts'
import { deployed } from '../api/deployed.ts'
import { hasBrowser, openPage, useBrowser } from './browser.ts'

test('the console is small: 60 KB of program and 10 KB of style, compressed', async () => {
  const { files, program } = await buildConsole()
  expect(gzipSync(files[program]!).length).toBeLessThan(60_000)
  expect(gzipSync(files['app.css']!).length).toBeLessThan(10_000)
})

describe.skipIf(!hasBrowser || deployed)('in a browser', () => {
  const own = useBrowser()

  test('loads with four requests at most, and is kept by the browser', async () => {
    const { page, troubles } = await openPage(own.browser)
    const asked: string[] = []
    page.on('request', request => !request.url().startsWith('data:') && asked.push(request.url()))
    await page.goto(`${own.service.baseUrl}/`)
    await page.waitForSelector('form')
    expect(page.url()).toBe(`${own.service.baseUrl}/api/console/`)
    expect(asked.length).toBeLessThanOrEqual(4)
    expect(troubles).toEqual([])
    const script = await fetch(asked.find(url => url.endsWith('.js'))!)
    expect([script.headers.get('cache-control'), script.headers.get('content-encoding')]).toEqual([
      'public, max-age=31536000, immutable',
      'gzip',
    ])
    await page.context().close()
  })
})
