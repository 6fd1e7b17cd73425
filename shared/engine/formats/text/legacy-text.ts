import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { EngineError } from '../../errors.ts'
import { betweenLetters } from './between-letters.ts'
import { foreignLines } from './foreign-lines.ts'
import { guess, guessByParts } from './guess.ts'
import { utf8Parts } from './utf8-parts.ts'

const western = 'windows-1252'
/** Encodings of Latin letters, which differ in some of them only. */
const latin = new Set([
  'windows-1250',
  western,
  'windows-1254',
  'windows-1257',
  'windows-1258',
  'iso-8859-2',
  'iso-8859-4',
])
/** Those of them that have letters in the place of the signs of Windows-1252. */
const isoLatin = new Set(['iso-8859-2', 'iso-8859-4'])
/** Encodings of more than one byte per character. */
const multiByte = new Set(['shift_jis', 'euc-jp', 'euc-kr', 'gb18030', 'big5'])

/** With fewer letters beyond ASCII, a text that reads well in Windows-1252 is in that. */
const fewLetters = 3
/** With fewer bytes beyond ASCII, a text is in no encoding of more than one byte per character. */
const fewBytes = 4

/** Bytes that are letters in the code pages of DOS, and in Windows-1252 signs that never stand between two letters. */
const smallOfDos = iconv.encode('üéâäåçêëïìôöòÿøíóúñ', 'cp850')
const capitalsOfDos = iconv.encode('ÅÉÖØÑ', 'cp850')
/** All bytes that are signs in Windows-1252 and never stand between two letters. */
const signs = [...smallOfDos, ...capitalsOfDos, ...iconv.encode('€¦§¨©¬®¯°±²³´µ¶·¸¹', western)]

/** All bytes that are letters in Windows-1252; 0xd7 and 0xf7 are × and ÷. */
const lettersOfWestern = [
  ...iconv.encode('ƒŠŒŽšœžŸ', western),
  ...Array.from({ length: 64 }, (_, n) => 0xc0 + n).filter(byte => byte !== 0xd7 && byte !== 0xf7),
]

const allBytes = Array.from({ length: 256 }, (_, byte) => byte)
/** Bytes that are letters in Windows-1252 and its like only (0xe1 is the ß of DOS), and all signs. */
const notOfDos = [...allBytes.slice(0xc0).filter(byte => byte !== 0xe1), ...signs]

/** Whether most bytes between letters are letters of DOS and have the case of what follows, unlike those of Polish capitals. */
function readsAsDos(inner: ReturnType<typeof betweenLetters>): boolean {
  const letters = inner.small(smallOfDos) + inner.capital(capitalsOfDos)
  return letters > inner.either(notOfDos) - letters
}

/** Letters of the Macintosh whose bytes are capitals in Windows-1252, or signs that never stand between two letters. */
const smallOfMac = iconv.encode('äåáàâçéèêòùü', 'macintosh')
const sharpOfMac = iconv.encode('ß', 'macintosh')
/** Others that are small letters or stand between words in both. */
const eitherOfMac = iconv.encode('öóôõúûíìîïëñ’', 'macintosh')

/** Whether most bytes between letters are small letters of the Macintosh in front of small ones: capitals are seldom there. */
function readsAsMac(inner: ReturnType<typeof betweenLetters>): boolean {
  const letters = inner.small(smallOfMac) + inner.either(sharpOfMac)
  const others = inner.either(allBytes) - inner.either(eitherOfMac) - letters
  return letters > Math.max(others, inner.small(smallOfDos) + inner.capital(capitalsOfDos))
}

/** Whether `«` and `»` come in pairs: in ISO 8859-2 these are `Ť`, which is rare, and `ť`. */
function hasGuillemets(counts: Float64Array): boolean {
  const [opening, closing] = [counts[0xab]!, counts[0xbb]!]
  return Math.min(opening, closing) * 2 > Math.max(opening, closing)
}

/** Bytes of the UTF-8 sequence that begins at a byte above ASCII; 0 where none does. */
function sequence(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0xc2 || first > 0xf4 || (bytes[at + 1]! & 0xc0) !== 0x80) return 0
  if (first < 0xe0) return 2
  const length = first < 0xf0 ? 3 : 4
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0
}

