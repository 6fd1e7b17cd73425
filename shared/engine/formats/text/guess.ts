import { guessEncoding } from './chardetng.ts'
import { isSeparator } from './foreign-lines.ts'

/** Parts of a sample that are asked about by themselves. */
const PARTS = 4

/** What the detector says, by the name that `iconv-lite` knows. */
export function guess(sample: Buffer): string {
  const name = guessEncoding(sample).toLowerCase()
  return name === 'gbk' ? 'gb18030' : name
}

/** The words of a sample that have bytes beyond ASCII, dealt out to its parts, and how many there are. */
function deal(sample: Buffer): { parts: Buffer[][]; words: number } {
  const parts: Buffer[][] = Array.from({ length: PARTS }, () => [])
  let words = 0
  let begin = 0
  let isForeign = false
  for (let at = 0; at < sample.length; at++) {
    isForeign ||= sample[at]! >= 0x80
    if (!isSeparator(sample[at]) && at + 1 < sample.length) continue
    if (isForeign) parts[words++ % PARTS]!.push(sample.subarray(begin, at + 1))
    begin = at + 1
    isForeign = false
  }
  return { parts, words }
}

/**
 * What more than half of the parts of a sample say. One byte that an encoding lacks makes the detector say another for all that it
 * stands in, but it stands in one part only.
 */
export function guessByParts(sample: Buffer): string | undefined {
  const { parts, words } = deal(sample)
  if (words < PARTS) return undefined
  const guesses = parts.map(part => guess(Buffer.concat(part)))
  return guesses.find(one => guesses.filter(other => other === one).length > PARTS / 2)
}
