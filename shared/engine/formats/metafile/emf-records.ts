/** Sizes in bytes of records that always have the same, by their numbers in [MS-EMF]. */
export const fixedSizes: ReadonlyMap<number, number> = new Map([
  ...[28, 33, 52, 59, 60, 61, 65, 66, 68].map(type => [type, 8] as const),
  ...[16, 17, 18, 19, 20, 21, 22, 24, 25, 34, 37, 40, 48, 57, 58, 67, 98, 115].map(type => [type, 12] as const),
  ...[9, 10, 11, 12, 13, 26, 27, 51, 54].map(type => [type, 16] as const),
  [15, 20],
  ...[29, 30, 31, 32, 39, 42, 43, 53, 62, 63, 64].map(type => [type, 24] as const),
  [38, 28],
  [41, 28],
  ...[23, 35, 44].map(type => [type, 32] as const),
  [36, 36],
  ...[45, 46, 47, 55].map(type => [type, 40] as const),
])

/** Records that nothing is lost without: remarks, EMF+ beside the records that show the same, profiles, data for printers. */
export const dispensable: ReadonlySet<number> = new Set([
  70, 99, 100, 101, 102, 103, 104, 105, 106, 109, 110, 111, 112, 113, 119, 120, 121, 122,
])

/** Sizes of records with lists, from the counts in them. Undefined where it is no such record. */
export function listSize(type: number, record: Buffer): number | undefined {
  const at = (offset: number) => (offset + 4 <= record.length ? record.readUInt32LE(offset) : 0)
  if (type >= 2 && type <= 6) return 28 + 8 * at(24)
  if (type === 7 || type === 8) return 32 + 4 * at(24) + 8 * at(28)
  if (type >= 85 && type <= 89) return 28 + 4 * at(24)
  if (type === 90 || type === 91) return 32 + 4 * at(24) + 4 * at(28)
  if (type === 49) return 16 + 4 * record.readUInt16LE(14)
  if (type === 50) return 20 + 4 * at(16)
  if (type === 75) return 16 + at(8)
  if (type === 118) return 36 + 16 * at(24) + (at(32) === 2 ? 12 : 8) * at(28)
  return undefined
}

/** Where records with a bitmap have its header's offset, its place and its size, and how long their fixed part is. */
export const bitmapFields: ReadonlyMap<number, { offsets: number; size: number; fixed: number }> = new Map([
  [76, { offsets: 84, size: 32, fixed: 100 }],
  [77, { offsets: 84, size: 32, fixed: 108 }],
  [80, { offsets: 48, size: 40, fixed: 76 }],
  [81, { offsets: 48, size: 72, fixed: 80 }],
  [93, { offsets: 16, size: 0, fixed: 32 }],
  [94, { offsets: 16, size: 0, fixed: 32 }],
  [114, { offsets: 84, size: 32, fixed: 108 }],
  [116, { offsets: 84, size: 32, fixed: 108 }],
])
