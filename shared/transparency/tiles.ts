import { joined, levelsOf, type Range, type Subtree, subtreesOf } from './tree.ts'

/** Hashes of a full tile, and entries of a full bundle (C2SP tlog-tiles). */
export const WIDTH = 256
/** Levels of the tree between the hashes of a tile and those of the tile above. */
const HEIGHT = 8
const HASH_BYTES = 32
/** Bytes that the length of an entry is written in. */
const LENGTH_BYTES = 2
/** Longest entry, bytes. */
export const LONGEST_ENTRY = 0xffff

/** A tile of hashes on a level of tiles, or a bundle of entries; it holds its first `width`, from 1 to 256. */
export type Tile = { level: number | 'entries'; index: number; width: number }

/** Reads a tile that is there. */
export type ReadTile = (tile: Tile) => Promise<Buffer>

/** A tile with what it holds. */
export type FilledTile = Tile & { bytes: Buffer }

/** Path of a tile: its number in groups of three digits, with its width where it is not full. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g)!
  const number = groups.map((group, n) => (n < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${number}${width === WIDTH ? '' : `.p/${width}`}`
}

/** The tile of a path; undefined where it is none as {@link tilePath} writes them. */
export function tileOf(path: string): Tile | undefined {
  const [, level = '', number = '', width = '256'] =
    /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? []
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(number.replace(/\D/g, '')),
    width: Number(width),
  }
  const written = number !== '' && tile.width >= 1 && tile.width <= WIDTH && tilePath(tile) === path
  return written && (tile.level === 'entries' || tile.level < 64) ? tile : undefined
}

/** The tile of a level in a log of so many entries; undefined where it has no such tile. */
export function tileIn(size: number, level: Tile['level'], index: number): Tile | undefined {
  const hashes = Math.floor(size / WIDTH ** (level === 'entries' ? 0 : level))
  const width = Math.min(WIDTH, hashes - index * WIDTH)
  return index >= 0 && width > 0 ? { level, index, width } : undefined
}

/** The hashes of a tile; throws where its bytes are not those of its width. */
function hashesOf(bytes: Buffer, { width }: Tile): Buffer[] {
  if (bytes.length !== width * HASH_BYTES) throw new Error('A tile of the log has not the size of its width')
  return Array.from({ length: width }, (_, n) => bytes.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES))
}

/** Hash of a complete tree within a log of `size` entries. */
async function subtreeHash(size: number, { level, index }: Subtree, read: ReadTile): Promise<Buffer> {
  const above = level % HEIGHT
  const first = index * 2 ** above
  const tile = tileIn(size, (level - above) / HEIGHT, Math.floor(first / WIDTH))!
  const at = first % WIDTH
  const [hash] = levelsOf(hashesOf(await read(tile), tile).slice(at, at + 2 ** above)).at(-1)!
  return hash!
}

/** Hash of the tree over a range of a log of `size` entries, as RFC 6962 divides it. */
export async function rangeHash(size: number, range: Range, read: ReadTile): Promise<Buffer> {
  return joined(await Promise.all(subtreesOf(range).map(subtree => subtreeHash(size, subtree, read))))
}

/** Entries as a bundle: each behind its length (unsigned, 16 bits, the higher byte first). */
export function bundleOf(entries: readonly string[]): Buffer {
  const parts = entries.flatMap(entry => {
    const bytes = Buffer.from(entry)
    if (bytes.length > LONGEST_ENTRY) throw new Error('An entry of the log is too long')
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt16BE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat(parts)
}

/** The entries of a bundle; throws where it holds others than `width`. */
export function entriesOf(bundle: Buffer, { width }: Pick<Tile, 'width'>): string[] {
  const entries: string[] = []
  let at = 0
  while (at + LENGTH_BYTES <= bundle.length) {
    const end = at + LENGTH_BYTES + bundle.readUInt16BE(at)
    if (end > bundle.length) break
    entries.push(bundle.toString('utf8', at + LENGTH_BYTES, end))
    at = end
  }
  if (at !== bundle.length || entries.length !== width)
    throw new Error('A bundle of the log has not the entries of its width')
  return entries
}

/** Items that stand from a number on, after those of the tile that the number is in, by tile. */
const split = <T>(items: readonly T[], first: number): { index: number; items: T[] }[] =>
  Array.from({ length: Math.ceil(items.length / WIDTH) }, (_, n) => ({
    index: first + n,
    items: items.slice(n * WIDTH, (n + 1) * WIDTH),
  }))

/** The bundles that entries make which follow the first `size`. */
export async function newBundles(size: number, entries: readonly string[], read: ReadTile): Promise<FilledTile[]> {
  const begun = size % WIDTH
  const first = Math.floor(size / WIDTH)
  const before = begun === 0 ? undefined : ({ level: 'entries', index: first, width: begun } as const)
  const all = before ? [...entriesOf(await read(before), before), ...entries] : entries
  return split(all, first).map(({ index, items }) => ({
    level: 'entries',
    index,
    width: items.length,
    bytes: bundleOf(items),
  }))
}

/** The tiles that hashes of entries make which follow the first `size`, level by level. */
export async function newTiles(size: number, leaves: readonly Buffer[], read: ReadTile): Promise<FilledTile[]> {
  const tiles: FilledTile[] = []
  let [level, start, hashes] = [0, size, leaves]
  while (hashes.length > 0) {
    const begun = start % WIDTH
    const first = Math.floor(start / WIDTH)
    const before = { level, index: first, width: begun }
    const all = begun === 0 ? hashes : [...hashesOf(await read(before), before), ...hashes]
    const made = split(all, first)
    for (const { index, items } of made) tiles.push({ level, index, width: items.length, bytes: Buffer.concat(items) })
    hashes = made.filter(({ items }) => items.length === WIDTH).map(({ items }) => levelsOf(items).at(-1)![0]!)
    start = first
    level++
  }
  return tiles
}
