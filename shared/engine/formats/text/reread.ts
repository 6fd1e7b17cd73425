import { aside } from '../../detect/normalise.ts'
import { pushAll } from '../../lists.ts'
import { endOfRun, longRun, withoutPadding } from '../../long-runs.ts'
import { isDrawn } from '../container/drawn.ts'
import { images } from '../image/index.ts'
import { emf, wmf } from '../metafile/index.ts'
import { blankPng } from '../ooxml/blank-image.ts'
import { endOfSame, isBlankFrom, shows, thatShow } from './same-text.ts'

/** A text that a second reader finds in an output. */
export type Shown = {
  text: string
  /** Some readers show it and others don't: it may stand in the expected text. */
  unsure?: true
  /** The picture that it is instead, where it is not expected as a text: no bytes where it shows nothing. */
  picture?: Uint8Array
  /** Files that stood in it, which it is given without. */
  files?: Uint8Array[]
}

/** What a second reader, which shares no code with the one that the rules were given the texts of, finds in a text file. */
export type Reread = {
  /** Every text that is seen, in order. */
  shown: Shown[]
  /**
   * Whether the border of two texts means anything: each must be the expected one, blanks and all, or `parts` of one that has
   * come apart where nothing but blanks is left between them.
   */
  each?: true | 'parts'
  /** Every other text: attributes, names, comments, scripts. */
  hidden: string[]
  /** Pictures beside the texts, in order, but for those that show nothing. */
  pictures?: Uint8Array[]
  /** The format's own words, in which a value may stand by chance. */
  structure?: Iterable<string>
  /** Words of the format of which there are too many to know: a value may be a part of one, and not all of it. */
  compounds?: ReadonlySet<string>
  /** Whether the hidden texts are names of fields, which words may hold a value as a part of by chance. */
  areNames?: true
  /**
   * The same as places in the source, in order: only there a value is excused. Asked where one is found at all, and of names of
   * fields with what finds such words.
   */
  fixed?: (chance?: (name: string) => [number, number][]) => Iterable<[number, number]>
}

const unspaced = (text: string) => text.replace(/\s+/g, '')

/** The pictures among the texts that a second reader found; undefined where those are not the expected ones. */
export function sameShown({ shown, each }: Reread, expected: readonly string[]): Uint8Array[] | undefined {
  return each ? sameEach(shown, expected, each === 'parts') : sameRunning(shown, expected)
}

/** Whether a text is the expected one, but for marks that its first reader put around what only some see. */
const isSame = (wanted: string | undefined, text: string): boolean =>
  wanted === text || (wanted?.includes(aside) === true && wanted.replaceAll(aside, '') === text)

/** Texts that show nothing don't count. */
function sameEach(shown: readonly Shown[], expected: readonly string[], mayPart: boolean): Uint8Array[] | undefined {
  const pictures: Uint8Array[] = []
  const wanted = thatShow(expected)
  let next = 0
  let parts = ''
  for (const { text, picture, files } of shown) {
    if (files) pushAll(pictures, files)
    if (!shows(text)) continue
    if (parts === '' && isSame(wanted[next], text)) next++
    else if (picture?.length) pictures.push(picture)
    else if (picture === undefined) {
      parts += unspaced(text)
      const whole = unspaced(wanted[next] ?? '')
      if (!mayPart || !whole.startsWith(parts)) return undefined
      if (whole !== parts) continue
      next++
      parts = ''
    }
  }
  return next === wanted.length && parts === '' ? pictures : undefined
}

/** Whether the texts follow each other as they are, but for blank ones that are shown between them, however they were cut. */
function areSame(shown: readonly Shown[], expected: readonly string[]): boolean {
  let next = 0
  let at = 0
  for (const { text } of shown) {
    while (next < expected.length && at === expected[next]!.length) {
      next++
      at = 0
    }
    // A slice is compared at once, where `startsWith` goes by characters.
    if (next < expected.length && expected[next]!.slice(at, at + text.length) === text) at += text.length
    else if (shows(text)) return false
  }
  while (next < expected.length && at === expected[next]!.length) {
    next++
    at = 0
  }
  return next === expected.length
}

/** The texts follow each other without blanks, however they were cut. */
function sameRunning(shown: readonly Shown[], expected: readonly string[]): Uint8Array[] | undefined {
  // Nearly always; without a text that holds all of them.
  if (areSame(shown, expected)) return []
  const wanted = expected.join('')
  let at = 0
  for (const { text, unsure } of shown) {
    const end = endOfSame(wanted, at, text)
    if (end >= 0) at = end
    else if (!unsure) return undefined
  }
  return isBlankFrom(wanted, at) ? [] : undefined
}

