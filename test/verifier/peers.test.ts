import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { certified, fileOf, jwks, sha256 } from './made.ts'

const python = process.env.PYTHON ?? 'python3'
const ready = spawnSync(python, ['-c', 'import securesystemslib.dsse, in_toto_attestation, cryptography']).status === 0
if (!ready)
  console.log('skipped: securesystemslib and in-toto-attestation, which certificates are held against, are not here')

/** What libraries that others wrote say to a certificate. */
function read(certificate: object) {
  const input = JSON.stringify({ ...JSON.parse(jwks.toString()), certificate })
  return spawnSync(python, [join(import.meta.dirname, 'peers.py')], { input, encoding: 'utf8' })
}

test.skipIf(!ready)('libraries of DSSE and in-toto accept certificates, and refuse a changed one', () => {
  const { keys } = JSON.parse(jwks.toString())
  const files = [0, 1, 2].map(fileOf)
  const inside = JSON.parse(certified(files).certificate.toString())
  const found = read(inside)
  expect([found.status, found.stderr]).toEqual([0, ''])
  expect(JSON.parse(found.stdout)).toEqual({
    keys: [keys[0].kid],
    digests: files.map(({ content }) => sha256(content)),
  })
  const { certificate, list } = certified(Array.from({ length: 64 }, (_, n) => fileOf(n)))
  expect(JSON.parse(read(JSON.parse(certificate.toString())).stdout).digests).toEqual([sha256(list)])
  const payload = Buffer.from(Buffer.from(inside.payload, 'base64').toString().replace('file 0', 'file 9'))
  const refused = read({ ...inside, payload: payload.toString('base64') })
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('VerificationError')])
})
