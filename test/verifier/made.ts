import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { Plan } from 'anonymisation-engine'
import { canonical } from '../../shared/jobs/certificate/canonical.ts'
import { keyed } from '../../shared/jobs/certificate/keyed.ts'
import type { Leaf } from '../../shared/jobs/certificate/leaf.ts'
import { listFile, statementOf } from '../../shared/jobs/certificate/statement.ts'
import type { JobRecord } from '../../shared/store/job-record.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { crv, kty, x, y } = publicKey.export({ format: 'jwk' })
const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')

/** The file of keys that certificates of these tests are checked with. */
export const jwks = Buffer.from(JSON.stringify({ keys: [{ kty, crv, x, y, kid, alg: 'ES256', use: 'sig' }] }))

export const salt = '0f'.repeat(32)
export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const plan: Plan = {
  assetType: 'DOCUMENT',
  rules: [
    {
      ruleId: '3f2b8c1e-0d4a-4b6f-9a57-5b1c7e9d2f10',
      name: 'Numbers',
      detection: { type: 'REGEX', pattern: '[0-9]+' },
      replacement: { text: '#' },
    },
  ],
}
export const workflow = canonical(plan)

const asset = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** What an asset is made of, and what came out. */
export type File = { name: string; content: Buffer; input: string; parts?: number[] }

export const fileOf = (n: number): File => ({
  name: `file ${n}.txt`,
  content: Buffer.from(`Output number ${n}: ${sha256(String(n))}\n`),
  input: `Input number ${n}`,
})

function outputOf({ name, content, parts }: File): Leaf['output'] {
  if (!parts) return { name, size: content.length, sha256: sha256(content) }
  let at = 0
  const digests = parts.map((size): [number, string] => {
    at += size
    return [size, sha256(content.subarray(at - size, at))]
  })
  return { name, size: content.length, parts: digests }
}

/** The line of an asset as the service writes it. */
export function leafOf(file: File, n: number): Leaf {
  const output = outputOf(file)
  const assetId = asset(n)
  const input = { size: file.input.length, ...keyed(salt, 'input', `${assetId}:${sha256(file.input)}`) }
  const findings = [{ ruleId: plan.rules[0]!.ruleId, count: 1, labels: [{ label: 'Numbers', count: 1 }] }]
  const told = { format: 'txt', examined: 18, searched: 1, dropped: [], rasterised: [], neutralised: 0, warnings: 0 }
  const line = canonical({ assetId, status: 'SUCCEEDED', input, output, findings, ...told, errors: [], engines: [0] })
  return { line, output }
}

/** A signed envelope around a payload. */
export function sealed(payload: Buffer): Buffer {
  const type = 'application/vnd.in-toto+json'
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload])
  const sig = sign('sha256', message, { key: privateKey, dsaEncoding: 'der' }).toString('base64')
  return Buffer.from(
    JSON.stringify({ payloadType: type, payload: payload.toString('base64'), signatures: [{ keyid: kid, sig }] }),
  )
}

/** A certificate of some files as the service makes it, with its list of assets. */
export function certified(files: readonly File[]) {
  const leaves = files.map(leafOf)
  const list = listFile(leaves)
  const at = '2026-11-20T09:30:00.000Z'
  const counted = { assetCount: files.length, done: files.length, failed: 0, findings: files.length }
  const job = {
    id: asset(1_000_000),
    ownerId: asset(1_000_001),
    ...{ name: '', description: '', status: 'SUCCEEDED', workflowId: null, presetId: null, presetVersion: null },
    ...{
      ...counted,
      bytesIn: 1,
      bytesOut: 1,
      revision: 1,
      createdAt: at,
      updatedAt: at,
      startedAt: at,
      finishedAt: at,
    },
  } satisfies JobRecord
  const engines = [{ version: '0.1.0', bundle: sha256('bundle'), models: [] }]
  const statement = statementOf({ job, plans: [{ plan }], leaves, engines, salt }, sha256(list))
  const certificate = sealed(Buffer.from(JSON.stringify(statement)))
  return { certificate, statement, list, lines: leaves.map(({ line }) => line) }
}