const addresses = /data:image\/[^,;"'\s]*(?:;[^,;"'\s]*)*;base64,/gi
/** What ends the base64 in an address. */
const noBody = /[^\w+/=%-]/g

/** A picture from its base64; undefined for anything that is none, and for one that shows nothing. */
function pictureOf(base64: string): Uint8Array | undefined {
  const bytes = Buffer.from(base64, 'base64')
  if (blankPng.equals(bytes)) return undefined
  return [...images, emf, wmf].some(({ matches }) => matches(bytes, '') > 0) ? bytes : undefined
}

/** The drawing in an address. */
function drawingOf(address: string, base64: string): Uint8Array | undefined {
  const bytes = Buffer.from(base64, 'base64')
  return /^data:image\/svg\+xml;/i.test(address) && isDrawn(bytes) ? bytes : undefined
}

/** The pictures that stand in a text as addresses, and where. */
export function picturesIn(text: string): { bytes: Uint8Array; start: number; end: number }[] {
  if (!text.includes('base64,')) return []
  return [...text.matchAll(addresses)].flatMap(({ index, 0: head }) => {
    const end = endOfRun(text, index + head.length, noBody)
    const body = unescaped(text.slice(index + head.length, end))
    const bytes = pictureOf(body) ?? drawingOf(head, body)
    return bytes ? [{ bytes, start: index, end }] : []
  })
}

const addressed = /;base64,/i
const files = /data:[\w.+/-]{0,199}(?:;[\w.=+-]{1,99}){0,9};base64,(?=[\w+/=%-])/gi
const unescaped = (text: string) =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/** A text cut where addresses hold files of any kind, and those files, but for pictures that show nothing. */
export function withoutFiles(text: string): { texts: string[]; files: Uint8Array[] } {
  const found = { texts: [] as string[], files: [] as Uint8Array[] }
  let at = 0
  for (const { index, 0: head } of addressed.test(text) ? text.matchAll(files) : []) {
    if (index < at) continue
    found.texts.push(text.slice(at, index))
    const from = index + head.length
    at = endOfRun(text, from, noBody)
    const bytes = Buffer.from(unescaped(text.slice(from, at)), 'base64')
    if (!blankPng.equals(bytes)) found.files.push(bytes)
  }
  found.texts.push(text.slice(at))
  return found
}

const line = (group: string) => longRun(String.raw`[\w+/-]`, group)
const bare = new RegExp(
  String.raw`(?<![\w+/%.-])(?:JVBERi0|UEsDB|0M8R4KGxGu|e1xydGY|H4sI|iVBORw0KGgo|/9j/|R0lGOD|SUkqA|TU0AK|UklGR)[\w+/-]{49}${line('first')}(?<=[\w+/-]{60})(?:\r?\n[ \t>]*[\w+/-]{40}${line('next')})*(?:\r?\n[ \t>]*[\w+/-]${line('last')}(?=[="'<)>]|$))?={0,2}`,
  'g',
)

/** Characters of the shortest address of a file. */
const shortestAddress = 24

/** The same where files may also stand in base64 with nothing that says so. */
export function withoutAnyFiles(text: string): { texts: string[]; files: Uint8Array[] } {
  if (text.length < shortestAddress) return { texts: [text], files: [] }
  const found = withoutFiles(text)
  const bareFiles = found.texts.flatMap(part => part.match(bare) ?? [])
  if (bareFiles.length === 0) return found
  const files = bareFiles.map(file => Buffer.from(file, 'base64')).filter(bytes => !blankPng.equals(bytes))
  return { texts: found.texts.flatMap(aroundBareFiles), files: [...found.files, ...files] }
}

function aroundBareFiles(text: string): string[] {
  const texts: string[] = []
  let at = 0
  for (const { index, 0: file } of text.matchAll(bare)) {
    texts.push(text.slice(at, index))
    at = index + file.length
  }
  return [...texts, text.slice(at)]
}

/** The pictures that a text holds, as addresses or in base64 alone. */
export function allPicturesIn(text: string): Uint8Array[] {
  if (text.length < shortestAddress) return []
  const bareFiles = withoutFiles(text).texts.flatMap(part => part.match(bare) ?? [])
  return [...picturesIn(text).map(({ bytes }) => bytes), ...bareFiles.flatMap(file => pictureOf(file) ?? [])]
}

/** Characters of the shortest base64 that may be a picture. */
const shortest = 64

/** The picture that a whole text is in base64: no bytes where it shows nothing. */
export function wholePicture(text: string): Uint8Array | undefined {
  if (text.length < shortest || /[^A-Za-z0-9+/\s]/.test(withoutPadding(text))) return undefined
  return text === blankPng.toString('base64') ? new Uint8Array() : pictureOf(text)
}
