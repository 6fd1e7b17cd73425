import type { Reader } from '../page-reader.ts'
import { borrow, memory } from '../pdfium.ts'
import type { Units } from './gaps.ts'
import type { OtherWord } from './other-words.ts'

/** Whether a character is shown in a mirror. */
const isMirrored = ({ pdfium }: Reader, text: number, char: number): boolean =>
  borrow(pdfium, 24, pointer => {
    if (!pdfium.FPDFText_GetMatrix(text, char, pointer)) return false
    const matrix = memory(pdfium, pointer, 24)
    const [a, b, c, d] = [0, 4, 8, 12].map(at => matrix.getFloat32(at, true)) as [number, number, number, number]
    return a * d - b * c < 0
  })

/**
 * The lines that a page shows in a mirror, each from its other end: the reader puts their letters in the order in which they are
 * written, others in that of their places. `turned`: one character of each stretch that does not go to the right.
 */
export const mirroredLines = (
  reader: Reader,
  text: number,
  { parts, chars, ends }: Units,
  turned: ReadonlySet<number>,
  breaks: readonly number[],
): OtherWord[][] => {
  if (turned.size === 0) return []
  return [...breaks, parts.length].flatMap((to, n) => {
    const from = n === 0 ? 0 : (breaks[n - 1] as number) + 1
    const line = chars.slice(from, to)
    if (!line.some(char => turned.has(char) && isMirrored(reader, text, char))) return []
    const words: OtherWord[] = [{ text: '', chars: [] }]
    for (let at = to - 1; at >= from; at--) {
      if ((parts[at] as string).trim() === '') words.push({ text: '', chars: [] })
      else {
        const word = words.at(-1) as OtherWord
        word.text += parts[at]
        word.chars.push(chars[at] as number, ends[at] as number)
      }
    }
    return [words.filter(word => word.text !== '')]
  })
}
