import iconv from 'iconv-lite'
import { EngineError } from '../../errors.ts'
import type { Bitmap } from '../image/bitmap.ts'
import { type Dib, readDib } from './dib.ts'
import { isPattern, placePicture, runOf, type State, startDrawing, startState } from './drawing.ts'
import { type EmfScene, followEmf, pathOf } from './emf-drawing.ts'
import { bitmapFields, dispensable, fixedSizes, listSize } from './emf-records.ts'
import { isEmf } from './heads.ts'
import { type Kept, type Metafile, nameField, newSteps, UnknownRecord } from './metafile.ts'

const corrupt = () => new EngineError('corrupt_file', 'The metafile cannot be read')

/** Reads an enhanced metafile. Throws {@link UnknownRecord} where what it shows is in records that are not read. */
export function readEmf(file: Buffer): Metafile {
  const scene: EmfScene = {
    state: startState(),
    saved: [],
    objects: new Map(),
    drawing: startDrawing(),
    path: undefined,
  }
  const records: Kept[] = []
  let at = file.readUInt32LE(4)
  if (!isEmf(file) || at < 88 || at % 4 !== 0) throw corrupt()
  const header = headerOf(file.subarray(0, at))
  let holdsMore = file.readUInt32LE(60) > 0
  for (;;) {
    if (at + 8 > file.length) throw corrupt()
    const [type, size] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)]
    if (type === 14) {
      holdsMore ||= at + size < file.length
      break
    }
    if (size < 8 || size % 4 !== 0 || at + size > file.length) throw corrupt()
    const kept = keptOf(type, file.subarray(at, at + size), scene)
    if (kept !== undefined) records.push(kept)
    else holdsMore = true
    at += size
  }
  return { records, drawing: scene.drawing, holdsMore, assemble: all => assembled(header, all) }
}

/** The header without description, pixel format and what else may stand behind it. */
function headerOf(record: Buffer): Buffer {
  const described = record.readUInt32LE(64)
  const room = described >= 88 ? Math.min(described, record.length) : record.length
  const size = room >= 108 ? 108 : room >= 100 ? 100 : 88
  const header = Buffer.from(record.subarray(0, size))
  header.writeUInt32LE(size, 4)
  header.fill(0, 58, 72)
  if (size >= 100) header.fill(0, 88, 96)
  return header
}

const end = Buffer.from('0e00000014000000000000001000000014000000', 'hex')

function assembled(header: Buffer, records: readonly Buffer[]): Buffer {
  const file = Buffer.concat([header, ...records, end])
  file.writeUInt32LE(file.length, 48)
  file.writeUInt32LE(records.length + 2, 52)
  return file
}

function keptOf(type: number, record: Buffer, scene: EmfScene): Kept | undefined {
  if (dispensable.has(type)) {
    if (type === 70 && record.toString('latin1', 12, 16) === 'EMF+') checkPlus(record)
    return undefined
  }
  if (type === 83 || type === 84) return longText(type, record, scene.state)
  if (type === 108) return shortText(record, scene.state)
  if (type === 82) return font(record, scene)
  if (type === 95) return extendedPen(record, scene)
  if (bitmapFields.has(type)) return bitmap(type, record, scene)
  const size = fixedSizes.get(type) ?? listSize(type, record)
  if (size === undefined || size > record.length) throw new UnknownRecord()
  followEmf(type, record, scene)
  return { bytes: sized(record.subarray(0, size)) }
}

/** A record with its size written anew, padded to whole words. */
function sized(...parts: Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const record = Buffer.concat(parts, Math.ceil(length / 4) * 4)
  record.writeUInt32LE(record.length, 4)
  return record
}

/** EMF+ is left out where it says that the records beside it show the same. */
function checkPlus(record: Buffer): void {
  const isHeader = record.length >= 20 && record.readUInt16LE(16) === 0x4001
  if (isHeader && (record.readUInt16LE(18) & 1) === 0) throw new UnknownRecord()
}

const [byGlyphs, bothWays, noRectangle, smallLetters] = [0x10, 0x2000, 0x100, 0x200]

