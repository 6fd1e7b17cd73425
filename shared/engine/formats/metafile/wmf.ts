import iconv from 'iconv-lite'
import { EngineError } from '../../errors.ts'
import { extentOf } from '../../lists.ts'
import { readDib } from './dib.ts'
import { isPattern, placePicture, runOf, type State, startDrawing, startState } from './drawing.ts'
import { codePageOf } from './emf.ts'
import { headSize, isWmf, startOfWmf } from './heads.ts'
import { type Kept, type Metafile, nameField, newSteps, UnknownRecord } from './metafile.ts'
import { allot, followWmf, type WmfScene } from './wmf-drawing.ts'
import { bitmapFields, fixedSizes, listSize, optional } from './wmf-records.ts'

const corrupt = () => new EngineError('corrupt_file', 'The metafile cannot be read')

/** Reads a Windows metafile. Throws {@link UnknownRecord} where what it shows is in records that are not read. */
export function readWmf(file: Buffer): Metafile {
  if (!isWmf(file)) throw corrupt()
  const start = startOfWmf(file)
  const scene: WmfScene = { state: startState(), saved: [], objects: [], drawing: startDrawing(), scaled: false }
  scene.state.mode = 8
  const records: Kept[] = []
  let holdsMore = false
  for (let at = start + headSize; ; ) {
    // Some programs leave out the record that ends the file.
    if (at === file.length) break
    if (at + 6 > file.length) throw corrupt()
    const [size, type] = [file.readUInt32LE(at) * 2, file.readUInt16LE(at + 4)]
    if (type === 0) {
      holdsMore ||= at + 6 < file.length
      break
    }
    if (size < 6 || at + size > file.length) throw corrupt()
    const kept = keptOf(type, file.subarray(at, at + size), scene)
    if (kept !== undefined) records.push(kept)
    else holdsMore = true
    at += size
  }
  const heads = [placeable(file.subarray(0, start)), Buffer.from(file.subarray(start, start + headSize))] as const
  return { records, drawing: scene.drawing, holdsMore, assemble: all => assembled(...heads, all) }
}

/** The head that says where on a page the picture goes, with its checksum. */
function placeable(head: Buffer): Buffer {
  const clean = Buffer.from(head)
  if (clean.length === 0) return clean
  clean.fill(0, 4, 6)
  clean.fill(0, 16)
  let sum = 0
  for (let at = 0; at < 20; at += 2) sum ^= clean.readUInt16LE(at)
  clean.writeUInt16LE(sum, 20)
  return clean
}

function assembled(before: Buffer, head: Buffer, records: readonly Buffer[]): Buffer {
  const all = [...records, Buffer.from('030000000000', 'hex')]
  const size = all.reduce((sum, record) => sum + record.length, headSize)
  head.writeUInt32LE(size / 2, 6)
  const [, longest] = extentOf(all.map(record => record.length))
  head.writeUInt32LE(longest / 2, 12)
  head.writeUInt16LE(0, 16)
  return Buffer.concat([before, head, ...all])
}

/** A record of that type with its size written anew, padded to whole words. */
function recordOf(type: number, ...parts: Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 6)
  const record = Buffer.alloc(length + (length % 2))
  record.writeUInt32LE(record.length / 2, 0)
  record.writeUInt16LE(type, 4)
  Buffer.concat(parts).copy(record, 6)
  return record
}

function keptOf(type: number, record: Buffer, scene: WmfScene): Kept | undefined {
  // Data for printers and programs.
  if (type === 0x626) return undefined
  if (type === 0x521) return text(record, scene.state)
  if (type === 0xa32) return longText(record, scene.state)
  if (type === 0x2fb) return font(record, scene)
  if (bitmapFields.has(type)) return bitmap(type, record, scene)
  const size = fixedSizes.get(type) ?? listSize(type, record)
  if (size === undefined) throw new UnknownRecord()
  if (size > record.length) {
    if (optional.has(type)) return undefined
    throw corrupt()
  }
  followWmf(type, record, scene)
  return { bytes: recordOf(type, record.subarray(6, size)) }
}

/** A text in the code page of its font. Throws {@link UnknownRecord} where that lacks a letter of it. */
function encoded(text: string, codePage: string): Buffer {
  const bytes = iconv.encode(text, codePage)
  if (iconv.decode(bytes, codePage) !== text) throw new UnknownRecord()
  return bytes
}

