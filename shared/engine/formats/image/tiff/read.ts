import { EngineError } from '../../../errors.ts'
import { type Bitmap, release } from '../bitmap.ts'
import { decodeJpeg } from '../codecs.ts'
import { turned } from '../orientation.ts'
import { decodeByPdfium } from '../pdfium-image.ts'
import { jpegComponents, jpegSize, type Size } from '../size.ts'
import { undoDifferences, unpackBits, unpackDeflate, unpackLzw, unpackZstd } from './decompress.ts'
import { type Directory, firstValue, readDirectories, tags } from './directory.ts'
import { isGrey, type Samples, toPixels } from './samples.ts'

const compressions = { none: 1, fax: [2, 3, 4], lzw: 5, jpeg: 7, packBits: 32_773, deflate: [8, 32_946], zstd: 50_000 }
/** Bits of all samples of a pixel. */
const maxBits = 5 * 16
/** Samples that are read: five, of which the last is opacity or nothing that shows. */
const maxSamples = 5

const unsupported = () => new EngineError('unsupported_format', 'The TIFF is stored in a way that is not supported')

/** A stretch of a picture that is compressed by itself: a strip, or a tile. */
type Block = { bytes: Buffer; left: number; top: number; width: number; height: number; plane: number }

type Header = Size & Samples & { directory: Directory; compression: number; little: boolean }
type Page = Header & { blocks: Block[] }

/** How the pixels of a picture are stored, after a look at whether that can be read. */
function headerOf(file: Buffer, directory: Directory): Header {
  const value = (tag: number, absent: number) => firstValue(directory, tag, absent)
  const [width, height] = [value(tags.width, 0), value(tags.height, 0)]
  const bits = value(tags.bitsPerSample, 1)
  const samples = value(tags.samplesPerPixel, 1)
  const photometric = value(tags.photometric, 0)
  const perUnit = value(tags.xResolution, 0) * ([0, 0, 1, 2.54][value(tags.resolutionUnit, 2)] ?? 0)
  const allAlike = (directory.get(tags.bitsPerSample) ?? []).every(each => each === bits)
  if (width === 0 || height === 0) throw new EngineError('corrupt_file', 'A picture of the TIFF has no size')
  if (samples > maxSamples || samples * bits > maxBits || !allAlike || value(tags.sampleFormat, 1) !== 1)
    throw unsupported()
  return {
    width,
    height,
    dpi: perUnit || undefined,
    bits,
    samples,
    photometric,
    planar: value(tags.planarConfiguration, 1) === 2,
    colorMap: directory.get(tags.colorMap),
    opacity: extraOpacity(directory, photometric, samples),
    little: file[0] === 0x49,
    directory,
    compression: value(tags.compression, 1),
  }
}

/**
 * Which sample is opacity: 0 is none; 1 and 2 in the tag stand for one that colours are multiplied by, or not. A fourth
 * sample of which the tag says nothing is of the first kind, as libtiff takes it.
 */
function extraOpacity(directory: Directory, photometric: number, samples: number): Samples['opacity'] {
  const unsaid = photometric === 2 && samples === 4 ? 1 : 0
  const [extra = unsaid] = directory.get(tags.extraSamples) ?? []
  const at = photometric === 5 ? 4 : photometric === 2 || photometric === 6 ? 3 : 1
  return extra === 1 || extra === 2 ? { at, multiplied: extra === 1 } : undefined
}

