import { type PDFDict, type PDFDocument, PDFRawStream } from '@cantoo/pdf-lib'
import { arrayAt, decode, numberAt } from '../objects/objects.ts'
import { endless } from './raster.ts'

/** How often a mesh may cover the area that it lies in: one that is a drawing covers it once or twice. */
const mostLayers = 200

/** Triangles, cells and patches that all meshes of a document may have. */
const mostParts = 500_000

/** Points and colours of a patch by the kind of shading, and how many of them it shares with the patch before. */
const patches = new Map([
  [6, { points: 12, colours: 4 }],
  [7, { points: 16, colours: 4 }],
])
const shared = { points: 4, colours: 2 }

/** The kind of shading whose vertices form a lattice. */
const lattice = 5

type Point = readonly [x: number, y: number]

/** Reads numbers of some bits each, the highest bit first. */
const bitReader = (bytes: Uint8Array) => {
  let at = 0
  return {
    isAtEnd: () => at >= 8 * bytes.length,
    read: (bits: number): number => {
      let number = 0
      for (const end = at + bits; at < end; ) {
        const taken = Math.min(8 - (at & 7), end - at)
        const byte = bytes[at >> 3] ?? 0
        number = number * 2 ** taken + ((byte >> (8 - (at & 7) - taken)) & ((1 << taken) - 1))
        at += taken
      }
      return number
    },
    /** Leaves out so many bits and what is left of the last byte. */
    skip: (bits: number) => {
      at = 8 * Math.ceil((at + bits) / 8)
    },
  }
}

/** Bits of a number as the format allows them; the reader draws no mesh that has others. */
const bitsAt = (dict: PDFDict, key: string): number => Math.min(32, Math.max(1, numberAt(dict, key) ?? 8))

/**
 * The points of each part of a mesh that is drawn by itself (a triangle, a cell of a lattice, a patch), in coordinates of the
 * data from 0 to 1.
 */
function* partsOf(dict: PDFDict, data: Uint8Array): Generator<Point[]> {
  const kind = numberAt(dict, 'ShadingType') ?? 0
  const [coordinate, component] = [bitsAt(dict, 'BitsPerCoordinate'), bitsAt(dict, 'BitsPerComponent')]
  const components = Math.max(1, ((arrayAt(dict, 'Decode')?.length ?? 6) - 4) / 2)
  const bits = bitReader(data)
  const largest = 2 ** coordinate - 1
  const read = (points: number, colours: number): Point[] => {
    const found = Array.from(
      { length: points },
      (): Point => [bits.read(coordinate) / largest, bits.read(coordinate) / largest],
    )
    bits.skip(colours * components * component)
    return found
  }
  const patch = patches.get(kind)
  const row = kind === lattice ? Math.max(1, Math.trunc(numberAt(dict, 'VerticesPerRow') ?? 2)) : 1
  const above = new Map<number, Point[]>()
  let last: Point[] = []
  for (let vertex = 0; !bits.isAtEnd(); vertex++) {
    const continues = kind !== lattice && (bits.read(bitsAt(dict, 'BitsPerFlag')) & 3) !== 0
    const left = continues ? shared : { points: 0, colours: 0 }
    const fresh = patch ? read(patch.points - left.points, patch.colours - left.colours) : read(1, 1)
    if (patch) yield continues ? [...last.slice(-shared.points), ...fresh] : fresh
    else if (kind === lattice) yield [...(above.get(vertex % row) ?? []), ...last, ...fresh]
    else yield [...last, ...fresh]
    last = patch || kind === lattice ? fresh : [...last.slice(-1), ...fresh]
    if (kind === lattice) above.set(vertex % row, fresh)
  }
}

type Box = readonly [left: number, bottom: number, right: number, top: number]

const areaOf = ([left, bottom, right, top]: Box) => Math.max(0, right - left) * Math.max(0, top - bottom)

const boxOf = (points: readonly Point[], [left, bottom, right, top]: Box): Box => {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return [Math.min(left, ...xs), Math.min(bottom, ...ys), Math.max(right, ...xs), Math.max(top, ...ys)]
}

const nowhere: Box = [1, 1, 0, 0]

/** How often the parts of a mesh, as rectangles, cover the one that all of them lie in; and how many parts there are. */
const measure = (dict: PDFDict, data: Uint8Array, most: number): { layers: number; parts: number } => {
  let [all, covered, parts] = [nowhere, 0, 0]
  for (const points of partsOf(dict, data)) {
    if (++parts > most) break
    all = boxOf(points, all)
    covered += areaOf(boxOf(points, nowhere))
  }
  return { layers: covered / Math.max(areaOf(all), Number.MIN_VALUE), parts }
}

/** Whether a PDF may hold a mesh, which is a stream, so that its dictionary can be read in the bytes of the file. */
export const mayHoldMeshes = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('/ShadingType')

/**
 * Throws `limit_exceeded` where the parts of a mesh cover each other hundreds of times, or where meshes have too many of them:
 * the reader takes up to milliseconds for each, and nothing can interrupt it.
 */
export const refuseDenseMeshes = ({ context }: PDFDocument): void => {
  let left = mostParts
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream) || numberAt(object.dict, 'ShadingType') === undefined) continue
    const data = decode(object)
    if (!data) continue
    const { layers, parts } = measure(object.dict, data, left)
    left -= parts
    if (layers > mostLayers || left < 0) throw endless()
  }
}