const even = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])

const words = (...values: number[]): Buffer => {
  const out = Buffer.alloc(values.length * 2)
  values.forEach(
    (value, index) => void out.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(value))), index * 2),
  )
  return out
}

function text(record: Buffer, state: State): Kept {
  const count = record.readUInt16LE(6)
  const at = 8 + count + (count % 2)
  if (at + 4 > record.length) throw corrupt()
  const reference = { x: record.readInt16LE(at + 2), y: record.readInt16LE(at) }
  const { bytes: codePage } = state.font
  const own = record.subarray(8, 8 + count)
  const shown = iconv.decode(own, codePage)
  const place = Buffer.from(record.subarray(at, at + 4))
  const made = (bytes: Buffer) => recordOf(0x521, words(bytes.length), even(bytes), place)
  const run = runOf(state, shown, reference, undefined)
  return { bytes: made(own), run, write: text => made(encoded(text, codePage)) }
}

const [opaque, clipped, byGlyphs, bothWays] = [2, 4, 0x10, 0x2000]

function longText(record: Buffer, state: State): Kept {
  if (record.length < 14) throw corrupt()
  const [count, options] = [record.readUInt16LE(10), record.readUInt16LE(12)]
  const at = options & (opaque | clipped) ? 22 : 14
  const end = at + count + (count % 2)
  if (at + count > record.length) throw corrupt()
  if (count > 0 && options & (byGlyphs | bothWays)) throw new UnknownRecord()
  const { bytes: codePage } = state.font
  const own = record.subarray(at, at + count)
  const shown = iconv.decode(own, codePage)
  const steps =
    count > 0 && end + count * 2 <= record.length
      ? Array.from({ length: count }, (_, index) => record.readInt16LE(end + 2 * index))
      : undefined
  const reference = { x: record.readInt16LE(8), y: record.readInt16LE(6) }
  const [place, rectangle] = [Buffer.from(record.subarray(6, 10)), Buffer.from(record.subarray(14, at))]
  const made = (bytes: Buffer, spread: readonly number[] = []) =>
    recordOf(0xa32, place, words(bytes.length, options), rectangle, even(bytes), words(...spread))
  const write = (text: string) => {
    const bytes = encoded(text, codePage)
    return made(bytes, steps && newSteps(steps, own.toString('latin1'), bytes.toString('latin1')))
  }
  return { bytes: made(own, steps), run: runOf(state, shown, reference, steps), write }
}

/** Offset of a font's name in its record, and bytes of it at most. */
const [nameAt, longestName] = [24, 32]

function font(record: Buffer, scene: WmfScene): Kept {
  if (record.length < nameAt) throw corrupt()
  const [name] = record.toString('latin1', nameAt, nameAt + longestName).split('\0') as [string]
  const fixed = Buffer.from(record.subarray(6, nameAt))
  const write = (text: string) => recordOf(0x2fb, fixed, nameField(text, longestName, 'latin1'))
  const made = { height: record.readInt16LE(6), angle: record.readInt16LE(10), bytes: codePageOf(record[19]!) }
  allot(scene, { font: made })
  return { bytes: write(name), font: name, write }
}

function bitmap(type: number, record: Buffer, scene: WmfScene): Kept {
  const { fixed, usage, brush } = bitmapFields.get(type)!
  const bare = record.length / 2 === (type >> 8) + 3
  if (bare && !brush) {
    followWmf(type, record, scene)
    return { bytes: recordOf(type, record.subarray(6)) }
  }
  if (record.length < fixed || (usage !== undefined && record.readUInt16LE(usage) !== 0)) throw new UnknownRecord()
  const dib = readDib(record.subarray(fixed))
  if (dib === undefined) throw new UnknownRecord()
  if (brush) {
    if (!isPattern(dib.bitmap)) throw new UnknownRecord()
    allot(scene, { brush: { colour: 0x808080, shown: true } })
  } else {
    const [height, width, y, x] = [8, 6, 4, 2].map(back => record.readInt16LE(fixed - back)) as [
      number,
      number,
      number,
      number,
    ]
    placePicture(scene.drawing, scene.state, dib.bitmap, { x, y }, { x: width, y: height })
  }
  return { bytes: recordOf(type, record.subarray(6, fixed), dib.info, dib.bits) }
}
