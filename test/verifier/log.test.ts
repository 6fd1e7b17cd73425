import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ShownLog } from '../../verifier/log.ts'
import { verify } from '../../verifier/verify.ts'
import { runs } from '../runs.ts'
import { loggedAt, logKey, origin, witness } from './logged.ts'
import { certified, fileOf, jwks } from './made.ts'

const bytes = (content: Uint8Array | string) => Uint8Array.from(Buffer.from(content))
const { certificate } = certified([fileOf(0)])
const INDEX = 5
const SIZE = 11
const log = loggedAt(INDEX, SIZE, certificate)

/** What is wrong with the certificate and what is shown of the log, as codes. */
async function codes(shown: Partial<ShownLog>, of: Uint8Array = certificate): Promise<string[]> {
  const whole = { receipt: bytes(log.receipt()), key: bytes(logKey), ...shown }
  const verdict = await verify({ certificate: bytes(of), keys: bytes(jwks), files: [], all: false, log: whole })
  return verdict.problems.map(({ code }) => code)
}

test('a certificate is found in the log by its receipt', async () => {
  const shown = { receipt: bytes(log.receipt()), key: bytes(logKey) }
  const verdict = await verify({
    certificate: bytes(certificate),
    keys: bytes(jwks),
    files: [],
    all: false,
    log: shown,
  })
  expect(verdict.problems).toEqual([])
  expect(verdict.logged).toEqual({ index: INDEX, size: SIZE })
  for (let size = 1; size < 20; size++)
    for (const index of [0, size >> 1, size - 1])
      expect(await codes({ receipt: bytes(loggedAt(index, size, certificate).receipt()) })).toEqual([])
})

test('a receipt may carry more than what is checked', async () => {
  const extra = log.receipt().toString().replace('\nindex', '\nextra AAAA\nindex')
  expect(await codes({ receipt: bytes(extra) })).toEqual([])
})

test('the receipt of another certificate, or of another log, is refused', async () => {
  expect(await codes({}, certified([fileOf(1)]).certificate)).toEqual(['receipt'])
  const other = generateKeyPairSync('ed25519').privateKey
  expect(await codes({ receipt: bytes(log.receipt(log.checkpoint(SIZE, other))) })).toEqual(['log'])
  expect(await codes({ receipt: bytes(log.receipt(log.checkpoint(SIZE - 1))) })).toEqual(['receipt'])
  const key = JSON.parse(logKey.toString()).verifierKey as string
  const renamed = key.replace(origin, `${origin}0`)
  expect(await codes({ key: bytes(JSON.stringify({ verifierKey: renamed })) })).toEqual(['malformed'])
})

test('the log is the one of a checkpoint that was kept, older or newer', async () => {
  for (let size = 1; size <= SIZE; size++) {
    const older = bytes(log.checkpoint(size))
    expect(await codes({ older, consistency: bytes(log.consistency(size)) })).toEqual([])
  }
  expect(await codes({ older: bytes(log.checkpoint(SIZE)) })).toEqual([])
  const grown = loggedAt(INDEX, 30, certificate)
  expect(await codes({ older: bytes(grown.checkpoint(30)), consistency: bytes(grown.consistency(SIZE, 30)) })).toEqual(
    [],
  )
})

test('a log that was rewritten since a checkpoint was kept is refused', async () => {
  const rewritten = loggedAt(INDEX - 1, SIZE, certificate)
  const shown = { receipt: bytes(rewritten.receipt()), consistency: bytes(rewritten.consistency(8)) }
  expect(await codes({ ...shown, older: bytes(rewritten.checkpoint(8)) })).toEqual([])
  expect(await codes({ ...shown, older: bytes(log.checkpoint(8)) })).toEqual(['log'])
  expect(await codes({ older: bytes(log.checkpoint(8)) })).toEqual(['log'])
  expect(await codes({ older: bytes(rewritten.checkpoint(SIZE)) })).toEqual(['log'])
})

test('witnesses that are asked for must have signed', async () => {
  const [seen, unseen] = [witness('witness.example'), witness('other.example')]
  const receipt = bytes(log.receipt(seen.cosigned(log.checkpoint(SIZE))))
  expect(await codes({ receipt })).toEqual([])
  expect(await codes({ receipt, witnesses: [seen.key] })).toEqual([])
  expect(await codes({ receipt, witnesses: [seen.key, unseen.key] })).toEqual(['witness'])
  expect(await codes({ witnesses: [seen.key] })).toEqual(['witness'])
  const elsewhere = seen
    .cosigned(log.checkpoint(SIZE - 1))
    .split('\n')
    .at(-2)
  expect(
    await codes({ receipt: bytes(log.receipt(`${log.checkpoint(SIZE)}${elsewhere}\n`)), witnesses: [seen.key] }),
  ).toEqual(['witness'])
  // The log's own key is no witness.
  expect(await codes({ receipt, witnesses: [JSON.parse(logKey.toString()).verifierKey] })).toEqual(['witness'])
})

test('no receipt, checkpoint or path with one byte changed is accepted', { timeout: 300_000 }, async () => {
  const older = Buffer.from(log.checkpoint(6))
  const consistency = log.consistency(6)
  const files = { receipt: log.receipt(), older, consistency }
  // The numbers beside the path are for people: the checkpoints say how large the log was.
  const start = consistency.indexOf('[') + 1
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('receipt', 'older', 'consistency'),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (name, place, flip) => {
        const file = Buffer.from(files[name])
        const from = name === 'consistency' ? start : 0
        const at = from + (place % (file.length - from))
        file[at]! ^= flip
        const shown = {
          receipt: bytes(files.receipt),
          older: bytes(older),
          consistency: bytes(consistency),
          [name]: bytes(file),
        }
        // JSON may be written with other spaces.
        const same = name === 'consistency' && isSame(file, consistency)
        expect((await codes(shown)).length).toBe(same ? 0 : 1)
      },
    ),
    { numRuns: runs(3000) },
  )
})

function isSame(changed: Buffer, before: Buffer): boolean {
  try {
    const path = (file: Buffer) =>
      JSON.stringify(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file)).path)
    return path(changed) === path(before)
  } catch {
    return false
  }
}

test('what is strange is refused and not thrown', async () => {
  const strange = [
    '',
    '\n\n',
    'c2sp.org/tlog-proof@v1\n\n',
    'c2sp.org/tlog-proof@v1\nindex 0\n\n',
    `${log.receipt()}\0`,
    'x'.repeat(100_000),
  ]
  for (const text of strange) {
    expect(await codes({ receipt: bytes(text) })).toEqual(['malformed'])
    expect((await codes({ older: bytes(text) })).length).toBe(1)
    expect(await codes({ key: bytes(text) })).toEqual(['malformed'])
    expect(await codes({ witnesses: [text] })).toEqual(['malformed'])
  }
  for (const path of ['null', '{}', '{"path":{}}', '{"path":[1]}', '{"path":["AA=="]}', '[]'])
    expect(await codes({ older: bytes(log.checkpoint(6)), consistency: bytes(path) })).toEqual(['malformed'])
  const huge = log.receipt().toString().replace(`index ${INDEX}`, 'index 99999999999999999999')
  expect(await codes({ receipt: bytes(huge) })).toEqual(['receipt'])
})
