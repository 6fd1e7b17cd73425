import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathOf } from '../../shared/jobs/certificate/tree.ts'
import { verify } from '../../verifier/verify.ts'
import { exhaustive, runs } from '../runs.ts'
import { loggedAt, logKey, witness } from './logged.ts'
import { certified, fileOf, jwks, sha256 } from './made.ts'

const python = process.env.PYTHON ?? 'python3'
const hasPython = spawnSync(python, ['--version']).status === 0

/** What shows that a certificate is in the log, as bytes. */
type Logged = { receipt: Buffer; key: Buffer; older: Buffer; consistency: Buffer }

/**
 * All that a verifier is shown, as bytes: one job with its list inside the certificate, also with its receipt from the log,
 * and one whose list stands beside it.
 */
type Case = {
  certificate: Buffer
  keys: Buffer
  list?: Buffer
  proof?: Buffer
  files: { name: string; content: Buffer }[]
  log?: Logged
}

const small = [0, 1, 2].map(fileOf)
const large = Array.from({ length: 64 }, (_, n) => fileOf(n))
const inside = certified(small)
const beside = certified(large)
const at = 37
const proof = { leaf: beside.lines[at]!, index: at, path: pathOf(beside.lines, at) }
const log = loggedAt(5, 11, inside.certificate)
const seen = witness('witness.example')
const logged: Logged = {
  receipt: log.receipt(seen.cosigned(log.checkpoint(11))),
  key: logKey,
  older: Buffer.from(log.checkpoint(6)),
  consistency: log.consistency(6),
}
const cases: Record<string, Case> = {
  inside: { certificate: inside.certificate, keys: jwks, files: small },
  logged: { certificate: inside.certificate, keys: jwks, files: small, log: logged },
  beside: { certificate: beside.certificate, keys: jwks, list: beside.list, files: large },
  alone: {
    certificate: beside.certificate,
    keys: jwks,
    proof: Buffer.from(JSON.stringify(proof)),
    files: [large[at]!],
  },
}

/** Some of the bytes of a file, in place. */
const within = (whole: Buffer, some: string): Buffer => {
  const start = whole.indexOf(some)
  return whole.subarray(start, start + some.length)
}

/** The bytes of a case that may be changed, by name; those of the keys where nothing but the key itself is said. */
function partsOf({ certificate, keys, list, proof, files, log }: Case): [name: string, bytes: Buffer][] {
  const { payload, signatures } = JSON.parse(certificate.toString())
  const [key] = JSON.parse(keys.toString()).keys
  return [
    ['envelope', certificate],
    ['payload', within(certificate, payload)],
    ['signature', within(certificate, signatures[0].sig)],
    ['keyid', within(certificate, signatures[0].keyid)],
    ...['x', 'y', 'kid'].map((name): [string, Buffer] => [`key ${name}`, within(keys, key[name])]),
    ...(list ? ([['list', list]] as [string, Buffer][]) : []),
    ...(proof
      ? ([
          ['proof', proof],
          ['path', within(proof, JSON.parse(proof.toString()).path[3])],
        ] as [string, Buffer][])
      : []),
    ...files.slice(0, 3).map(({ name, content }): [string, Buffer] => [name, content]),
    ...(log ? logParts(log) : []),
  ]
}

/** The same of what shows that a certificate is in the log. */
function logParts({ receipt, key, older, consistency }: Logged): [string, Buffer][] {
  return [
    ['receipt', receipt],
    ['key of the log', within(key, JSON.parse(key.toString()).verifierKey)],
    ['older checkpoint', older],
    ['consistency', within(consistency, JSON.parse(consistency.toString()).path[1])],
  ]
}

const copyOf = ({ certificate, keys, list, proof, files, log }: Case): Case => ({
  certificate: Buffer.from(certificate),
  keys: Buffer.from(keys),
  ...(list && { list: Buffer.from(list) }),
  ...(proof && { proof: Buffer.from(proof) }),
  files: files.map(({ name, content }) => ({ name, content: Buffer.from(content) })),
  ...(log && {
    log: {
      receipt: Buffer.from(log.receipt),
      key: Buffer.from(log.key),
      older: Buffer.from(log.older),
      consistency: Buffer.from(log.consistency),
    },
  }),
})

