import type { Bitmap } from '../image/bitmap.ts'

/** A bitmap of Windows: its header with its colours, its pixels as stored, and what it shows. */
export type Dib = { info: Buffer; bits: Buffer; bitmap: Bitmap }

/** Pixels of the largest bitmap that is read. */
const maxPixels = 40_000_000

type Layout = { width: number; height: number; depth: number; masks: number[]; colours: number; size: number }

/** What a header says; undefined where it says something that is not read: packed pixels, profiles, colours by palette. */
function layoutOf(info: Buffer): Layout | undefined {
  if (info.length < 12) return undefined
  const size = info.readUInt32LE(0)
  if (size === 12) {
    const depth = info.readUInt16LE(10)
    const colours = depth <= 8 ? 2 ** depth : 0
    return {
      width: info.readUInt16LE(4),
      height: info.readInt16LE(6),
      depth,
      masks: [],
      colours,
      size: 12 + 3 * colours,
    }
  }
  if (size < 40 || size > 124 || info.length < size) return undefined
  const [depth, packing] = [info.readUInt16LE(14), info.readUInt32LE(16)]
  if ((packing !== 0 && packing !== 3) || (size === 124 && info.readUInt32LE(116) > 0)) return undefined
  const behind = packing === 3 && size === 40 ? 12 : 0
  if (info.length < size + behind) return undefined
  const masks = packing === 3 ? [40, 44, 48].map(at => info.readUInt32LE(at)) : []
  const used = info.readUInt32LE(32)
  const colours = depth <= 8 ? Math.min(used || 2 ** depth, 2 ** depth) : 0
  return {
    width: info.readInt32LE(4),
    height: info.readInt32LE(8),
    depth,
    masks,
    colours,
    size: size + behind + 4 * colours,
  }
}

/** Reads a bitmap from its header and its pixels, which follow the header where they are not given. */
export function readDib(info: Buffer, pixels?: Buffer): Dib | undefined {
  const layout = layoutOf(info)
  if (layout === undefined || ![1, 4, 8, 16, 24, 32].includes(layout.depth)) return undefined
  const { width, depth, masks } = layout
  const height = Math.abs(layout.height)
  if (width <= 0 || height === 0 || width * height > maxPixels || info.length < layout.size) return undefined
  const stride = Math.ceil((width * depth) / 32) * 4
  const all = pixels ?? info.subarray(layout.size)
  if (all.length < stride * height) return undefined
  const bits = all.subarray(0, stride * height)
  const palette = paletteOf(info, layout)
  const data = new Uint8ClampedArray(width * height * 4)
  const shown = new Uint32Array(data.buffer)
  for (let y = 0; y < height; y++) {
    const row = bits.subarray((layout.height > 0 ? height - 1 - y : y) * stride)
    for (let x = 0; x < width; x++) shown[y * width + x] = colourAt(row, x, depth, palette, masks)
  }
  return { info: Buffer.from(info.subarray(0, layout.size)), bits: Buffer.from(bits), bitmap: { width, height, data } }
}

const rgb = (red: number, green: number, blue: number) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0

function paletteOf(info: Buffer, { colours, size, depth }: Layout): Uint32Array {
  const palette = new Uint32Array(depth <= 8 ? 2 ** depth : 0).fill(rgb(0, 0, 0))
  const bytes = info.readUInt32LE(0) === 12 ? 3 : 4
  for (let index = 0; index < colours; index++) {
    const at = size - bytes * (colours - index)
    palette[index] = rgb(info[at + 2]!, info[at + 1]!, info[at]!)
  }
  return palette
}

function colourAt(row: Buffer, x: number, depth: number, palette: Uint32Array, masks: number[]): number {
  if (depth <= 8) {
    const at = x * depth
    return palette[(row[at >> 3]! >> (8 - depth - (at & 7))) & (2 ** depth - 1)]!
  }
  if (depth === 24) return rgb(row[x * 3 + 2]!, row[x * 3 + 1]!, row[x * 3]!)
  const value = depth === 16 ? row.readUInt16LE(x * 2) : row.readUInt32LE(x * 4)
  const usual = depth === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff]
  const [red, green, blue] = (masks.length > 0 ? masks : usual).map(mask => {
    const low = (mask & -mask) >>> 0
    return mask === 0 ? 0 : Math.round((((value & mask) >>> 0) / mask) * 255 * (low > 0 ? 1 : 0))
  })
  return rgb(red!, green!, blue!)
}
