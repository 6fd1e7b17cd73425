import { crc32, deflateSync } from 'node:zlib'
import type { Bitmap } from '../../../shared/engine/formats/image/bitmap.ts'
import { kindOf } from '../../../shared/engine/formats/image/kinds.ts'
import { hidingPlaces } from './hiding.ts'

const blank: Bitmap = { width: 60, height: 40, data: new Uint8ClampedArray(60 * 40 * 4).fill(255) }
const encoded = async (id: string) => Buffer.from(await kindOf(id).encode([blank], new Uint8Array()))

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
const withChunk = async (type: string, content: string | Buffer) => {
  const png = await encoded('png')
  return Buffer.concat([png.subarray(0, 33), chunk(type, Buffer.from(content)), png.subarray(33)])
}

hidingPlaces('picture.png', {
  'a text': () => withChunk('tEXt', 'Author\0Zyauthor'),
  'a text of another language': () => withChunk('iTXt', 'Title\0\0\0de\0Titel\0Zytitle'),
  'a packed text': () =>
    withChunk('zTXt', Buffer.concat([Buffer.from('Zykeyword\0\0'), deflateSync(Buffer.from('Zypacked'))])),
  'Exif data': () => withChunk('eXIf', 'II*\0Zyexif'),
  'a chunk that nobody knows': () => withChunk('zyXx', 'Zychunk'),
  'what stands behind the end': async () => Buffer.concat([await encoded('png'), Buffer.from('Zytrailer')]),
})

const withSegment = async (marker: number, content: string) => {
  const jpeg = await encoded('jpg')
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(content, 'latin1'), jpeg.subarray(2)])
}

hidingPlaces('picture.jpg', {
  'a comment': () => withSegment(0xfe, 'Zycomment'),
  'Exif data': () => withSegment(0xe1, 'Exif\0\0II*\0\x08\0\0\0\0\0Zymaker'),
  XMP: () => withSegment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x>Zyxmp</x>'),
  IPTC: () => withSegment(0xed, 'Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0fZybyline'),
  'a profile of colours': () => withSegment(0xe2, 'ICC_PROFILE\0\x01\x01Zyprofile'),
  'what stands behind the end': async () => Buffer.concat([await encoded('jpg'), Buffer.from('Zytrailer')]),
})

const withBlock = async (type: string, content: string) => {
  const webp = await encoded('webp')
  const block = Buffer.concat([Buffer.from(type), Buffer.alloc(4), Buffer.from(content)])
  block.writeUInt32LE(content.length, 4)
  const file = Buffer.concat([webp, block])
  file.writeUInt32LE(file.length - 8, 4)
  return file
}

hidingPlaces('picture.webp', {
  'Exif data': () => withBlock('EXIF', 'II*\0Zymaker.'),
  XMP: () => withBlock('XMP ', '<x>Zyxmp</x>'),
  'a block that nobody knows': () => withBlock('ZYXX', 'Zyblock.'),
  'what stands behind the end': async () => Buffer.concat([await encoded('webp'), Buffer.from('Zytrailer')]),
})

/** A TIFF of one page with one more tag, whose value stands at the end of the file. */
const withTag = async (tag: number, value: string) => {
  const tiff = await encoded('tiff')
  const at = tiff.readUInt32LE(4)
  const count = tiff.readUInt16LE(at)
  const old = tiff.subarray(at + 2, at + 2 + count * 12)
  const entry = Buffer.alloc(12)
  const text = Buffer.from(`${value}\0`)
  entry.writeUInt16LE(tag, 0)
  entry.writeUInt16LE(2, 2)
  entry.writeUInt32LE(text.length, 4)
  entry.writeUInt32LE(tiff.length, 8)
  const number = Buffer.alloc(2)
  number.writeUInt16LE(count + 1)
  const file = Buffer.concat([tiff, text, number, old, entry, Buffer.alloc(4)])
  file.writeUInt32LE(tiff.length + text.length, 4)
  return file
}

hidingPlaces('picture.tiff', {
  'a description': () => withTag(270, 'Zydescription'),
  'an artist': () => withTag(315, 'Zyartist'),
  XMP: () => withTag(700, '<x>Zyxmp</x>'),
  'a tag that nobody knows': () => withTag(60_000, 'Zytag in it'),
  'what nothing points to': async () => Buffer.concat([await encoded('tiff'), Buffer.from('Zytrailer')]),
})
