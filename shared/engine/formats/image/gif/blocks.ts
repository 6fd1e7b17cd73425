/** One picture of a GIF as it is stored: a part of the canvas, drawn over what the ones before left there. */
export type Frame = {
  left: number
  top: number
  width: number
  height: number
  interlaced: boolean
  /** Colours, three bytes each. */
  palette: Uint8Array
  /** Index of the colour that shows what is below; -1 where none does. */
  transparent: number
  /** Hundredths of a second for which it is shown. */
  delay: number
  /** What becomes of its place afterwards: 2 it is cleared, 3 what stood there before comes back, else it stays. */
  disposal: number
  codeSize: number
  data: Uint8Array
}

/**
 * What a GIF holds. `loops`: how often it is shown again, 0 for ever; undefined where it is shown once. `hasNotes`: whether it
 * has comments, data of programs, or anything behind its end.
 */
export type Gif = { width: number; height: number; loops?: number; frames: Frame[]; hasNotes: boolean }

const emptyPalette = new Uint8Array()

/** Reads the blocks of a GIF without unpacking pixels; undefined when there is no header. A file cut short has fewer pictures. */
export function readGif(bytes: Uint8Array): Gif | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length < 13 || !/^GIF8[79]a$/.test(view.toString('latin1', 0, 6))) return undefined
  const gif: Gif = { width: view.readUInt16LE(6), height: view.readUInt16LE(8), frames: [], hasNotes: false }
  const paletteAt = (at: number, flags: number) =>
    flags & 0x80 ? view.subarray(at, at + 6 * 2 ** (flags & 7)) : emptyPalette
  const shared = paletteAt(13, view[10]!)
  let at = 13 + shared.length
  let control = { transparent: -1, delay: 0, disposal: 0 }
  while (at < view.length) {
    const kind = view[at]
    if (kind === 0x21) {
      const label = view[at + 1]
      const { data, next } = subBlocks(view, at + 2)
      if (label === 0xf9 && data.length >= 4) {
        const transparent = data[0]! & 1 ? data[3]! : -1
        control = { transparent, delay: data.readUInt16LE(1), disposal: (data[0]! >> 2) & 7 }
      } else if (
        label === 0xff &&
        data.toString('latin1', 0, 11) === 'NETSCAPE2.0' &&
        data[11] === 1 &&
        data.length >= 14
      )
        gif.loops = data.readUInt16LE(12)
      else gif.hasNotes = true
      at = next
    } else if (kind === 0x2c && at + 10 < view.length) {
      const flags = view[at + 9]!
      const own = paletteAt(at + 10, flags)
      const start = at + 10 + own.length
      if (start >= view.length) break
      const { data, next } = subBlocks(view, start + 1)
      gif.frames.push({
        left: view.readUInt16LE(at + 1),
        top: view.readUInt16LE(at + 3),
        width: view.readUInt16LE(at + 5),
        height: view.readUInt16LE(at + 7),
        interlaced: (flags & 0x40) !== 0,
        palette: own.length > 0 ? own : shared,
        ...control,
        codeSize: view[start]!,
        data,
      })
      control = { transparent: -1, delay: 0, disposal: 0 }
      at = next
    } else {
      gif.hasNotes ||= kind !== 0x3b || at + 1 < view.length
      break
    }
  }
  // Some programs leave the canvas empty: it is as large as its first picture then.
  const [first] = gif.frames
  gif.width ||= first?.width ?? 0
  gif.height ||= first?.height ?? 0
  return gif
}

/** Blocks of up to 255 bytes, joined; an empty one ends them. */
function subBlocks(view: Buffer, from: number): { data: Buffer; next: number } {
  const parts: Buffer[] = []
  let at = from
  for (let length = view[at]; length !== undefined && length > 0; length = view[at]) {
    parts.push(view.subarray(at + 1, at + 1 + length))
    at += 1 + length
  }
  return { data: Buffer.concat(parts), next: at + 1 }
}
