import type { Bitmap, Bitmaps } from '../bitmap.ts'
import { readGif } from './blocks.ts'
import { pack } from './lzw.ts'

/** Opacity, of 255, from which a pixel is shown: GIF knows nothing between. */
const solid = 128

/** Pixels of a bitmap as colours of 24 bits, or -1 where nothing is shown. */
const coloursOf = ({ data }: Bitmap): Int32Array =>
  Int32Array.from({ length: data.length / 4 }, (_, at) =>
    data[at * 4 + 3]! < solid ? -1 : (data[at * 4]! << 16) | (data[at * 4 + 1]! << 8) | data[at * 4 + 2]!,
  )

/**
 * Encodes what is shown moment by moment as a GIF. `source`: the GIF that it came from, which tells how long each moment
 * lasts and how often all is shown. Nothing else of it is taken over.
 */
export async function encodeGif(pages: Bitmaps, source: Uint8Array): Promise<Uint8Array> {
  const { frames = [], loops } = readGif(source) ?? {}
  let [width, height] = [0, 0]
  const shown: Int32Array[] = []
  for await (const page of pages) {
    ;({ width, height } = page)
    shown.push(coloursOf(page))
  }
  // Where a moment has holes, the one before it is cleared; otherwise what stays the same need not be stored again.
  const holes = shown.some(colours => colours.includes(-1))
  const parts: Uint8Array[] = [
    Buffer.from('GIF89a', 'latin1'),
    Uint8Array.of(width & 255, width >> 8, height & 255, height >> 8, 0, 0, 0),
  ]
  if (loops !== undefined)
    parts.push(Buffer.from('21ff0b4e45545343415045322e300301', 'hex'), Uint8Array.of(loops & 255, loops >> 8, 0))
  shown.forEach((colours, index) => {
    const before = holes ? undefined : shown[index - 1]
    const different = before ? colours.map((colour, at) => (colour === before[at] ? -1 : colour)) : colours
    parts.push(...frameOf(different, width, height, frames[index]?.delay ?? 0, holes))
  })
  parts.push(Uint8Array.of(0x3b))
  return Buffer.concat(parts)
}

function frameOf(colours: Int32Array, width: number, height: number, delay: number, cleared: boolean): Uint8Array[] {
  const { pixels, palette, transparent } = indexed(colours)
  const bits = Math.max(1, Math.ceil(Math.log2(palette.length / 3)))
  const table = new Uint8Array(3 * 2 ** bits)
  table.set(palette)
  const codeSize = Math.max(2, bits)
  const packed = pack(pixels, codeSize)
  const flags = ((cleared ? 2 : 1) << 2) | (transparent >= 0 ? 1 : 0)
  const control = Uint8Array.of(0x21, 0xf9, 4, flags, delay & 255, delay >> 8, Math.max(0, transparent), 0)
  const size = [width & 255, width >> 8, height & 255, height >> 8]
  const out: Uint8Array[] = [
    control,
    Uint8Array.of(0x2c, 0, 0, 0, 0, ...size, 0x80 | (bits - 1)),
    table,
    Uint8Array.of(codeSize),
  ]
  for (let at = 0; at < packed.length; at += 255) {
    const block = packed.subarray(at, at + 255)
    out.push(Uint8Array.of(block.length), block)
  }
  out.push(Uint8Array.of(0))
  return out
}

/** The same with a palette: all colours where there are few enough, else the most frequent, each other as the nearest of them. */
function indexed(colours: Int32Array): { pixels: Uint8Array; palette: Uint8Array; transparent: number } {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const holes = counts.delete(-1)
  const chosen = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, holes ? 255 : 256)
    .map(([colour]) => colour)
  const indices = new Map(chosen.map((colour, index) => [colour, index]))
  const transparent = holes ? chosen.length : -1
  indices.set(-1, transparent)
  const pixels = new Uint8Array(colours.length)
  colours.forEach((colour, at) => {
    let index = indices.get(colour)
    if (index === undefined) {
      index = nearest(chosen, colour)
      indices.set(colour, index)
    }
    pixels[at] = index
  })
  const palette = Uint8Array.from(chosen.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return { pixels, palette: holes ? Buffer.concat([palette, Buffer.alloc(3)]) : palette, transparent }
}

function nearest(chosen: readonly number[], colour: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  chosen.forEach((other, index) => {
    const [red, green, blue] = [16, 8, 0].map(shift => ((other >> shift) & 255) - ((colour >> shift) & 255))
    const distance = red! * red! + green! * green! + blue! * blue!
    if (distance < least) [best, least] = [index, distance]
  })
  return best
}
