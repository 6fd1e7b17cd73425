/** Bytes (UTF-8) that are sent at once, under the service's limit of 100 KB, and what two parts of one text share. */
const MAX = 90_000
const SHARED = 1000

/** Texts, or parts of one, sent in one request. */
export type Batch = {
  text: string
  /** Where each text stands in it: index of the text, its place here, its first character there, its length (UTF-16). */
  items: { text: number; at: number; from: number; length: number }[]
  /** For each code point offset of the parcel its UTF-16 offset. */
  units: Uint32Array
}

/** Packs texts into as few requests as possible: short ones joined by line ends, long ones in overlapping parts. */
export function* batchTexts(texts: readonly string[]): Generator<Batch> {
  let text = ''
  let bytes = 0
  let items: Batch['items'] = []
  const packed = (): Batch => ({ text, items, units: codePointOffsets(text) })
  for (const [index, whole] of texts.entries()) {
    for (const part of partsOf(whole)) {
      const size = Buffer.byteLength(part.text) + 1
      if (bytes + size > MAX && items.length > 0) {
        yield packed()
        text = ''
        bytes = 0
        items = []
      }
      items.push({ text: index, at: text.length, from: part.from, length: part.text.length })
      text += `${part.text}\n`
      bytes += size
    }
  }
  if (items.length > 0) yield packed()
}

/** Parts of a text of at most {@link MAX} bytes, cut at blanks where there are some. Blank texts have none. */
function* partsOf(whole: string): Generator<{ text: string; from: number }> {
  if (whole.trim() === '') return
  let from = 0
  while (Buffer.byteLength(whole.slice(from, from + MAX)) >= MAX) {
    // No character takes more than three bytes per UTF-16 unit.
    let to = from + Math.floor(MAX / 3)
    while (Buffer.byteLength(whole.slice(from, to + 1000)) < MAX - 3000) to += 1000
    to = blank(whole, to)
    yield { text: whole.slice(from, to), from }
    from = blank(whole, to - SHARED)
  }
  yield { text: whole.slice(from), from }
}

function blank(text: string, at: number): number {
  for (let i = at; i > at - 200; i--) if (/\s/.test(text[i]!)) return i
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}

function codePointOffsets(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length + 1)
  let count = 0
  for (let i = 0; i < text.length; count++) {
    offsets[count] = i
    i += text.codePointAt(i)! > 0xffff ? 2 : 1
  }
  offsets[count] = text.length
  return offsets.subarray(0, count + 1)
}
