import type { Segment } from '../format.ts'

/** Characters of a piece, and of what is shown of its neighbours. */
type Sizes = { piece: number; before: number; after: number }

const usualSizes: Sizes = { piece: 256 * 1024, before: 1024, after: 8 * 1024 }

/** The same for texts that models read. */
export const modelledSizes: Sizes = { ...usualSizes, piece: 64 * 1024 }

const place = { kind: 'body' } as const

/** Where to end a piece: behind a line or a word where one ends near, never inside of a character. */
function cut(text: string, { piece: pieceLength }: Sizes): number {
  const line = text.lastIndexOf('\n', pieceLength - 1)
  if (line >= pieceLength / 2) return line + 1
  const space = text.lastIndexOf(' ', pieceLength - 1)
  if (space >= pieceLength / 2) return space + 1
  const code = text.charCodeAt(pieceLength - 1)
  return code >= 0xd800 && code < 0xdc00 ? pieceLength - 1 : pieceLength
}

/** Cuts a text that comes in parts of any size into segments that continue each other. */
export async function* pieces(parts: AsyncIterable<string>, sizes = usualSizes): AsyncGenerator<Segment> {
  let waiting = ''
  let before: string | undefined
  let offset = 0
  for await (const part of parts) {
    waiting += part
    while (waiting.length >= sizes.piece + sizes.after) {
      const end = cut(waiting, sizes)
      const text = waiting.slice(0, end)
      yield { text, place: { ...place, offset }, visible: true, before, after: waiting.slice(end, end + sizes.after) }
      offset += end
      before = text.slice(-sizes.before)
      waiting = waiting.slice(end)
    }
  }
  // The rest may be longer than a piece, but not by more than the look ahead.
  if (waiting !== '') yield { text: waiting, place: { ...place, offset }, visible: true, before }
}
