/** Bytes that the sample has at least where the text has so many, and of a long line's part around a letter. */
const sampleBytes = 64 * 1024
const excerptBytes = 4096

/** Behind such a byte a character begins, whatever the encoding. */
export const isSeparator = (byte: number | undefined): boolean => byte !== undefined && byte < 0x30

/** Where the line around a byte begins and ends, or of a long one a part, which cuts no character. */
function excerpt(bytes: Buffer, at: number): [begin: number, end: number] {
  let begin = bytes.lastIndexOf(0x0a, at) + 1
  if (at - begin > excerptBytes / 2) {
    begin = at - excerptBytes / 2
    while (begin < at && !isSeparator(bytes[begin])) begin++
  }
  const line = bytes.indexOf(0x0a, at)
  let end = line < 0 ? bytes.length : line + 1
  if (end - at > excerptBytes / 2) {
    const most = end
    end = at + excerptBytes / 2
    while (end < most && !isSeparator(bytes[end])) end++
  }
  return [begin, end]
}

/**
 * Takes a sample of a text in an unknown encoding: its first lines with bytes beyond ASCII, of which a character is only cut at the
 * end of the sample.
 */
export function foreignLines() {
  const sample: Buffer[] = []
  let size = 0
  /** Bytes at the end that may be cut within a character: they wait for the next. */
  let waiting = Buffer.alloc(0)

  function add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && size < sampleBytes; at++) {
      if (bytes[at]! < 0x80) continue
      const [begin, end] = excerpt(bytes, at)
      sample.push(Buffer.from(bytes.subarray(begin, end)))
      size += end - begin
      at = end - 1
    }
  }

  return {
    push(bytes: Buffer): void {
      if (size >= sampleBytes) return
      const text = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes])
      let end = text.length
      while (end > 0 && !isSeparator(text[end - 1])) end--
      if (text.length - end > sampleBytes) end = text.length
      add(text.subarray(0, end))
      waiting = Buffer.from(text.subarray(end))
    },
    /** The sample, once nothing more comes. */
    bytes(): Buffer {
      add(waiting)
      waiting = Buffer.alloc(0)
      return Buffer.concat(sample)
    },
  }
}
