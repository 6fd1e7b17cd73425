import { type Bitmap, rgba } from './bitmap.ts'
import { jpegOrientation, turned } from './orientation.ts'
import { decodeByPdfium } from './pdfium-image.ts'
import { jpegSize, type Size } from './size.ts'

/** The mark of Adobe's programs, which store inks the other way round: 255 is none. */
const adobe = Buffer.from('Adobe', 'latin1')

/** Decodes a JPEG of four inks (cyan, magenta, yellow, black), turned upright. Throws when it is damaged. */
export async function decodeInks(bytes: Uint8Array): Promise<Bitmap> {
  const { width, height } = jpegSize(bytes) as Size
  const inverted = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 65_536)).includes(adobe)
  const [image] = await decodeByPdfium([
    {
      bytes,
      dictionary: {
        Width: width,
        Height: height,
        ColorSpace: 'DeviceCMYK',
        BitsPerComponent: 8,
        Filter: 'DCTDecode',
        ...(inverted && { Decode: [1, 0, 1, 0, 1, 0, 1, 0] }),
      },
    },
  ])
  return turned(rgba(image!), jpegOrientation(bytes))
}