function longText(type: number, record: Buffer, state: State): Kept {
  if (record.length < 76) throw corrupt()
  const [count, at, options, stepsAt] = [44, 48, 52, 72].map(offset => record.readUInt32LE(offset)) as [
    number,
    number,
    number,
    number,
  ]
  const wide = type === 84
  const bytes = record.subarray(at, at + count * (wide ? 2 : 1))
  if (count > 0 && (at < 76 || bytes.length < count * (wide ? 2 : 1))) throw corrupt()
  if (options & byGlyphs && count > 0) throw new UnknownRecord()
  const text = wide ? bytes.toString('utf16le') : iconv.decode(bytes, state.font.bytes)
  const stride = options & bothWays ? 8 : 4
  const told = stepsAt >= 76 && stepsAt + count * stride <= record.length
  const steps = told
    ? Array.from({ length: count }, (_, index) => record.readInt32LE(stepsAt + index * stride))
    : undefined
  const fixed = Buffer.from(record.subarray(0, 76))
  fixed.writeUInt32LE(84, 0)
  fixed.writeUInt32LE((options & ~(bothWays | byGlyphs)) >>> 0, 52)
  const write = (shown: string, spread: readonly number[] | undefined) => {
    fixed.writeUInt32LE(shown.length, 44)
    fixed.writeUInt32LE(76, 48)
    const letters = Buffer.alloc(Math.ceil(shown.length / 2) * 4)
    letters.write(shown, 'utf16le')
    fixed.writeUInt32LE(spread ? 76 + letters.length : 0, 72)
    const tail = Buffer.alloc(4 * (spread?.length ?? 0))
    spread?.forEach((step, index) => void tail.writeInt32LE(step, index * 4))
    return sized(fixed, letters, tail)
  }
  const reference = { x: record.readInt32LE(36), y: record.readInt32LE(40) }
  // A text in code pages may have fewer letters than bytes.
  const spread = steps && (steps.length === text.length ? steps : steps.slice(0, text.length))
  const run = count > 0 ? runOf(state, text, reference, steps) : undefined
  return {
    bytes: write(text, spread),
    run,
    write: shown => write(shown, spread && newSteps(spread, text, shown)),
  }
}

function shortText(record: Buffer, state: State): Kept {
  const [count, options] = [record.readUInt32LE(16), record.readUInt32LE(20)]
  const at = options & noRectangle ? 36 : 52
  const width = options & smallLetters ? 1 : 2
  if (at + count * width > record.length) throw corrupt()
  if (options & byGlyphs && count > 0) throw new UnknownRecord()
  const text = record.toString(width === 1 ? 'latin1' : 'utf16le', at, at + count * width)
  const fixed = Buffer.from(record.subarray(0, at))
  const write = (shown: string) => {
    fixed.writeUInt32LE(shown.length, 16)
    fixed.writeUInt32LE((options & ~smallLetters) >>> 0, 20)
    return sized(fixed, Buffer.from(shown, 'utf16le'))
  }
  const run = runOf(state, text, { x: record.readInt32LE(8), y: record.readInt32LE(12) }, undefined)
  return { bytes: write(text), run, write }
}

const codePages: Record<number, string> = {
  128: 'cp932',
  129: 'cp949',
  134: 'cp936',
  136: 'cp950',
  161: 'cp1253',
  162: 'cp1254',
  177: 'cp1255',
  178: 'cp1256',
  186: 'cp1257',
  204: 'cp1251',
  222: 'cp874',
  238: 'cp1250',
}

/** The code page of texts that are written in bytes, by the character set of their font. */
export const codePageOf = (characterSet: number): string => codePages[characterSet] ?? 'cp1252'

/** Offset of the font in its record, bytes of its name, and bytes that the record has at most. */
const fontAt = 12
const longestFont = 332

