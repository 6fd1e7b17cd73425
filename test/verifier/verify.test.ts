import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathOf, rootOf as rootByService } from '../../shared/jobs/certificate/tree.ts'
import type { ShownFile } from '../../verifier/outputs.ts'
import { rootByPath, rootOf } from '../../verifier/tree.ts'
import { type Shown, verify } from '../../verifier/verify.ts'
import { runs } from '../runs.ts'
import { certified, type File, fileOf, jwks, salt, sealed, sha256, workflow } from './made.ts'

const bytes = (content: string | Uint8Array) => Uint8Array.from(Buffer.from(content as string))

const shownFile = ({ name, content }: Pick<File, 'name' | 'content'>): ShownFile => ({
  name,
  size: content.length,
  digest: async (start, end) => sha256(content.subarray(start, end)),
})

const some = (count: number) => Array.from({ length: count }, (_, n) => fileOf(n))

/** All that is needed to accept the certificate of some files. */
function shownOf(files: readonly File[]): Shown {
  const { certificate, list } = certified(files)
  return {
    certificate: bytes(certificate),
    keys: bytes(jwks),
    list: bytes(list),
    files: files.map(shownFile),
    all: true,
  }
}

const codesOf = async (shown: Shown) => (await verify(shown)).problems.map(({ code }) => code)

describe('a certificate', () => {
  const files = some(3)
  const shown = shownOf(files)

  test('is accepted with its outputs, under any name and in any order', async () => {
    expect(await codesOf(shown)).toEqual([])
    const renamed = files.toReversed().map(file => shownFile({ ...file, name: `x ${file.name}` }))
    expect(await codesOf({ ...shown, files: renamed })).toEqual([])
    expect(await codesOf({ ...shown, files: renamed.slice(1), all: false })).toEqual([])
  })

  test('is refused with an output that was changed, is missing or strange', async () => {
    const [first, ...others] = shown.files as [ShownFile, ...ShownFile[]]
    const copy = shownFile({ ...files[0]!, content: files[1]!.content })
    expect(await codesOf({ ...shown, files: [copy, ...others] })).toEqual(['missing'])
    const other = shownFile({ ...files[0]!, content: Buffer.from('Output number 7\n') })
    expect(await codesOf({ ...shown, files: [other, ...others] })).toEqual(['changed', 'missing'])
    expect(await codesOf({ ...shown, files: others })).toEqual(['missing'])
    const strange = shownFile({ name: 'strange.txt', content: Buffer.from('strange') })
    expect(await codesOf({ ...shown, files: [first, ...others, strange] })).toEqual(['unknown'])
  })

  test('is refused by keys of others, without a signature and as another statement', async () => {
    expect(await codesOf({ ...shown, keys: bytes('{"keys":[]}') })).toEqual(['key'])
    const envelope = JSON.parse(Buffer.from(shown.certificate).toString())
    const unsigned = bytes(JSON.stringify({ ...envelope, signatures: [] }))
    expect(await codesOf({ ...shown, certificate: unsigned })).toEqual(['signature'])
    for (const payload of ['{}', '[]', 'null', '{"_type":"https://in-toto.io/Statement/v1"}', '\xff'])
      expect(await codesOf({ ...shown, certificate: bytes(sealed(Buffer.from(payload, 'latin1'))) })).toEqual([
        'malformed',
      ])
  })

  test('opens to its owner: the workflow and the inputs', async () => {
    const opening = bytes(JSON.stringify({ salt, workflow }))
    const input = (content: string) => shownFile({ name: 'input.txt', content: Buffer.from(content) })
    expect(await codesOf({ ...shown, opening, inputs: [input('Input number 2')] })).toEqual([])
    expect(await codesOf({ ...shown, opening, inputs: [input('Input number 9')] })).toEqual(['input'])
    const other = bytes(JSON.stringify({ salt, workflow: workflow.replace('[0-9]', '[0-8]') }))
    expect(await codesOf({ ...shown, opening: other })).toEqual(['workflow'])
  })

  test('names an output of chunks by the digests of its parts', async () => {
    const cut = { ...fileOf(0), content: Buffer.from('one two three'), parts: [4, 4, 5] }
    const whole = shownOf([cut])
    expect(await codesOf(whole)).toEqual([])
    const moved = shownFile({ ...cut, content: Buffer.from('two one three') })
    expect(await codesOf({ ...whole, files: [moved] })).toEqual(['changed', 'missing'])
  })
})

