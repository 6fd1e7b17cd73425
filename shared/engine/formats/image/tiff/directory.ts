import { EngineError } from '../../../errors.ts'

/** Tags of TIFF 6.0 and of its supplements that say how pixels are stored. */
export const tags = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  xResolution: 282,
  planarConfiguration: 284,
  t4Options: 292,
  resolutionUnit: 296,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
} as const

/** Other tags that say how pixels are stored or shown. */
const technical: ReadonlySet<number> = new Set([
  ...[254, 255, 263, 264, 265, 280, 281, 290, 291, 293, 297, 301, 318, 319, 321, 326, 327, 328, 340, 341],
  ...[512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532],
])

/** One picture of a TIFF: the values of its known tags, nothing for others. Numbers, never more of them than the file has bytes. */
export type Directory = ReadonlyMap<number, readonly number[]>

/** Bytes of a value by its type: BYTE, ASCII, SHORT, LONG, RATIONAL, ..., LONG8, SLONG8, IFD8. */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
const known: ReadonlySet<number> = new Set(Object.values(tags))

/** Offsets and counts are 4 bytes long in a TIFF and 8 in a BigTIFF, those of a directory's entries 2 and 8. */
type Layout = { little: boolean; offset: 4 | 8; entries: 2 | 8; entry: 12 | 20; first: number }

const corrupt = (reason: string) => new EngineError('corrupt_file', reason)

/** Reads numbers at their place; throws where that lies outside the file. */
function numbersOf(file: Buffer, little: boolean) {
  const at = (start: number, bytes: number) => {
    if (start < 0 || start + bytes > file.length) throw corrupt('The TIFF points outside of itself')
    return start
  }
  return (start: number, bytes: number): number => {
    const place = at(start, bytes)
    if (bytes === 1) return file[place] as number
    if (bytes === 8) return Number(little ? file.readBigUInt64LE(place) : file.readBigUInt64BE(place))
    return little ? file.readUIntLE(place, bytes) : file.readUIntBE(place, bytes)
  }
}

function layoutOf(file: Buffer): Layout {
  const little = file.toString('latin1', 0, 2) === 'II'
  const number = numbersOf(file, little)
  return number(2, 2) === 43
    ? { little, offset: 8, entries: 8, entry: 20, first: number(8, 8) }
    : { little, offset: 4, entries: 2, entry: 12, first: number(4, 4) }
}

/** Type 5, RATIONAL: two numbers of four bytes. */
const rational = 5

/** The values of one entry of a directory; nothing where its type is none of numbers. */
function valuesOf(file: Buffer, layout: Layout, at: number): number[] {
  const { little, offset } = layout
  const number = numbersOf(file, little)
  const type = number(at + 2, 2)
  const size = typeBytes[type] ?? 0
  const count = number(at + 4, offset)
  if (size === 0) return []
  if (count * size > file.length) throw corrupt('A tag of the TIFF is longer than the file')
  const inPlace = at + 4 + offset
  const start = count * size <= offset ? inPlace : number(inPlace, offset)
  return Array.from({ length: count }, (_, n) => {
    const place = start + n * size
    return type === rational ? number(place, 4) / Math.max(1, number(place + 4, 4)) : number(place, size)
  })
}

/**
 * The pictures of a TIFF or BigTIFF in their order (TIFF 6.0, section 2). Throws `corrupt_file` where the list of pictures
 * comes back to one that it has been at, and where anything points outside of the file.
 */
export function readDirectories(file: Buffer): Directory[] {
  const layout = layoutOf(file)
  const number = numbersOf(file, layout.little)
  const seen = new Set<number>()
  const directories: Directory[] = []
  for (let at = layout.first; at !== 0; ) {
    if (seen.has(at)) throw corrupt('The pages of the TIFF follow each other in a ring')
    seen.add(at)
    const entries = number(at, layout.entries)
    if (entries * layout.entry > file.length) throw corrupt('A directory of the TIFF is longer than the file')
    const directory = new Map<number, readonly number[]>()
    for (let n = 0, entry = at + layout.entries; n < entries; n++, entry += layout.entry) {
      const tag = number(entry, 2)
      directory.set(tag, known.has(tag) ? valuesOf(file, layout, entry) : [])
    }
    directories.push(directory)
    at = number(at + layout.entries + entries * layout.entry, layout.offset)
  }
  return directories
}

/** The first value of a tag, or what stands for it where it is absent. */
export const firstValue = (directory: Directory, tag: number, absent: number): number =>
  directory.get(tag)?.[0] ?? absent

/** Whether a TIFF has tags that say more than how its pixels are stored and shown. */
export const hasOtherTags = (file: Buffer): boolean =>
  readDirectories(file).some(directory => [...directory.keys()].some(tag => !known.has(tag) && !technical.has(tag)))
