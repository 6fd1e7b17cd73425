import type { Keyed } from './keyed.ts'

/** Addresses as numbers, from the first up to, not including, `end`. */
type Range = { start: number; end: number }

const network = (start: number, bits: number): Range => ({ start, end: start + 2 ** (32 - bits) })

/** Networks that are used inside of others or in texts only, and so belong to nobody (RFC 6890). */
const inner = [
  network(0x00000000, 8),
  network(0x0a000000, 8),
  network(0x64400000, 10),
  network(0x7f000000, 8),
  network(0xa9fe0000, 16),
  network(0xac100000, 12),
  network(0xc0000200, 24),
  network(0xc0a80000, 16),
  network(0xc6120000, 15),
  network(0xc6336400, 24),
  network(0xcb007100, 24),
]
/** Addresses of groups (RFC 5771). */
const groups = [network(0xe0000000, 4)]
/** Addresses that nobody uses (RFC 1112). */
const unused = [network(0xf0000000, 4)]

/** What lies between ranges, which are in order. */
function between(ranges: readonly Range[]): Range[] {
  const ends = [...ranges.map(({ start }) => start), 2 ** 32]
  return [0, ...ranges.map(({ end }) => end)]
    .map((start, index) => ({ start, end: ends[index]! }))
    .filter(({ start, end }) => start < end)
}

const sizeOf = (ranges: readonly Range[]) => ranges.reduce((sum, { start, end }) => sum + end - start, 0)

/** Number of an address within ranges, from 0; undefined where it is in none. */
function placeIn(ranges: readonly Range[], address: number): number | undefined {
  let before = 0
  for (const { start, end } of ranges) {
    if (address >= start && address < end) return before + address - start
    before += end - start
  }
  return undefined
}

/** The address with a number within ranges. */
function addressAt(ranges: readonly Range[], place: number): number {
  let rest = place
  for (const { start, end } of ranges) {
    if (rest < end - start) return start + rest
    rest -= end - start
  }
  throw new RangeError('The ranges have no such address')
}

/** All others, which may be somebody's. */
const publics = between([...inner, ...groups, ...unused])

/**
 * What stands for addresses of some ranges. Those of inner networks become ones that nobody uses, which are more. Of public
 * addresses there are many times more than of those, so only public ones can stand for them without two becoming the same.
 */
const kinds = [
  { name: 'inner', from: inner, to: unused },
  { name: 'group', from: groups, to: groups },
  { name: 'unused', from: unused, to: unused },
  { name: 'public', from: publics, to: publics },
].map(kind => ({ ...kind, size: sizeOf(kind.to) }))

/** Another address for a valid one: no two of one kind become the same. */
export function otherIPv4(address: string, keyed: Keyed): string {
  const number = address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
  for (const { name, from, to, size } of kinds) {
    const place = placeIn(from, number)
    if (place === undefined) continue
    const made = addressAt(to, keyed.permute(place, size, `ipv4|${name}`))
    return [24, 16, 8, 0].map(bits => Math.floor(made / 2 ** bits) % 256).join('.')
  }
  throw new RangeError('No such address')
}
