import type { Bitmap } from '../../../shared/engine/formats/image/bitmap.ts'

const words = (...values: number[]) => Buffer.from(Int16Array.from(values).buffer)
const longs = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer)

/** A record of an enhanced metafile. */
export const emfRecord = (type: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
  return Buffer.concat([longs(type, padded.length + 8), padded])
}

/** A text at a place, each letter of it 10 wide. */
export const emfText = (text: string, x: number, y: number, options = 0): Buffer => {
  const letters = Buffer.alloc(Math.ceil(text.length / 2) * 4)
  letters.write(text, 'utf16le')
  const steps = longs(...Array.from({ length: text.length }, () => 10))
  const fixed = longs(0, 0, 0, 0, 1, 0, 0, x, y, text.length, 76, options, 0, 0, 0, 0, 76 + letters.length)
  return emfRecord(84, fixed, letters, steps)
}

/** A font of 20 units that becomes object 1 and is selected. `angle` in tenths of a degree; `more`: what follows its name. */
export const emfFont = (name: string, angle = 0, more = Buffer.alloc(0)): Buffer => {
  const face = Buffer.alloc(64)
  face.write(name, 'utf16le')
  more.copy(face, name.length * 2 + 2)
  const made = emfRecord(82, longs(1, -20, 0, angle, angle, 400, 0, 0), face, Buffer.alloc(228))
  return Buffer.concat([made, emfRecord(37, longs(1))])
}

/** An enhanced metafile; `description` stands in its header. */
export const makeEmf = (records: readonly Uint8Array[], description = ''): Buffer => {
  const told = Buffer.from(description, 'utf16le')
  const fields = longs(0, 0, 2000, 2000, 0, 0, 20_000, 20_000)
  const counts = longs(
    0x10000,
    0,
    records.length + 2,
    2,
    description.length,
    description ? 108 : 0,
    0,
    1000,
    1000,
    300,
    300,
  )
  const header = emfRecord(1, fields, Buffer.from(' EMF'), counts, longs(0, 0, 0, 300_000, 300_000), told)
  const file = Buffer.concat([header, ...records, emfRecord(14, longs(0, 16, 20))])
  file.writeUInt32LE(file.length, 48)
  return file
}

/** The pixels of a picture as a bitmap of Windows: its header and its rows from the bottom. */
const dibOf = ({ width, height, data }: Bitmap): { info: Buffer; bits: Buffer } => {
  const stride = Math.ceil((width * 3) / 4) * 4
  const bits = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++)
        bits[(height - 1 - y) * stride + x * 3 + channel] = data[(y * width + x) * 4 + 2 - channel]!
  const info = Buffer.concat([longs(40, width, height), words(1, 24), longs(0, bits.length, 0, 0, 0, 0)])
  return { info, bits }
}

/** A picture over a place; `hidden` stands between its header and its pixels. */
export const emfPicture = (picture: Bitmap, x: number, y: number, hidden = Buffer.alloc(0)): Buffer => {
  const { info, bits } = dibOf(picture)
  const { width, height } = picture
  const sizes = longs(80, info.length, 80 + info.length + hidden.length, bits.length, 0, 0xcc0020, width, height)
  return emfRecord(81, longs(0, 0, 0, 0, x, y, 0, 0, width, height), sizes, info, hidden, bits)
}

/** What a picture shows, drawn as outlines: a filled polygon for each stretch of dark pixels. */
export const emfOutlines = ({ width, height, data }: Bitmap): Buffer[] => {
  const records = [emfRecord(37, longs(0x80000004 | 0)), emfRecord(37, longs(0x80000008 | 0))]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = x
      while (x < width && data[(y * width + x) * 4]! < 128) x++
      if (x > from) records.push(emfRecord(86, longs(0, 0, 0, 0, 4), words(from, y, x, y, x, y + 1, from, y + 1)))
    }
  return records
}

/** A record of a Windows metafile. */
export const wmfRecord = (type: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const padded = Buffer.concat([body, Buffer.alloc(body.length % 2)])
  return Buffer.concat([longs(padded.length / 2 + 3), words(type), padded])
}

/** A text at a place of a Windows metafile, with steps of 10 from letter to letter or with none. */
export const wmfText = (text: string, x: number, y: number, stepped = true): Buffer => {
  const bytes = Buffer.from(text, 'latin1')
  const even = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])
  if (!stepped) return wmfRecord(0x521, words(bytes.length), even, words(y, x))
  return wmfRecord(0xa32, words(y, x, bytes.length, 0), even, words(...Array.from(bytes, () => 10)))
}

/** A font of 20 units, which is selected. */
export const wmfFont = (name: string): Buffer => {
  const face = Buffer.alloc(32)
  face.write(name, 'latin1')
  return Buffer.concat([wmfRecord(0x2fb, words(-20, 0, 0, 0, 400), Buffer.alloc(8), face), wmfRecord(0x12d, words(0))])
}

/** A Windows metafile with the head that says where on a page it goes: a square of so many units, so many to the inch. */
export const makeWmf = (records: readonly Uint8Array[], side = 2000, units = 1440): Buffer => {
  const window = [wmfRecord(0x20b, words(0, 0)), wmfRecord(0x20c, words(side, side))]
  const all = Buffer.concat([...window, ...records, wmfRecord(0)])
  const placeable = Buffer.concat([longs(0x9ac6cdd7 | 0), words(0, 0, 0, side, side, units), longs(0), words(0)])
  let sum = 0
  for (let at = 0; at < 20; at += 2) sum ^= placeable.readUInt16LE(at)
  placeable.writeUInt16LE(sum, 20)
  return Buffer.concat([placeable, words(1, 9, 0x300), longs(all.length / 2 + 9), words(1), longs(100), words(0), all])
}
