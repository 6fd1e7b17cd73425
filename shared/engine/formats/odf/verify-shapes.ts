import { plain, shownBy, valueName } from './verify-shown.ts'

/**
 * How rows are written that differ only in their texts and values, which stand between the parts. By gap: what it holds,
 * and whether it is the last one of its cell.
 */
type Shape = { parts: DataView[]; gaps: { isText: boolean; isLast: boolean; isAlone: boolean }[] }

/** Shapes that are kept, of how many rows more than of those that had a known one the shape is asked for, and how long these are. */
const most = { shapes: 4, asked: 256, length: 256 * 1024 }

/** Bytes that are read as characters. */
const asWritten = (part: string) => new DataView(Uint8Array.from(Buffer.from(part, 'latin1')).buffer)

/** The shape of a row of values and plain paragraphs, from its UTF-8 bytes read as characters. */
function shapeOf(row: string): Shape {
  const shape: Shape = { parts: [], gaps: [] }
  let begun = 0
  let part = ''
  const gap = (isText: boolean) => {
    shape.parts.push(asWritten(part))
    part = ''
    shape.gaps.push({ isText, isLast: false, isAlone: false })
  }
  const endCell = () => {
    const { gaps } = shape
    if (gaps.length > begun) Object.assign(gaps.at(-1)!, { isLast: true, isAlone: gaps.length === begun + 1 })
    begun = gaps.length
  }
  for (const [, tag, text] of row.matchAll(/(<[^>]*>)([^<]*)/g)) {
    const isCell = /^<table:(?:covered-)?table-cell\b/.test(tag!)
    let done = 0
    for (const { index, 0: all, 1: name, 2: value } of isCell ? tag!.matchAll(/ ([\w:-]+)="([^"]*)"/g) : []) {
      if (!valueName.test(name!)) continue
      part += tag!.slice(done, index + all.length - value!.length - 1)
      gap(false)
      done = index + all.length - 1
    }
    part += tag!.slice(done)
    if (tag!.startsWith('<text:p')) gap(true)
    else part += text!
    if (/^<\/.*table-cell>$|^<table:.*table-cell.*\/>$/.test(tag!)) endCell()
  }
  shape.parts.push(asWritten(part))
  return shape
}

const blank = 32
const ampersand = 38
const lessThan = 60
const textEnd = 0xff

/** What ends the value of an attribute, or may not stand in one. */
const valueEnds = new Uint8Array(256)
for (const character of '"&<>') valueEnds[character.charCodeAt(0)] = 1

/** Whether a part stands at an offset, four bytes at a time. */
function stands(view: DataView, at: number, part: DataView): boolean {
  const { byteLength } = part
  if (at + byteLength > view.byteLength) return false
  const whole = byteLength - (byteLength % 4)
  for (let next = 0; next < whole; next += 4) if (view.getUint32(at + next) !== part.getUint32(next)) return false
  for (let next = whole; next < byteLength; next++) if (view.getUint8(at + next) !== part.getUint8(next)) return false
  return true
}

/** What cells told, as texts are digested: UTF-8, each ended by 0xFF. */
type Told = { texts: Uint8Array; fill: number }

/** Where the gaps of a cell stand. */
type Found = { starts: number[]; ends: number[] }

/** Tells what stands in the gaps of a cell, of which `last` is the last one. False for one that has to be read otherwise. */
function addCell(bytes: Uint8Array, { starts, ends }: Found, { gaps }: Shape, last: number, told: Told): boolean {
  const first = last + 1 - starts.length
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const values: string[] = []
  const paragraphs: string[] = []
  for (let index = first; index <= last; index++) {
    const raw = view.toString('utf8', starts[index - first], ends[index - first])
    if (!gaps[index]!.isText) values.push(raw)
    else if (raw.includes('&#')) return false
    else paragraphs.push(plain(raw))
  }
  for (const text of shownBy(values, paragraphs)) {
    told.fill += Buffer.from(told.texts.buffer).write(text, told.fill)
    told.texts[told.fill++] = textEnd
  }
  return true
}

/** Whether a cell has one value, which is also its text. */
function isTwice(bytes: Uint8Array, { starts, ends }: Found, { gaps }: Shape, last: number): boolean {
  if (starts.length !== 2 || gaps[last - 1]!.isText || ends[0]! - starts[0]! !== ends[1]! - starts[1]!) return false
  for (let at = starts[0]!, other = starts[1]!; at < ends[0]!; at++) if (bytes[at] !== bytes[other++]) return false
  return true
}

/** Reads a row of a shape and tells what it shows. Gives where it ends, or 0. */
function readShape(bytes: Uint8Array, from: number, shape: Shape, told: Told): number {
  const { parts, gaps } = shape
  const { texts } = told
  const found: Found = { starts: [], ends: [] }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = from
  let fill = told.fill
  let isShown = false
  let isEncoded = false
  for (let index = 0; index < gaps.length; index++) {
    const part = parts[index]!
    if (!stands(view, at, part)) return 0
    at += part.byteLength
    found.starts.push(at)
    const { isText, isLast, isAlone } = gaps[index]!
    if (isText) {
      let before = 0
      for (; at < bytes.length && bytes[at] !== lessThan; at++) {
        const byte = bytes[at]!
        if (byte < blank || (byte === blank && before === blank)) return 0
        if (byte === ampersand) isEncoded = true
        if (byte > blank && byte < 128) isShown = true
        texts[fill++] = byte
        before = byte
      }
    } else while (at < bytes.length && valueEnds[bytes[at]!] === 0) at++
    found.ends.push(at)
    if (!isLast) continue
    if (isText && isShown && !isEncoded && (isAlone || isTwice(bytes, found, shape, index))) {
      texts[fill++] = textEnd
      told.fill = fill
    } else if (!addCell(bytes, found, shape, index, told)) return 0
    found.starts.length = found.ends.length = 0
    fill = told.fill
    isShown = isEncoded = false
  }
  const rest = parts.at(-1)!
  return stands(view, at, rest) ? at + rest.byteLength : 0
}

/** Reads rows of shapes that it has met. */
export type ShapeReader = {
  /** Reads a row. Gives where it ends, or 0 for one of no known shape or that isn't all there. */
  read(bytes: Uint8Array, at: number): number
  /** Gets to know the shape of a row, given as its UTF-8 bytes read as characters. */
  learn(row: string): void
  /** What the cells of the rows told since it was asked last, as texts are digested. Valid until a row is read. */
  take(): Uint8Array
}

/** A reader that knows no shape yet. */
export function createShapeReader(): ShapeReader {
  let shapes: Shape[] = []
  let asked = 0
  const told: Told = { texts: new Uint8Array(1 << 16), fill: 0 }
  return {
    read(bytes, at) {
      // What is told takes no more than what it was read from.
      if (told.texts.length < bytes.length) told.texts = new Uint8Array(bytes.length)
      const { fill } = told
      for (const shape of shapes) {
        const end = readShape(bytes, at, shape, told)
        if (end > 0) {
          asked--
          return end
        }
        told.fill = fill
      }
      return 0
    },
    learn(row) {
      if (asked > most.asked || row.length > most.length) return
      asked++
      shapes = [shapeOf(row), ...shapes.slice(0, most.shapes - 1)]
    },
    take() {
      const { texts, fill } = told
      told.fill = 0
      return texts.subarray(0, fill)
    },
  }
}