describe('the certificate of 10,000 assets', () => {
  const files = some(10_000)
  const { certificate, list, lines, statement } = certified(files)
  const whole: Shown = { ...{ certificate: bytes(certificate), keys: bytes(jwks) }, files: [], all: false }

  test('is under 64 KB beside its list', () => {
    expect(certificate.length).toBeLessThan(64 * 1024)
    expect(statement.subject).toEqual([{ name: 'assets.ndjson', digest: { sha256: sha256(list) } }])
  })

  test('is accepted with the whole list, and refused with another one or none', async () => {
    expect(await codesOf({ ...whole, list: bytes(list), files: files.map(shownFile), all: true })).toEqual([])
    expect(await codesOf({ ...whole, list: bytes(Buffer.concat([list, Buffer.from('\n')])) })).toEqual(['list'])
    expect(await codesOf(whole)).toEqual(['list'])
  })

  test('proves one asset alone', async () => {
    for (const index of [0, 1, 4095, 4096, 8191, 8192, 9998, 9999]) {
      const proof = { leaf: lines[index]!, index, path: pathOf(lines, index) }
      const shown = { ...whole, proof: bytes(JSON.stringify(proof)), files: [shownFile(files[index]!)], all: true }
      expect(await codesOf(shown)).toEqual([])
      const elsewhere = { ...proof, index: index ^ 1 }
      expect(await codesOf({ ...shown, proof: bytes(JSON.stringify(elsewhere)) })).toEqual(['proof'])
      const short = { ...proof, path: proof.path.slice(1) }
      expect(await codesOf({ ...shown, proof: bytes(JSON.stringify(short)) })).toEqual(['proof'])
      const another = shownFile(files[(index + 1) % files.length]!)
      expect(await codesOf({ ...shown, files: [another] })).toEqual(['unknown', 'missing'])
    }
  })
})

describe('the tree', () => {
  // Leaves and roots of the trees that implementations of RFC 6962 are held against.
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const roots = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  test('has the roots that others compute', async () => {
    const lines = leaves.map(leaf => Buffer.from(leaf, 'hex').toString())
    for (let count = 1; count <= 8; count++) {
      expect([count, rootByService(lines.slice(0, count))]).toEqual([count, roots[count - 1]])
      expect([count, await rootOf(lines.slice(0, count))]).toEqual([count, roots[count - 1]])
    }
    expect(rootByService([])).toBe(createHash('sha256').digest('hex'))
    expect(await rootOf([])).toBe(rootByService([]))
  })

  test('is the same on both sides, and every path leads to its root from its own place alone', async () => {
    const drawn = fc.tuple(fc.array(fc.string(), { minLength: 1, maxLength: 300 }), fc.nat())
    const property = fc.asyncProperty(drawn, async ([lines, n]) => {
      const root = rootByService(lines)
      expect(await rootOf(lines)).toBe(root)
      const index = n % lines.length
      const path = pathOf(lines, index).map(hash => Uint8Array.from(Buffer.from(hash, 'hex')))
      const rootFrom = (line: string, at: number) => rootByPath(line, at, lines.length, path)
      expect(await rootFrom(lines[index]!, index)).toBe(root)
      expect(await rootFrom(`${lines[index]} `, index)).not.toBe(root)
      const other = lines.findIndex(line => line !== lines[index])
      if (other >= 0) expect(await rootFrom(lines[index]!, other)).not.toBe(root)
    })
    await fc.assert(property, { numRuns: runs(1000) })
  })
})
