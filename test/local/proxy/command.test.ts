import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { runProxy } from '../../../local/proxy/main.ts'
import { json, startUpstream } from './upstream.ts'

const script = join(import.meta.dirname, '../../../local/anonymise.ts')

test('the command serves until it is stopped, and tells nothing of what is said', async () => {
  const upstream = await startUpstream()
  onTestFinished(() => upstream.close())
  upstream.answer = (seen, response) =>
    json(response, {
      choices: [{ index: 0, message: { role: 'assistant', content: JSON.parse(seen.body).messages[0].content } }],
    })
  const child = spawn(process.execPath, [script, 'proxy', '--upstream', `${upstream.url}/v1`, '--port', '0'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const told = text(child.stderr)
  let shown = ''
  child.stdout.on('data', chunk => {
    shown += chunk
  })
  while (!shown.includes('Ctrl-C')) await once(child.stdout, 'data')
  const [base] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(shown)!
  const content = 'I am Margaret Thompson, margaret@example.org'
  const answer = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  })
  expect(await answer.json()).toMatchObject({ choices: [{ message: { content } }] })
  expect(upstream.seen[0]!.body).not.toMatch(/Margaret|Thompson|@/)
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  await ended
  expect(await told).toMatch(/^POST \/v1\/chat\/completions 200, \d replaced, \d+ ms\n\nStopping \.\.\.\n$/)
})

test.each([
  [[], /--upstream URL/],
  [['--upstream', 'http://api.example'], /must be an https address/],
  [['--upstream', 'https://k@api.example'], /must be an https address/],
  [['--upstream', 'https://api.example', '--port', '99999'], /--port must be/],
  [['--upstream', 'https://api.example', '--preset', 'unheard-of'], /There is no preset/],
  [['--upstream', 'https://api.example', '--rule', 'a'], /--rule must be/],
  [['--upsteram', 'x'], /Unknown option '--upsteram'/],
  [['letter.txt'], /Unexpected argument/],
])('refuses %j in plain words', async (args, message) => {
  const { stdin, stdout, stderr } = process
  const around = { from: '.', environment: {}, stdin, stdout, stderr, signal: AbortSignal.abort() }
  await expect(runProxy(args, around)).rejects.toThrow(message)
})
