import { readGif } from './gif/blocks.ts'
import { stripJpeg } from './sanitise.ts'
import { hasOtherTags } from './tiff/directory.ts'

/** Chunks of PNG and WebP that hold the picture or say how it is shown. */
const chunks = {
  png: new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD hIST pHYs'.split(' ')),
  webp: new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH']),
}

/** Whether a PNG has other chunks, or anything behind its end. */
const inPng = (file: Buffer): boolean => {
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8)
    if (!chunks.png.has(type)) return true
    if (type === 'IEND') return at + 12 < file.length
  }
  return false
}

const inWebp = (file: Buffer): boolean => {
  const end = 8 + file.readUInt32LE(4)
  for (let at = 12; at + 8 <= Math.min(end, file.length); ) {
    if (!chunks.webp.has(file.toString('latin1', at, at + 4))) return true
    const size = file.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  return end < file.length
}

const found: Record<string, (file: Buffer) => boolean> = {
  jpg: file => file.includes('ICC_PROFILE\0') || stripJpeg(file) !== undefined,
  png: inPng,
  webp: inWebp,
  tiff: hasOtherTags,
  gif: file => readGif(file)?.hasNotes ?? false,
}

/** Whether a file of pictures of a kind holds anything that is lost when its pixels are encoded anew. */
export const holdsMetadata = (kind: string, bytes: Uint8Array): boolean =>
  found[kind]!(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
