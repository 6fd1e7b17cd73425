import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import { buildConsole } from '../infra/console.ts'
import { consolePage } from '../shared/http/console-page.ts'

/**
 * Measures how soon the console can be used: from the request for its page until the field for the e-mail address is there, in a
 * fresh Chromium whose processor is slowed four times. `npm run bench:console` (`CHROMIUM` names the browser).
 */
const TIMES = 20
const SLOWED = 4

const { files, build, program } = await buildConsole()
const page = consolePage(build, program)
const server = createServer(({ url = '' }, response) => {
  const name = new URL(url, 'http://localhost').pathname.split('/').at(-1)!
  const type = name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'text/html'
  response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(name ? files[name] : page)
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/console/`

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const measured: number[] = []
for (let n = 0; n < TIMES; n++) {
  const context = await browser.newContext()
  const tab = await context.newPage()
  const session = await context.newCDPSession(tab)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  const began = performance.now()
  await tab.goto(address, { waitUntil: 'commit' })
  await tab.waitForSelector('input[type=email]')
  measured.push(performance.now() - began)
  await context.close()
}
await browser.close()
server.close()
measured.sort((a, b) => a - b)
const [median, worst] = [measured[TIMES / 2]!, measured.at(-1)!]
console.log(
  `usable after ${median.toFixed(0)} ms (median of ${TIMES}), ${worst.toFixed(0)} ms at worst, slowed ${SLOWED} times`,
)
