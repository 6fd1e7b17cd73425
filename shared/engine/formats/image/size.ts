import { segmentsOf } from './jpeg-segments.ts'

/** Width and height in pixels, dots per inch where the file states them, and whether it is read as grey. */
export type Size = { width: number; height: number; dpi?: number; grey?: boolean }

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const ascii = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')

/** Number of colour components of a JPEG; 0 when there is no header. */
export const jpegComponents = (bytes: Uint8Array): number => jpegFrame(bytes)?.components ?? 0

/** Size of a JPEG, from its first frame header. */
export const jpegSize = (bytes: Uint8Array): Size | undefined => {
  const frame = jpegFrame(bytes)
  return frame && { width: frame.width, height: frame.height, dpi: frame.dpi }
}

const jpegFrame = (bytes: Uint8Array): (Size & { components: number }) | undefined => {
  let dpi: number | undefined
  for (const { marker, payload } of segmentsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame && payload.length >= 6)
      return { height: payload.readUInt16BE(1), width: payload.readUInt16BE(3), components: payload[5]!, dpi }
    if (marker === 0xe0 && payload.length >= 12 && ascii(payload, 0, 5) === 'JFIF\0')
      dpi = payload.readUInt16BE(8) * ([0, 1, 2.54][payload[7]!] ?? 0) || undefined
  }
  return undefined
}

/** Size of a PNG; `animated` when it holds more pictures than the one that is shown first. */
export const pngSize = (bytes: Uint8Array): (Size & { animated: boolean }) | undefined => {
  if (bytes.length < 33 || ascii(bytes, 12, 16) !== 'IHDR') return undefined
  const data = view(bytes)
  let animated = false
  let dpi: number | undefined
  for (let at = 8; at + 12 <= bytes.length; at += 12 + data.getUint32(at)) {
    const chunk = ascii(bytes, at + 4, at + 8)
    if (chunk === 'acTL') animated = true
    if (chunk === 'pHYs' && at + 17 <= bytes.length && bytes[at + 16] === 1) dpi = data.getUint32(at + 8) * 0.0254
    if (chunk === 'IDAT') break
  }
  return { width: data.getUint32(16), height: data.getUint32(20), dpi, animated }
}

/** Size of a WebP picture, whether it is animated, and whether it is stored without loss. */
export const webpSize = (bytes: Uint8Array): (Size & { animated: boolean; lossless: boolean }) | undefined => {
  if (bytes.length < 30 || ascii(bytes, 8, 12) !== 'WEBP') return undefined
  const data = view(bytes)
  const kind = ascii(bytes, 12, 16)
  const lossless = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('VP8L')
  if (kind === 'VP8X') {
    const three = (at: number) => data.getUint16(at, true) + ((bytes[at + 2] as number) << 16)
    return { width: three(24) + 1, height: three(27) + 1, animated: ((bytes[20] as number) & 2) !== 0, lossless }
  }
  if (kind === 'VP8L') {
    const bits = data.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, animated: false, lossless: true }
  }
  if (kind !== 'VP8 ') return undefined
  return {
    width: data.getUint16(26, true) & 0x3fff,
    height: data.getUint16(28, true) & 0x3fff,
    animated: false,
    lossless: false,
  }
}
