import { images } from '../image/index.ts'
import { blankPng } from '../ooxml/blank-image.ts'

/** A text that a second reader finds in an output. */
export type Shown = {
  text: string
  /** Some readers show it and others don't: it may stand in the expected text. */
  unsure?: true
  /** The picture that it is instead, where it is not expected as a text. */
  picture?: Uint8Array
}

/** What a second reader, which shares no code with the one that the rules were given the texts of, finds in a text file. */
export type Reread = {
  /** Every text that is seen, in order. */
  shown: Shown[]
  /** Whether the border of two texts means anything: each must be the expected one, blanks and all. */
  each?: true
  /** Every other text: attributes, names, comments, scripts. */
  hidden: string[]
  /** Pictures beside the texts, in order, but for those that show nothing. */
  pictures?: Uint8Array[]
  /** The format's own words, in which a value may stand by chance. */
  structure?: Iterable<string>
  /** Words of the format of which there are too many to know: a value may be a part of one, and not all of it. */
  compounds?: ReadonlySet<string>
  /** The same as places in the source, in order: only there a value is excused. Asked where one is found at all. */
  fixed?: () => Iterable<[number, number]>
}

const unspaced = (text: string) => text.replace(/\s+/g, '')

/** The pictures among the texts that a second reader found; undefined where those are not the expected ones. */
export function sameShown({ shown, each }: Reread, expected: readonly string[]): Uint8Array[] | undefined {
  return each ? sameEach(shown, expected) : sameRunning(shown, expected)
}

/** Texts that show nothing don't count. */
function sameEach(shown: readonly Shown[], expected: readonly string[]): Uint8Array[] | undefined {
  const pictures: Uint8Array[] = []
  const wanted = expected.filter(text => /\S/.test(text))
  let next = 0
  for (const { text, picture } of shown) {
    if (!/\S/.test(text)) continue
    if (wanted[next] === text) next++
    else if (picture) pictures.push(picture)
    else return undefined
  }
  return next === wanted.length ? pictures : undefined
}

/** The texts follow each other without blanks, however they were cut. */
function sameRunning(shown: readonly Shown[], expected: readonly string[]): Uint8Array[] | undefined {
  const wanted = expected.map(unspaced).join('')
  let at = 0
  for (const { text, unsure } of shown) {
    const found = unspaced(text)
    if (wanted.startsWith(found, at)) at += found.length
    else if (!unsure) return undefined
  }
  return at === wanted.length ? [] : undefined
}

const addresses = /data:image\/[^,;"'\s]*(?:;[^,;"'\s]*)*;base64,([a-z0-9+/=%_-]*)/gi

/** A picture from its base64; undefined for anything that is none, and for one that shows nothing. */
function pictureOf(base64: string): Uint8Array | undefined {
  const bytes = Buffer.from(base64, 'base64')
  if (blankPng.equals(bytes)) return undefined
  return images.some(({ matches }) => matches(bytes, '') > 0) ? bytes : undefined
}

/** The pictures that stand in a text as addresses, and where. */
export function picturesIn(text: string): { bytes: Uint8Array; start: number; end: number }[] {
  if (!text.includes('base64,')) return []
  return [...text.matchAll(addresses)].flatMap(({ index, 0: address, 1: body = '' }) => {
    const bytes = pictureOf(body.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))))
    return bytes ? [{ bytes, start: index, end: index + address.length }] : []
  })
}

/** Characters of the shortest base64 that may be a picture. */
const shortest = 64

/** The picture that a whole text is, as an address or as bare base64. */
export function wholePicture(text: string): Uint8Array | undefined {
  if (text.length < shortest) return undefined
  if (/^\s*data:/i.test(text)) return picturesIn(text)[0]?.bytes
  return /^[a-z0-9+/\s]+={0,2}\s*$/i.test(text) ? pictureOf(text) : undefined
}