function font(record: Buffer, scene: EmfScene): Kept {
  if (record.length < fontAt + 92) throw corrupt()
  const [name] = record.toString('utf16le', fontAt + 28, fontAt + 92).split('\0') as [string]
  const write = (text: string) => {
    const cleaned = Buffer.from(record.subarray(0, Math.min(record.length, longestFont)))
    nameField(text, 64, 'utf16le').copy(cleaned, fontAt + 28)
    // The full name and the style of a font repeat what its name tells.
    cleaned.fill(0, Math.min(cleaned.length, fontAt + 92), Math.min(cleaned.length, fontAt + 284))
    return sized(cleaned)
  }
  const made = {
    height: record.readInt32LE(fontAt),
    angle: record.readInt32LE(fontAt + 8),
    bytes: codePageOf(record[fontAt + 23]!),
  }
  scene.objects.set(record.readUInt32LE(8), { font: made })
  return { bytes: write(name), font: name, write }
}

function extendedPen(record: Buffer, scene: EmfScene): Kept {
  if (record.length < 52 || record.readUInt32LE(16) > 0 || record.readUInt32LE(24) > 0) throw new UnknownRecord()
  const size = 52 + 4 * record.readUInt32LE(48)
  if (size > record.length && size !== 56) throw corrupt()
  const style = record.readUInt32LE(28) & 15
  const pen = { colour: record.readUInt32LE(40), width: record.readUInt32LE(32), shown: style !== 5 }
  scene.objects.set(record.readUInt32LE(8), { pen })
  return { bytes: sized(record.subarray(0, Math.min(size, record.length))) }
}

function bitmap(type: number, record: Buffer, scene: EmfScene): Kept {
  const { offsets, size, fixed } = bitmapFields.get(type)!
  if (record.length < offsets + 16) throw corrupt()
  const head = Buffer.alloc(fixed)
  record.copy(head, 0, 0, Math.min(fixed, record.length))
  const [infoAt, infoSize, bitsAt, bitsSize] = [0, 4, 8, 12].map(step => record.readUInt32LE(offsets + step)) as [
    number,
    number,
    number,
    number,
  ]
  head.fill(0, offsets, offsets + 16)
  if (infoSize === 0) {
    if (type === 76) fillPlace(record, scene)
    return { bytes: sized(head) }
  }
  const dib = readDib(record.subarray(infoAt, infoAt + infoSize), record.subarray(bitsAt, bitsAt + bitsSize))
  if (dib === undefined) throw new UnknownRecord()
  if (size === 0) {
    if (!isPattern(dib.bitmap)) throw new UnknownRecord()
    scene.objects.set(record.readUInt32LE(8), { brush: { colour: 0x808080, shown: true } })
  } else {
    const at = { x: record.readInt32LE(24), y: record.readInt32LE(28) }
    const blended = type === 114 && record[43] === 1
    placePicture(scene.drawing, scene.state, blended ? onWhite(dib) : dib.bitmap, at, {
      x: record.readInt32LE(size),
      y: record.readInt32LE(size + 4),
    })
  }
  const values = [fixed, dib.info.length, fixed + Math.ceil(dib.info.length / 4) * 4, dib.bits.length]
  values.forEach((value, index) => void head.writeUInt32LE(value, offsets + index * 4))
  const padding = Buffer.alloc((4 - (dib.info.length % 4)) % 4)
  return { bytes: sized(head, dib.info, padding, dib.bits) }
}

/** What a bitmap shows on white paper, whose fourth bytes are opacity and whose colours are weakened by it. */
function onWhite({ bitmap, bits }: Dib): Bitmap {
  if (bits.length !== bitmap.data.length) return bitmap
  const { width, height } = bitmap
  const upwards = (row: number) => height - 1 - row
  const data = bitmap.data.map((value, at) => {
    const pixel = at >> 2
    const opacity = bits[(upwards(Math.floor(pixel / width)) * width + (pixel % width)) * 4 + 3]!
    return value + 255 - opacity
  })
  return { width, height, data }
}

/** A place that is filled and no picture. */
function fillPlace(record: Buffer, { drawing, state }: EmfScene): void {
  const [left, top, width, height] = [24, 28, 32, 36].map(at => record.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ]
  const operation = record.readUInt32LE(40)
  const colour = operation === 0x42 ? 0 : operation === 0xff0062 ? 0xffffff : undefined
  if (colour === undefined && operation !== 0xf00021) return
  const brush = colour === undefined ? state.brush : { colour, shown: true }
  pathOf(drawing, { ...state, brush }, { left, top, right: left + width, bottom: top + height })
}
