import type { Format } from '../format.ts'

type Kind = Pick<Format, 'id' | 'mediaType' | 'extensions'> & { matches(head: Buffer): boolean }

const starts = (head: Buffer, hex: string) => head.subarray(0, hex.length / 2).toString('hex') === hex

const kinds: Kind[] = [
  {
    id: 'jpg',
    mediaType: 'image/jpeg',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
    matches: head => starts(head, 'ffd8ff'),
  },
  { id: 'png', mediaType: 'image/png', extensions: ['png'], matches: head => starts(head, '89504e470d0a1a0a') },
  {
    id: 'webp',
    mediaType: 'image/webp',
    extensions: ['webp'],
    matches: head => starts(head, '52494646') && head.subarray(8, 12).toString('latin1') === 'WEBP',
  },
  {
    id: 'tiff',
    mediaType: 'image/tiff',
    extensions: ['tif', 'tiff'],
    // TIFF and BigTIFF, of either order of bytes.
    matches: head => ['49492a00', '4d4d002a', '49492b00', '4d4d002b'].some(mark => starts(head, mark)),
  },
  {
    id: 'gif',
    mediaType: 'image/gif',
    extensions: ['gif'],
    matches: head => ['474946383761', '474946383961'].some(mark => starts(head, mark)),
  },
]

/** Pictures: what they show is read and painted over, and all metadata goes. */
export const images: readonly Format[] = kinds.map(({ matches, ...kind }) => ({
  ...kind,
  type: 'DOCUMENT',
  propagates: true,
  keepsText: true,
  matches: head => (matches(Buffer.from(head.buffer, head.byteOffset, head.byteLength)) ? 1 : 0),
  // Loaded when a file is opened: telling formats apart needs none of the libraries behind it.
  open: async (input, context) => (await import('./read.ts')).openImage(kind.id, input, context),
  draw: async (input, page, context) => (await import('./draw.ts')).drawImage(kind.id, input, page, context),
  verify: async (output, expected, context) =>
    (await import('./verify.ts')).verifyImage(kind.id, output, expected, context),
}))
