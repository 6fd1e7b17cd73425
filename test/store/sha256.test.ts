import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Sha256 } from '../../shared/store/sha256.ts'

const bytes = fc.uint8Array({ maxLength: 200 })

test('hashes what it is told in pieces, and anew after a reset', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), bytes, async (text, more) => {
      const hash = new Sha256()
      hash.update('before')
      hash.reset()
      hash.update(text)
      hash.update(more.buffer.slice(more.byteOffset, more.byteOffset + more.byteLength) as ArrayBuffer)
      expect(await hash.digest()).toEqual(createHash('sha256').update(text).update(more).digest())
    }),
  )
})

test('makes an HMAC with any key, the empty one too, and one that is a part of a larger buffer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), bytes), bytes, async (secret, data) => {
      const hmac = new Sha256(secret)
      hmac.reset()
      hmac.update(data)
      expect(await hmac.digest()).toEqual(createHmac('sha256', secret).update(data).digest())
    }),
  )
  const part = Buffer.from('..key..').subarray(2, 5)
  const hmac = new Sha256(part)
  hmac.update('text')
  expect(await hmac.digest()).toEqual(createHmac('sha256', 'key').update('text').digest())
})
