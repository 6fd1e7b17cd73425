import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  consistencyPath,
  hashWithin,
  inclusionPath,
  joined,
  leafHash,
  levelsOf,
  subtreesOf,
} from '../../shared/transparency/tree.ts'
import { isConsistent, rootByPath } from '../../verifier/tree.ts'
import { runs } from '../runs.ts'

/** Entries and roots of the trees over the first 1 to 8 of them, from the tests of Certificate Transparency. */
const entries = ['', '\0', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno']
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
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const levels = levelsOf(entries.map(leafHash))
const bytes = (hash: Uint8Array) => Uint8Array.from(hash)
const rootAt = (of: Buffer[][], size: number) => hashWithin(of, [0, size])

test('roots are those of RFC 6962', () => {
  expect(joined([]).toString('hex')).toBe(EMPTY)
  expect(roots.map((_, n) => rootAt(levels, n + 1).toString('hex'))).toEqual(roots)
})

test('a range is made of the largest complete trees', () => {
  expect(subtreesOf([0, 0])).toEqual([])
  expect(subtreesOf([0, 7]).map(({ level, index }) => [level, index])).toEqual([
    [2, 0],
    [1, 2],
    [0, 6],
  ])
  expect(subtreesOf([4, 8])).toEqual([{ level: 2, index: 1 }])
})

test('paths are those that RFC 6962 gives as examples', () => {
  // Section 2.1.3, a tree over seven entries.
  expect(inclusionPath(0, [0, 7])).toEqual([
    [1, 2],
    [2, 4],
    [4, 7],
  ])
  expect(inclusionPath(3, [0, 7])).toEqual([
    [2, 3],
    [0, 2],
    [4, 7],
  ])
  expect(inclusionPath(4, [0, 7])).toEqual([
    [5, 6],
    [6, 7],
    [0, 4],
  ])
  expect(inclusionPath(6, [0, 7])).toEqual([
    [4, 6],
    [0, 4],
  ])
  expect(consistencyPath(3, 7)).toEqual([
    [2, 3],
    [3, 4],
    [0, 2],
    [4, 7],
  ])
  expect(consistencyPath(4, 7)).toEqual([[4, 7]])
  expect(consistencyPath(6, 7)).toEqual([
    [4, 6],
    [6, 7],
    [0, 4],
  ])
  expect(consistencyPath(7, 7)).toEqual([])
})

test('the verifier follows each path in trees of up to 40 entries, and no other', async () => {
  const texts = Array.from({ length: 40 }, (_, n) => `entry ${n}`)
  const all = levelsOf(texts.map(leafHash))
  for (let size = 1; size <= texts.length; size++) {
    for (let index = 0; index < size; index++) {
      const path = inclusionPath(index, [0, size]).map(range => bytes(hashWithin(all, range)))
      expect(await rootByPath(texts[index]!, index, size, path)).toBe(rootAt(all, size).toString('hex'))
    }
    for (let first = 1; first <= size; first++) {
      const path = consistencyPath(first, size).map(range => bytes(hashWithin(all, range)))
      const trees = [first, size].map(one => [one, bytes(rootAt(all, one))] as const)
      expect(await isConsistent(trees[0]!, trees[1]!, path)).toBe(true)
      const other = [first, bytes(leafHash('another tree'))] as const
      expect(await isConsistent(other, trees[1]!, path)).toBe(false)
      expect(await isConsistent(trees[0]!, trees[1]!, [...path, bytes(leafHash('one more'))])).toBe(false)
    }
  }
})

test('a changed, a missing and a moved hash are refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 300 }), fc.nat(), fc.nat(), fc.nat(255), async (size, a, b, bit) => {
      const all = levelsOf(Array.from({ length: size }, (_, n) => leafHash(`${n}`)))
      const first = 1 + (a % (size - 1))
      const path = consistencyPath(first, size).map(range => bytes(hashWithin(all, range)))
      const older = [first, bytes(rootAt(all, first))] as const
      const newer = [size, bytes(rootAt(all, size))] as const
      expect(await isConsistent(older, newer, path)).toBe(true)
      const at = b % path.length
      const changed = path.map((hash, n) =>
        n === at ? hash.map((x, i) => (i === bit >> 3 ? x ^ (1 << (bit & 7)) : x)) : hash,
      )
      expect(await isConsistent(older, newer, changed)).toBe(false)
      expect(await isConsistent(older, newer, path.toSpliced(at, 1))).toBe(false)
      expect(await isConsistent(newer, older, path)).toBe(false)
    }),
    { numRuns: runs(300) },
  )
})