/** Whether every byte that was counted has a character in an encoding of one byte each. */
function hasAll(counts: Float64Array, name: string): boolean {
  const table = iconv.decode(Buffer.from(Uint8Array.from(counts, (_, byte) => byte)), name)
  return counts.every((count, byte) => count === 0 || table[byte] !== '\ufffd')
}

/** Whether a sample can be decoded, but for a character that its end may cut. */
function isWhole(sample: Buffer, name: string): boolean {
  try {
    new TextDecoder(name, { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

const corrupt = (what: string) =>
  new EngineError('corrupt_file', `${what}. Mend the file, or name an encoding with the option encoding`)

const inParts = (offset: number, strays: number) =>
  corrupt(
    `The text is UTF-8 in parts only, so no encoding fits: the first other byte stands at offset ${offset}, of ${strays} in all`,
  )

/** What tells the encoding of a text that is not UTF-8. */
export type LegacyText = {
  /** Takes bytes of the text, which stand at an offset of the file; those of a UTF-8 sequence come together. */
  push(bytes: Uint8Array, offset: number): void
  /** The likeliest encoding, though it may lack some of the bytes; undefined for a text that is UTF-8 in a good part. */
  likeliest(): string | undefined
  /**
   * The encoding, by the name that `iconv-lite` knows. Throws `corrupt_file` for a text that is UTF-8 in a good part, or has
   * bytes that its encoding lacks: read in any other encoding, letters beyond ASCII would not be found.
   */
  encoding(): string
}

export function legacyText(): LegacyText {
  /** How often each byte stands there. */
  const counts = new Float64Array(256)
  const inner = betweenLetters()
  const sample = foreignLines()
  let [sequences, strays, firstStray] = [0, 0, 0]
  const parts = utf8Parts()

  /** What the detector says, unless one can't tell by so little; Windows-1252 then. */
  function guessed(): string {
    const name = guess(sample.bytes())
    const isEnough = !multiByte.has(name) || strays + 2 * sequences >= fewBytes
    return isEnough && iconv.encodingExists(name) ? name : western
  }

  function fitting(): string {
    const hasLetters = lettersOfWestern.some(byte => counts[byte]! > 0)
    if (!hasLetters && inner.either(signs) === 0 && parts.areAlone()) return western
    const name = guessed()
    if (!latin.has(name) && inner.either(allBytes) <= strays / 2) return name
    if (readsAsMac(inner)) return 'macintosh'
    if (readsAsDos(inner)) return 'cp850'
    if (isoLatin.has(name) && hasGuillemets(counts)) return western
    const readsWell = inner.either(signs) === 0 && strays < fewLetters
    return latin.has(name) && !readsWell ? name : western
  }

  /** The likeliest encoding, and whether it lacks some of the bytes; the detector takes such a text for one in another. */
  function judged(): { name: string; lacks: boolean } {
    const name = fitting()
    if (/^(?:cp850|macintosh)$/.test(name) || multiByte.has(name)) return { name, lacks: false }
    const most = guessByParts(sample.bytes())
    if (most !== undefined && most !== name && iconv.encodingExists(most)) {
      const lacks = multiByte.has(most) ? !isWhole(sample.bytes(), most) : !hasAll(counts, most)
      if (lacks) return { name: most, lacks }
    }
    return { name, lacks: !hasAll(counts, name) }
  }

  return {
    push(bytes, offset) {
      const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (view.length === 0) return
      sample.push(view)
      inner.begin(view)
      let isAscii = false
      for (let at = 0; at < view.length; at++) {
        const byte = view[at]!
        if (byte < 0x80) {
          // Once for all in a row, which is most of many texts.
          if (!isAscii) parts.ascii()
          isAscii = true
          continue
        }
        isAscii = false
        const length = sequence(view, at)
        if (length === 0) {
          if (strays++ === 0) firstStray = offset + at
          inner.add(view, at)
          counts[byte]!++
          parts.stray()
          continue
        }
        sequences++
        parts.sequence(byte, view[at + 1]!, length)
        for (let n = 0; n < length; n++) counts[view[at + n]!]!++
        at += length - 1
      }
      inner.end(view)
    },
    likeliest: () => (parts.isUtf8InParts() ? undefined : judged().name),
    encoding() {
      if (parts.isUtf8InParts()) throw inParts(firstStray, strays)
      const { name, lacks } = judged()
      if (!lacks) return name
      if (name === western) return 'iso-8859-1'
      throw corrupt(`The text is in ${name}, but for bytes that are no characters there`)
    },
  }
}
