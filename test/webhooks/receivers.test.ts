import { spawnSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { egressPolicy } from '../../shared/sources/addresses.ts'
import { guardedDial } from '../../shared/sources/egress.ts'
import type { WebhookEvent } from '../../shared/store/outbox.ts'
import { newKey, publicKeyOf, signature } from '../../shared/webhooks/keys.ts'
import { post } from '../../shared/webhooks/post.ts'
import { waitAfter } from '../../shared/webhooks/schedule.ts'
import { startReceiver } from '../api/receiver.ts'
import { forbidden } from '../sources/forbidden-hosts.ts'

const event: WebhookEvent = {
  id: '3f2b8c1e-0d4a-4b6f-9a57-5b1c7e9d2f10',
  type: 'job.succeeded',
  timestamp: '2026-11-20T09:30:00.000Z',
  data: { ownerId: 'o', resource: { type: 'job', id: 'j' }, counts: { assets: 1 } },
}
const loopback = { dial: guardedDial(egressPolicy('127.0.0.0/8')) }

/** What a receiver gets of an event that is signed with these keys. */
async function delivered(...keys: string[]) {
  const { url, received, close } = await startReceiver()
  onTestFinished(close)
  expect(await post(url, event, keys, loopback)).toMatchObject({ responseStatus: 204, problem: null })
  const { headers, body } = received[0]!
  return { body, headers: headers as Record<string, string> }
}

describe('a message is accepted by the library of Standard Webhooks', () => {
  const secret = newKey('hmac')
  const signings: [string, string[]][] = [
    ['with a secret', [secret]],
    ['with the secret before beside a new one', [newKey('hmac'), secret]],
    ['with a signature of the other version beside it', [newKey('ed25519'), secret]],
  ]

  test.each(signings)('in JavaScript, %s', async (_, keys) => {
    const { body, headers } = await delivered(...keys)
    const { id: _id, ...told } = event
    expect(new Webhook(secret).verify(body, headers)).toEqual(told)
    expect(() => new Webhook(newKey('hmac')).verify(body, headers)).toThrow()
    expect(() => new Webhook(secret).verify(body.replace('job', 'jab'), headers)).toThrow()
  })

  const python = process.env.PYTHON ?? 'python3'
  const script = `
import json, sys
from standardwebhooks.webhooks import Webhook
message = json.load(sys.stdin)
Webhook(message['secret']).verify(message['body'], message['headers'])
`
  const hasPython = spawnSync(python, ['-c', 'import standardwebhooks']).status === 0
  if (!hasPython) console.log('Skipped: the receiver in Python, since PYTHON has no standardwebhooks')
  test.skipIf(!hasPython).each(signings)('in Python, %s', async (_, keys) => {
    const run = (message: object) => spawnSync(python, ['-c', script], { input: JSON.stringify(message) })
    const message = await delivered(...keys)
    expect(run({ ...message, secret }).stderr.toString()).toBe('')
    expect(run({ ...message, secret: newKey('hmac') }).status).toBe(1)
  })

  const program = join(mkdtempSync(join(tmpdir(), 'receiver-')), 'receiver')
  const hasGo =
    spawnSync('go', ['build', '-o', program, '.'], { cwd: join(import.meta.dirname, 'go'), timeout: 120_000 })
      .status === 0
  if (!hasGo) console.log('Skipped: the receiver in Go, which can’t be built here')
  test.skipIf(!hasGo).each(signings)('in Go, %s', async (_, keys) => {
    const run = (message: object) => spawnSync(program, { input: JSON.stringify(message) })
    const message = await delivered(...keys)
    expect(run({ ...message, secret }).stderr.toString()).toBe('')
    expect(run({ ...message, secret: newKey('hmac') }).status).toBe(1)
  })
})

test('Ed25519 signs what the public key proves', async () => {
  const key = newKey('ed25519')
  const { body, headers } = await delivered(key)
  const [version, signed] = headers['webhook-signature']!.split(',')
  const spki = Buffer.from('302a300506032b6570032100', 'hex')
  const der = Buffer.concat([spki, Buffer.from(publicKeyOf(key)!.slice('whpk_'.length), 'base64')])
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const message = Buffer.from(`${event.id}.${headers['webhook-timestamp']}.${body}`)
  expect([version, verify(null, message, publicKey, Buffer.from(signed!, 'base64'))]).toEqual(['v1a', true])
  expect(publicKeyOf(newKey('hmac'))).toBeNull()
})

test('HMAC is that of the example of the standard', () => {
  const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' }
  expect(signature(key, message)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('an address that is not public is refused without a connection', async () => {
  const { url, received, close } = await startReceiver()
  onTestFinished(close)
  const guard = { dial: guardedDial(egressPolicy('')) }
  expect(forbidden.length).toBeGreaterThanOrEqual(60)
  for (const host of forbidden) {
    const written = /:/.test(host) && !host.startsWith('[') ? `[${host}]` : host
    const address = url.replace('127.0.0.1', written)
    // What is no URL is refused before it is kept.
    if (!URL.canParse(address)) continue
    const { responseStatus, problem } = await post(address, event, [newKey('hmac')], guard)
    expect([host, responseStatus]).toEqual([host, null])
    expect(problem, host).toMatch(/^source_(egress_denied|dns_failed)$/)
  }
  expect(received).toEqual([])
})

test('no answer within the time, or a broken one, is a failure', async () => {
  const { url, close } = await startReceiver(() => undefined)
  onTestFinished(close)
  const outcome = await post(url, event, [newKey('hmac')], loopback)
  expect(outcome).toMatchObject({ responseStatus: null, problem: 'source_connection_lost' })
})

describe('attempts', () => {
  test('come later and later, varied by a fifth, and end', () => {
    const waits = (chance: number) => Array.from({ length: 10 }, (_, n) => waitAfter(n + 1, 0, chance))
    const [least, most] = [waits(0), waits(1)]
    expect(least.slice(0, 3).map(seconds => Math.round(seconds!))).toEqual([4, 240, 1440])
    expect(most.slice(0, 3).map(seconds => Math.round(seconds!))).toEqual([6, 360, 2160])
    expect([least[9], most[9]]).toEqual([undefined, undefined])
  })

  test('wait as long as the receiver asks, up to a day', () => {
    expect(waitAfter(1, 120)).toBe(120)
    expect(waitAfter(1, 10 ** 9)).toBe(24 * 3600)
    expect(waitAfter(2, 1, 0.5)).toBe(300)
  })
})