function blocksOf(file: Buffer, { directory, width, height, planar, samples }: Header): Block[] {
  const isTiled = directory.has(tags.tileOffsets)
  const starts = directory.get(isTiled ? tags.tileOffsets : tags.stripOffsets) ?? []
  const lengths = directory.get(isTiled ? tags.tileByteCounts : tags.stripByteCounts) ?? []
  const wide = isTiled ? firstValue(directory, tags.tileWidth, 0) : width
  const high = isTiled
    ? firstValue(directory, tags.tileLength, 0)
    : Math.min(height, firstValue(directory, tags.rowsPerStrip, height))
  if (wide < 1 || high < 1) throw new EngineError('corrupt_file', 'The parts of a picture of the TIFF have no size')
  // Tiles are filled up to their size: more than the picture and a common tile is no use.
  if (wide > width + 4096 || high > height + 4096)
    throw new EngineError('limit_exceeded', 'A part of the TIFF is larger than its picture')
  const across = Math.ceil(width / wide)
  const inPlane = across * Math.ceil(height / high)
  if (starts.length !== inPlane * (planar ? samples : 1))
    throw new EngineError('corrupt_file', 'The TIFF lacks parts of a picture')
  return starts.map((start, n) => {
    // Old programs leave out the length of a picture's only strip.
    const length = lengths[n] ?? (starts.length === 1 ? file.length - start : 0)
    if (start + length > file.length) throw new EngineError('corrupt_file', 'The TIFF is cut off')
    const place = n % inPlane
    const top = Math.floor(place / across) * high
    return {
      bytes: file.subarray(start, start + length),
      left: (place % across) * wide,
      top,
      width: wide,
      height: isTiled ? high : Math.min(high, height - top),
      plane: Math.floor(n / inPlane),
    }
  })
}

/** Size of every page of a TIFF or BigTIFF, before any of them is decoded. Throws where one can't be read. */
export function tiffSizes(bytes: Uint8Array): Size[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return readDirectories(file).map(directory => {
    const header = headerOf(file, directory)
    const { width, height, dpi } = header
    return { width, height, dpi, grey: isGrey(header) }
  })
}

/** The pages of a TIFF or BigTIFF. Throws when one can't be decoded. The work is linear in pixels. */
export async function* decodeTiff(bytes: Uint8Array): AsyncGenerator<Bitmap> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const directory of readDirectories(file)) {
    const header = headerOf(file, directory)
    const page: Page = { ...header, blocks: blocksOf(file, header) }
    const stored = page.compression === compressions.jpeg ? await fromJpegs(page) : await fromSamples(page)
    const upright = turned(stored, firstValue(directory, tags.orientation, 1))
    if (upright !== stored) release(stored)
    yield upright
  }
}

const rowBytes = (page: Page, width: number) => Math.ceil((width * page.bits * (page.planar ? 1 : page.samples)) / 8)

async function fromSamples(page: Page): Promise<Bitmap> {
  const { width, height } = page
  const channels = isGrey(page) ? 1 : 4
  const isFax = compressions.fax.includes(page.compression)
  const fax = isFax ? await unpackFax(page) : []
  const unpacked = (n: number) => fax[n] ?? unpack(page, page.blocks[n]!)
  const data = new Uint8ClampedArray(width * height * channels)
  const inPlane = page.planar ? page.blocks.length / page.samples : page.blocks.length
  for (let n = 0; n < inPlane; n++) {
    const planes = page.planar
      ? Array.from({ length: page.samples }, (_, plane) => unpacked(plane * inPlane + n))
      : [unpacked(n)]
    const { left, top, width: wide, height: high } = page.blocks[n]!
    toPixels(page, planes, { data, width, height, channels }, { left, top, wide, high, rowBytes: rowBytes(page, wide) })
  }
  return { width, height, channels, data }
}

/** The samples of a block, as many as it has room for. */
function unpack(page: Page, block: Block): Buffer {
  const { compression, directory } = page
  const row = rowBytes(page, block.width)
  const size = row * block.height
  const source = firstValue(directory, tags.fillOrder, 1) === 2 ? reversed(block.bytes) : block.bytes
  const bytes =
    compression === compressions.none
      ? source
      : compression === compressions.lzw
        ? unpackLzw(source, size)
        : compression === compressions.packBits
          ? unpackBits(source, size)
          : compressions.deflate.includes(compression)
            ? unpackDeflate(source, size + slack)
            : compression === compressions.zstd
              ? unpackZstd(source, size + slack)
              : undefined
  if (!bytes) throw unsupported()
  const rows = Buffer.alloc(size)
  rows.set(bytes.subarray(0, size))
  const predictor = firstValue(directory, tags.predictor, 1)
  if (predictor > 2) throw unsupported()
  if (predictor === 2) {
    const samples = page.planar ? 1 : page.samples
    undoDifferences(rows, { rowBytes: row, samples, bits: page.bits, little: page.little })
  }
  return rows
}

