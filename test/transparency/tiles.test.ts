import { expect, test } from 'vitest'
import {
  bundleOf,
  entriesOf,
  LONGEST_ENTRY,
  newBundles,
  newTiles,
  rangeHash,
  type Tile,
  tileIn,
  tileOf,
  tilePath,
} from '../../shared/transparency/tiles.ts'
import { hashWithin, inclusionPath, leafHash, levelsOf } from '../../shared/transparency/tree.ts'

/** A log in memory that is never written twice at the same place. */
function memory() {
  const tiles = new Map<string, Buffer>()
  const read = async (tile: Tile) => tiles.get(tilePath(tile))!
  const grow = async (size: number, entries: string[]) => {
    const made = [...(await newTiles(size, entries.map(leafHash), read)), ...(await newBundles(size, entries, read))]
    for (const tile of made) {
      expect(tiles.has(tilePath(tile))).toBe(false)
      tiles.set(tilePath(tile), tile.bytes)
    }
  }
  return { tiles, read, grow }
}

test('tiles are those of the specification: 70,000 entries', async () => {
  const { tiles, read, grow } = memory()
  const entries = Array.from({ length: 70_000 }, (_, n) => `entry ${n}`)
  const sizes = [0, 1, 6, 256, 257, 512, 812, 70_000]
  for (const [n, size] of sizes.entries()) if (n > 0) await grow(sizes[n - 1]!, entries.slice(sizes[n - 1]!, size))
  const levels = levelsOf(entries.map(leafHash))
  for (const size of sizes) expect(await rangeHash(size, [0, size], read)).toEqual(hashWithin(levels, [0, size]))
  for (const index of [0, 255, 256, 65_535, 65_536, 69_999]) {
    for (const range of inclusionPath(index, [0, 70_000]))
      expect(await rangeHash(70_000, range, read)).toEqual(hashWithin(levels, range))
  }
  const above = [...tiles.keys()].filter(path => /^tile\/[1-9]/.test(path)).sort()
  expect(above).toEqual([
    'tile/1/000',
    'tile/1/000.p/1',
    'tile/1/000.p/2',
    'tile/1/000.p/3',
    'tile/1/001.p/17',
    'tile/2/000.p/1',
  ])
  expect(tileIn(70_000, 0, 272)).toEqual({ level: 0, index: 272, width: 256 })
  expect(tileIn(70_000, 0, 273)).toEqual({ level: 0, index: 273, width: 112 })
  expect(tileIn(70_000, 1, 1)).toEqual({ level: 1, index: 1, width: 17 })
  expect(tileIn(70_000, 2, 0)).toEqual({ level: 2, index: 0, width: 1 })
  expect(tileIn(70_000, 3, 0)).toBeUndefined()
  expect(entriesOf(tiles.get('tile/entries/273.p/112')!, { width: 112 })).toEqual(entries.slice(-112))
})

test('each tile has one path', () => {
  const tile = { level: 0, index: 1_234_067, width: 256 }
  expect(tilePath(tile)).toBe('tile/0/x001/x234/067')
  expect(tileOf('tile/0/x001/x234/067')).toEqual(tile)
  expect(tileOf('tile/entries/000.p/7')).toEqual({ level: 'entries', index: 0, width: 7 })
  const others = [
    'tile/0/x000/067',
    'tile/0/67',
    'tile/0/001/067',
    'tile/00/000',
    'tile/64/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/07',
    'tile/0/000/',
    'tile/0/000\n',
    'tile/../checkpoint',
    'checkpoint',
    '',
  ]
  expect(others.filter(path => tileOf(path) !== undefined)).toEqual([])
})

test('a bundle holds texts of any characters, and none that is too long', () => {
  const entries = ['', 'a', 'ü€😀', 'x'.repeat(LONGEST_ENTRY)]
  const bundle = bundleOf(entries)
  expect(bundle.subarray(0, 5)).toEqual(Buffer.from([0, 0, 0, 1, 0x61]))
  expect(entriesOf(bundle, { width: 4 })).toEqual(entries)
  expect(() => bundleOf(['x'.repeat(LONGEST_ENTRY + 1)])).toThrow('too long')
})

test('a bundle or tile that was cut, or holds more, is not read', async () => {
  const bundle = bundleOf(['one', 'two'])
  for (const wrong of [bundle.subarray(0, -1), Buffer.concat([bundle, Buffer.of(0)]), Buffer.alloc(0)])
    expect(() => entriesOf(wrong, { width: 2 })).toThrow('width')
  expect(() => entriesOf(bundle, { width: 1 })).toThrow('width')
  await expect(rangeHash(2, [0, 2], async () => Buffer.alloc(63))).rejects.toThrow('width')
})
