import { PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib'
import { openReader } from '../pdf/page-reader.ts'

/** A picture as a PDF stores it: its dictionary without `Type` and `Subtype`, and its compressed bytes. */
export type StoredImage = {
  bytes: Uint8Array
  dictionary: { Width: number; Height: number; [key: string]: unknown }
}

/** Decoded pixels, rows from the top: grey (1 byte) or red, green, blue (3 bytes). */
export type DecodedImage = { width: number; height: number; channels: 1 | 3; pixels: Uint8Array }

/** Bytes of a pixel in PDFium's bitmaps, by their format: grey, BGR, BGRx, BGRA. */
const pixelBytes = [0, 1, 3, 4, 4]

/**
 * Decodes pictures by PDFium, which knows compressions that none of the other codecs does: those of fax machines, and JPEG
 * with four inks. Throws when a picture is damaged.
 */
export async function decodeByPdfium(images: readonly StoredImage[]): Promise<DecodedImage[]> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([100, 100])
  const names = images.map(({ bytes, dictionary }, n) => {
    const dict = context.obj({ Type: 'XObject', Subtype: 'Image', Length: bytes.length, ...dictionary } as never)
    return [`I${n}`, context.register(PDFRawStream.of(dict as never, bytes))] as const
  })
  page.node.set(PDFName.of('Resources'), context.obj({ XObject: Object.fromEntries(names) }))
  const operators = names.map(([name]) => `q 100 0 0 100 0 0 cm /${name} Do Q`).join('\n')
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(operators)))
  const reader = await openReader(await document.save({ useObjectStreams: false }))
  try {
    const { pdfium } = reader
    return reader.page(0, loaded =>
      images.map((_, n) => {
        const bitmap = pdfium.FPDFImageObj_GetBitmap(pdfium.FPDFPage_GetObject(loaded, n))
        if (bitmap === 0) throw new Error('The picture cannot be decoded')
        try {
          const [width, height] = [pdfium.FPDFBitmap_GetWidth(bitmap), pdfium.FPDFBitmap_GetHeight(bitmap)]
          const stride = pdfium.FPDFBitmap_GetStride(bitmap)
          const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
          const source = pdfium.pdfium.HEAPU8.subarray(start, start + stride * height)
          return unpacked(source, stride, pixelBytes[pdfium.FPDFBitmap_GetFormat(bitmap)] ?? 0, { width, height })
        } finally {
          pdfium.FPDFBitmap_Destroy(bitmap)
        }
      }),
    )
  } finally {
    reader.close()
  }
}

function unpacked(
  source: Uint8Array,
  stride: number,
  bytes: number,
  { width, height }: { width: number; height: number },
): DecodedImage {
  if (bytes === 0) throw new Error('The picture cannot be decoded')
  const channels = bytes === 1 ? 1 : 3
  const pixels = new Uint8Array(width * height * channels)
  for (let y = 0, to = 0; y < height; y++)
    for (let at = y * stride, end = at + width * bytes; at < end; at += bytes)
      if (channels === 1) pixels[to++] = source[at]!
      else {
        pixels[to++] = source[at + 2]!
        pixels[to++] = source[at + 1]!
        pixels[to++] = source[at]!
      }
  return { width, height, channels, pixels }
}
