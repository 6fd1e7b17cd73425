/** Sizes in bytes, head included, of records that always have the same, by their numbers in [MS-WMF]. */
export const fixedSizes: ReadonlyMap<number, number> = new Map([
  ...[0x1e, 0x35].map(type => [type, 6] as const),
  ...[0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0x108, 0x127, 0x12c, 0x12d, 0x12e, 0x139, 0x1f0].map(
    type => [type, 8] as const,
  ),
  ...[0x201, 0x209, 0x20a, 0x20b, 0x20c, 0x20d, 0x20e, 0x20f, 0x211, 0x213, 0x214, 0x220, 0x231, 0x149].map(
    type => [type, 10] as const,
  ),
  [0x234, 8],
  ...[0x410, 0x412, 0x415, 0x416, 0x418, 0x419, 0x41b, 0x41f, 0x2fc].map(type => [type, 14] as const),
  ...[0x2fa, 0x548].map(type => [type, 16] as const),
  ...[0x61c, 0x61d].map(type => [type, 18] as const),
  ...[0x817, 0x81a, 0x830].map(type => [type, 22] as const),
])

/** Records that ask for a setting which programs can do without. */
export const optional: ReadonlySet<number> = new Set([0x105, 0x231, 0x149])

/** Sizes of records with lists, from the counts in them. Undefined where it is no such record. */
export function listSize(type: number, record: Buffer): number | undefined {
  const at = (offset: number) => (offset + 2 <= record.length ? record.readUInt16LE(offset) : 0)
  if (type === 0x324 || type === 0x325) return 8 + 4 * at(6)
  if (type === 0x538) {
    const counts = Array.from({ length: at(6) }, (_, index) => at(8 + 2 * index))
    return 8 + 2 * counts.length + 4 * counts.reduce((sum, count) => sum + count, 0)
  }
  if (type === 0xf7 || type === 0x37 || type === 0x436) return 10 + 4 * at(8)
  return undefined
}

/**
 * Records with a bitmap: where it begins, where its place stands (height first, from the end of the record's fields), and
 * where its colours are said to be those of a palette.
 */
export const bitmapFields: ReadonlyMap<number, { fixed: number; usage?: number; brush?: true }> = new Map([
  [0x940, { fixed: 22 }],
  [0xb41, { fixed: 26 }],
  [0xf43, { fixed: 28, usage: 10 }],
  [0xd33, { fixed: 24, usage: 6 }],
  [0x142, { fixed: 10, usage: 8, brush: true }],
])
