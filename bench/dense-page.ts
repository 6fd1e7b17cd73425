import { crc32 } from 'node:zlib'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { rgba } from '../shared/engine/formats/image/bitmap.ts'
import { kindOf } from '../shared/engine/formats/image/kinds.ts'
import { openReader } from '../shared/engine/formats/pdf/page-reader.ts'
import { drawPage } from '../shared/engine/formats/pdf/pictures/raster.ts'
import type { Picture } from '../shared/engine/ocr/picture.ts'

const vocabulary =
  `the of and to in contract party shall agreement notice payment within thirty days after receipt tenant
  landlord property premises Berlin invoice account number amount due interest rate per annum liability damages insurance
  termination clause section paragraph herein thereof accordance applicable law court order delivery of goods services
  provider customer signature witness address register chamber valid until further written consent both parties reserve
  the right to amend 2024 1,250.00 EUR 17 March quarterly monthly Anna Smith`.split(/\s+/)

/** Dots per inch of the scan. */
const resolution = 300

/** A picture of a page and the words that it shows, in order. */
type Scan = Picture & { words: string[] }

/** A page of A4 full of small type (10 points on 12), as a scanner sees it at 300 dots per inch. */
export const densePage = (): Promise<Scan> => scanned(10, 12, 40)

/** A letter of usual type (12 points on 20, wide margins), scanned likewise. */
export const usualPage = (): Promise<Scan> => scanned(12, 20, 100)

async function scanned(size: number, leading: number, margin: number): Promise<Scan> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.TimesRoman)
  const page = document.addPage([595, 842])
  let seed = 7
  const words: string[] = []
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    const word = vocabulary[Math.floor((seed / 2_147_483_648) * vocabulary.length)]!
    words.push(word)
    return word
  }
  for (let y = 840 - margin; y > margin; y -= leading) {
    let line = next()
    while (font.widthOfTextAtSize(line, size) < 580 - 2 * margin) line += ` ${next()}`
    page.drawText(line, { x: margin, y, size, font })
  }
  const reader = await openReader(await document.save({ useObjectStreams: false }))
  try {
    return { ...reader.page(0, loaded => drawPage(reader, loaded, resolution)), words }
  } finally {
    reader.close()
  }
}

/** The picture as a file that states its resolution, as scanners do. */
export async function encoded(id: string, picture: Picture): Promise<Uint8Array> {
  const file = Buffer.from(await kindOf(id).encode([rgba(picture)], new Uint8Array()))
  if (id === 'jpg' && file.toString('latin1', 6, 10) === 'JFIF') {
    file[13] = 1
    file.writeUInt16BE(resolution, 14)
    file.writeUInt16BE(resolution, 16)
  }
  if (id !== 'png') return file
  const chunk = Buffer.alloc(21)
  chunk.writeUInt32BE(9, 0)
  chunk.write('pHYs', 4, 'latin1')
  for (const at of [8, 12]) chunk.writeUInt32BE(Math.round(resolution / 0.0254), at)
  chunk[16] = 1
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17)
  return Buffer.concat([file.subarray(0, 33), chunk, file.subarray(33)])
}