/** Cases with one bit changed, the same ones in each run. */
function mutations(count: number): { what: string; changed: Case }[] {
  const drawn = fc.record({
    kind: fc.constantFrom(...Object.keys(cases)),
    part: fc.nat(),
    byte: fc.nat(),
    bit: fc.nat(7),
  })
  return fc.sample(drawn, { numRuns: count, seed: 21 }).map(({ kind, part, byte, bit }) => {
    const changed = copyOf(cases[kind]!)
    const parts = partsOf(changed)
    const [name, bytes] = parts[part % parts.length]!
    bytes[byte % bytes.length]! ^= 1 << bit
    return { what: `bit ${bit} of byte ${byte % bytes.length} of ${name}, ${kind}`, changed }
  })
}

/** Time for all of them, milliseconds: on two busy cores a minute is not enough. */
const PATIENCE = 300_000

const codesOf = async ({ certificate, keys, list, proof, files, log }: Case): Promise<string[]> => {
  const bytes = (buffer: Buffer) => Uint8Array.from(buffer)
  const { problems } = await verify({
    ...{ certificate: bytes(certificate), keys: bytes(keys) },
    ...(list && { list: bytes(list) }),
    ...(proof && { proof: bytes(proof) }),
    files: files.map(({ name, content }) => ({
      ...{ name, size: content.length },
      digest: async (start, end) => sha256(content.subarray(start, end)),
    })),
    all: true,
    ...(log && {
      log: {
        ...{ receipt: bytes(log.receipt), key: bytes(log.key) },
        ...{ older: bytes(log.older), consistency: bytes(log.consistency) },
        witnesses: [seen.key],
      },
    }),
  })
  return problems.map(({ code }) => code)
}

/** Reads cases, one a line, and says of each why it is refused, or `accepted`. */
const harness = `
import base64, json, sys
sys.path.insert(0, "verifier")
from verify import MALFORMED, Refusal, verify
from verify_log import verify as verify_log
for line in sys.stdin:
    given = json.loads(line)
    case, log = ({name: base64.b64decode(value) for name, value in given[part].items()} for part in ("parts", "log"))
    files = [(name, base64.b64decode(content)) for name, content in given["files"]]
    try:
        verify(case["certificate"], case["keys"], case.get("list"), case.get("proof"), files, True)
        if log:
            shown = (log[name] for name in ("receipt", "key", "older", "consistency"))
            verify_log(case["certificate"], case["keys"], *shown, given["witnesses"])
        print("accepted")
    except Refusal as refusal:
        print(refusal.args[0])
    except MALFORMED:
        print("malformed")
`

/** What the second implementation says to each case. */
async function bySecond(shown: readonly Case[]): Promise<string[]> {
  const child = spawn(python, ['-c', harness], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = text(child.stdout)
  const encoded = (named: Record<string, Buffer>) =>
    Object.fromEntries(Object.entries(named).map(([name, bytes]) => [name, bytes.toString('base64')]))
  for (const { files, log = {}, ...parts } of shown) {
    const contents = files.map(({ name, content }) => [name, content.toString('base64')])
    const given = { parts: encoded(parts), files: contents, log: encoded(log), witnesses: [seen.key] }
    child.stdin.write(`${JSON.stringify(given)}\n`)
  }
  child.stdin.end()
  await once(child, 'close')
  return (await said).trimEnd().split('\n')
}

describe('one bit changed anywhere', () => {
  test(
    'is refused, each time with a reason',
    async () => {
      for (const shown of Object.values(cases)) expect(await codesOf(shown)).toEqual([])
      const reasons = new Map<string, number>()
      for (const { what, changed } of mutations(runs(exhaustive ? 10_000 : 1500))) {
        const [code] = await codesOf(changed)
        expect([what, code]).toEqual([what, expect.any(String)])
        reasons.set(code!, (reasons.get(code!) ?? 0) + 1)
      }
      expect([...reasons.keys()].sort()).toEqual([
        ...['changed', 'key', 'list', 'log', 'malformed', 'proof', 'receipt', 'signature', 'witness'],
      ])
    },
    PATIENCE,
  )

  test.skipIf(!hasPython)(
    'is refused by the second implementation too, which accepts what the first does',
    async () => {
      const drawn = mutations(runs(500))
      const said = await bySecond([...Object.values(cases), ...drawn.map(({ changed }) => changed)])
      const whole = said.splice(0, Object.keys(cases).length)
      expect(new Set(whole)).toEqual(new Set(['accepted']))
      const accepted = drawn.filter((_, n) => said[n] === 'accepted').map(({ what }) => what)
      expect([accepted, said.length]).toEqual([[], drawn.length])
    },
    PATIENCE,
  )
})