/** Bytes by which some programs fill up the last strip. */
const slack = 1 << 20

/** Bytes whose lowest bit comes first, turned around. */
const reversed = (bytes: Uint8Array): Uint8Array =>
  bytes.map(byte => {
    let value = 0
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) value |= 0x80 >> bit
    return value
  })

/** Pages of fax machines (ITU-T T.4 and T.6): a bit for each pixel, 1 for ink. */
async function unpackFax(page: Page): Promise<Buffer[]> {
  const { blocks, compression, directory, bits, samples } = page
  if (bits !== 1 || samples !== 1) throw unsupported()
  const options = firstValue(directory, tags.t4Options, 0)
  const K = compression === 4 ? -1 : compression === 3 && (options & 1) === 1 ? 1 : 0
  const order = firstValue(directory, tags.fillOrder, 1)
  const decoded = await decodeByPdfium(
    blocks.map(({ bytes, width, height }) => ({
      bytes: order === 2 ? reversed(bytes) : bytes,
      dictionary: {
        Width: width,
        Height: height,
        ColorSpace: 'DeviceGray',
        BitsPerComponent: 1,
        Filter: 'CCITTFaxDecode',
        DecodeParms: { K, Columns: width, Rows: height, EncodedByteAlign: compression === 2, EndOfBlock: false },
      },
    })),
  )
  return decoded.map(({ width, height, channels, pixels }) => {
    const row = Math.ceil(width / 8)
    const rows = Buffer.alloc(row * height)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        if (pixels[(y * width + x) * channels]! < 128) rows[y * row + (x >> 3)]! |= 0x80 >> (x & 7)
    return rows
  })
}

const startOfImage = Buffer.from([0xff, 0xd8])

/** A block as a JPEG of its own: with the tables that all share, and with a mark that says how colours are stored. */
function jpegOf({ directory, photometric }: Page, block: Block): Buffer {
  const tables = Buffer.from(directory.get(tags.jpegTables) ?? [])
  const inner = tables.length > 4 ? tables.subarray(2, tables.length - 2) : Buffer.alloc(0)
  const adobe = Buffer.from('ffee000e41646f626500640000000000', 'hex')
  adobe[15] = photometric === 6 ? 1 : 0
  return Buffer.concat([startOfImage, adobe, inner, block.bytes.subarray(2)])
}

async function fromJpegs(page: Page): Promise<Bitmap> {
  const { width, height, planar, photometric } = page
  const channels = isGrey(page) ? 1 : 4
  const data = new Uint8ClampedArray(width * height * channels)
  if (planar || page.bits !== 8 || photometric === 5) throw unsupported()
  for (const block of page.blocks) {
    const jpeg = jpegOf(page, block)
    const size = jpegSize(jpeg)
    if (!size || jpegComponents(jpeg) > 3) throw unsupported()
    if (size.width > block.width + 16 || size.height > block.height + 4096)
      throw new EngineError('limit_exceeded', 'A picture in the TIFF is larger than its part')
    const tile = await decodeJpeg(jpeg)
    const wide = Math.min(tile.width, width - block.left)
    for (let y = 0; y < Math.min(tile.height, height - block.top); y++) {
      const row = tile.data.subarray(y * tile.width * 4, (y * tile.width + wide) * 4)
      const to = ((block.top + y) * width + block.left) * channels
      if (channels === 4) data.set(row, to)
      else for (let x = 0; x < wide; x++) data[to + x] = row[x * 4]!
    }
    release(tile)
  }
  return { width, height, channels, data }
}
