import { createHash, createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto'
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PublicJwk } from '../../shared/api/certificates.ts'
import { certificateKeys, signStatement } from '../../shared/jobs/certificate/sign.ts'
import { variable } from '../../shared/settings.ts'
import {
  findCertificate,
  findLogged,
  keepCertificate,
  noteLogged,
  publishedKeys,
  publishKey,
  unlogged,
} from '../../shared/store/certificates.ts'
import { createJob, newJob } from '../../shared/store/jobs.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
  const keys = new KMSClient({})
  const made = await keys.send(new CreateKeyCommand({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' }))
  process.env[variable.key('certificates')] = made.KeyMetadata!.KeyId
  keys.destroy()
})
afterAll(() => stop?.())

/** A key that certificates were signed with before. */
function formerKey(): PublicJwk {
  const { crv, kty, x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return { crv, kty, x, y, kid, alg: 'ES256', use: 'sig' } as PublicJwk
}

test('keys stay published when another one takes their place, and a statement is signed by a published one', async () => {
  const former = formerKey()
  await publishKey(former)
  await publishKey(former)
  expect(await publishedKeys()).toEqual([former])
  const [current, ...others] = await certificateKeys()
  expect(others).toEqual([former])
  // Longer than the messages that KMS signs.
  const statement = { text: 'x'.repeat(10_000) }
  const { payload, payloadType, signatures } = await signStatement(statement)
  const bytes = Buffer.from(payload, 'base64')
  expect(JSON.parse(bytes.toString())).toEqual(statement)
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `), bytes])
  const key = createPublicKey({ key: current!, format: 'jwk' })
  expect(signatures).toEqual([{ keyid: current!.kid, sig: expect.any(String) }])
  expect(verify('sha256', message, key, Buffer.from(signatures[0]!.sig, 'base64'))).toBe(true)
  expect((await publishedKeys()).map(({ kid }) => kid).sort()).toEqual([current!.kid, former.kid].sort())
})

test('a job has one certificate, and none once it is erased', async () => {
  const envelope = await signStatement({})
  const job = newJob({ id: randomUUID(), ownerId: randomUUID(), name: 'Letters', description: '' }, 0)
  expect(await keepCertificate(job.id, { envelope, salt: '00' }, 'entry')).toBe(false)
  expect(await findCertificate(job.id)).toBeUndefined()
  await createJob(job, [])
  expect(await keepCertificate(job.id, { envelope, salt: '00' }, 'entry')).toBe(true)
  expect(await keepCertificate(job.id, { envelope, salt: '11' }, 'another')).toBe(false)
  expect((await findCertificate(job.id))!.salt).toBe('00')
  expect(await unlogged(10)).toEqual([{ jobId: job.id, entry: 'entry' }])
  const logged = { jobId: job.id, entry: 'entry' }
  await noteLogged(logged, { log: '0123456789abcdef', index: 7 })
  await noteLogged(logged, { log: '0123456789abcdef', index: 7 })
  expect(await findLogged('entry')).toMatchObject({ log: '0123456789abcdef', index: 7 })
  expect(await unlogged(10)).toEqual([])
})
