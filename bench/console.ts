import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import { buildConsole } from '../infra/console.ts'
import { consolePage } from '../shared/http/console-page.ts'
import { executablePath } from '../test/console/chromium.ts'

/**
 * Measures how soon the console can be used: from the request for its page until the field for the e-mail address is there, in a
 * fresh Chromium whose processor is slowed four times; and the processor time that the page's thread takes for it, not slowed.
 * `npm run bench:console` (`CHROMIUM` names the browser).
 */
const TIMES = 10
const SLOWED = 4

const { files, build, program } = await buildConsole()
const page = consolePage(build, program, [])
const server = createServer(({ url = '' }, response) => {
  const name = new URL(url, 'http://localhost').pathname.split('/').at(-1)!
  const type = name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'text/html'
  response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(name ? files[name] : page)
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/console/`

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })

/** Milliseconds until the page can be used, and those of its thread's processor time. */
async function load(rate: number): Promise<{ wall: number; thread: number }> {
  const context = await browser.newContext()
  const tab = await context.newPage()
  const session = await context.newCDPSession(tab)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  const began = performance.now()
  await tab.goto(address, { waitUntil: 'commit' })
  await tab.waitForSelector('input[type=email]')
  const wall = performance.now() - began
  const { metrics } = await session.send('Performance.getMetrics')
  await context.close()
  return { wall, thread: 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!.toFixed(0)
const [walls, threads]: [number[], number[]] = [[], []]
for (let n = 0; n < TIMES; n++) {
  walls.push((await load(SLOWED)).wall)
  threads.push((await load(1)).thread)
}
await browser.close()
server.close()
console.log(`usable after ${median(walls)} ms, slowed ${SLOWED} times (median of ${TIMES})`)
console.log(`${median(threads)} ms of the processor, not slowed`)
