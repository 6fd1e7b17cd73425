import { lazyUnits, nextUnit, type Units } from './units.ts'

/**
 * Signs that are not seen and carry no meaning where they stand: soft hyphens, marks of direction, joiners of words and of marks,
 * choices of a letter's form.
 */
const unseen =
  /\u034f|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u180b-\u180d\u180f]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}]/u

/**
 * Forms that stand for other letters: ligatures, the shapes of Arabic letters, wide, narrow and small ones, letters of
 * formulas, radicals, spaces of all widths.
 */
const shapes =
  /[\u00a0\u2000-\u200a\u202f\u205f\u2f00-\u2fdf\u3000\ufb00-\ufdff\ufe30-\ufe6b\ufe70-\ufefc\uff01-\uffee\u{1d400}-\u{1d7ff}]/u

const hyphens = /[\u2010\u2011]/u

const known = new Map<number, string>()

const respell = (code: number): string => {
  const char = code >= 0xd800 && code <= 0xdfff ? String.fromCharCode(code) : String.fromCodePoint(code)
  if (unseen.test(char)) return ''
  if (hyphens.test(char)) return '-'
  return char.normalize(shapes.test(char) ? 'NFKC' : 'NFC')
}

/** One character (code point) as rules are to see it: nothing, or one or more UTF-16 units. */
export const spellingOf = (code: number): string => {
  if (code < 0x80) return String.fromCharCode(code)
  let spelt = known.get(code)
  if (spelt === undefined) {
    spelt = respell(code)
    known.set(code, spelt)
  }
  return spelt
}

/** Digits of other scripts, and dashes that people put between the groups of a number. */
const looseSigns = /[\u2012\u2013\u2212\p{Nd}]/u
const digit = /\p{Nd}/u

/** The digits of a script stand in a row from zero to nine. */
function digitOf(code: number): string {
  let value = 0
  while (value < 9 && digit.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

/** One or more characters of a text, a letter with its marks perhaps, as rules read them beside what stands there. */
export function readingOf(cluster: string): string {
  let read = ''
  for (const char of cluster) {
    const code = char.codePointAt(0)!
    if (code === 0 || code === 0x200c || code === 0x200d) continue
    const spelt = spellingOf(code)
    if (spelt.length === 1 && code >= 0x80 && looseSigns.test(spelt))
      read += digit.test(spelt) ? (spelt < '\x80' ? spelt : digitOf(spelt.codePointAt(0)!)) : '-'
    else read += spelt
  }
  return read.length > 1 ? read.normalize('NFC') : read
}

const signs = String.raw`\0\u00a0\u00ad\u034f\u061c\u180b-\u180f\u2000-\u200b\u200e-\u2013\u202a-\u202f\u205f-\u206f\u2212\u2f00-\u2fdf\u3000\ufb00-\ufe0f\ufe30-\ufe6b\ufe70-\ufeff\uff01-\uffee`

/**
 * Characters that rules read otherwise, each with the marks behind it, and zeros, which stand between the letters where bytes of
 * UTF-16 are read as others; joiners only where no script needs them. In texts with none of {@link telling} the rest of them
 * (punctuation of full width) makes no second reading worth its time. Each begins with one of `units`, or has a mark among them
 * behind its first letter.
 */
export const respelt = {
  pattern: String.raw`(?:[\p{L}\p{N}][\u0300-\u036f]+|(?<=[\0-\u058f])[\u200c\u200d]|[${signs}\u{1d400}-\u{1d7ff}\u{e0000}-\u{e01ef}]|(?![0-9])\p{Nd})`,
  units: String.raw`[\u0300-\u036f\u200c\u200d${signs}\ud800-\udbff]|(?![0-9])\p{Nd}`,
}

const raised = String.raw`\u00b2\u00b3\u00b9\u2070\u2074-\u2079`
/**
 * The number of a note, raised: behind a word or a number, or in front of one. Behind a single letter it is an exponent or part
 * of a unit, and stays.
 */
export const noteNumber = {
  pattern: String.raw`(?:(?<=[\p{L}\p{N}]{2})|(?<![\p{L}\p{N}]))[${raised}]+`,
  units: raised,
}

/** Those of them that are looked for, and the units that they begin with; for models that read words, those that split or join letters. */
const breaking = String.raw`\u00ad\u0300-\u036f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2f00-\u2fdf\ufb00-\ufdff\ufe50-\ufe6b\ufe70-\ufefc\uff0b\uff0d-\uff19\uff20-\uff3a\uff3f-\uff5a\uff66-\uff9f\ud835\udb40`
const spacing = String.raw`\u00a0\u2000-\u200a\u2010\u2011\u202f\u205f\u3000`
const digitsOfScripts = String.raw`\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u17e0-\u17e9\u1810-\u1819`
/** Dashes between words are punctuation; beside a digit they may be part of a number. */
const dashes = String.raw`[\u2012\u2013\u2212](?:(?=[0-9])|(?<=[0-9].))`
/** A choice of form is common behind a picture (U+2764 U+FE0F), where it splits no word. */
const forms = String.raw`[\ufe00-\ufe0f](?<![\u2190-\u2bff\udc00-\udfff].)`
/** Stands where two texts meet that are one word to some readers and two to others; no text has it by itself. */
export const seam = '\ufeff '
/** Stands around a stretch that some readers see and others don't. */
export const aside = '\ufeff\ufeff'
/** Stand around what programs show that know a vocabulary, and around what the others show in its place. */
export const choiceMark = '\ufeff\u2005'
export const fallbackMark = '\ufeff\u2006'
/** Stands behind the end of a line at which a column was too narrow for a word, perhaps. */
export const wrapMark = '\u2064'
/** A text without the marks around what only some see. */
export const withoutMarks = (text: string) => (text.includes(aside) ? text.replaceAll(aside, '') : text)
export const telling = {
  all: {
    pattern: `[${breaking}\ufeff${spacing}${digitsOfScripts}${raised}]|${dashes}|${forms}`,
    units: `[${breaking}\ufeff${spacing}${digitsOfScripts}${raised}\\u2012\\u2013\\u2212\\ufe00-\\ufe0f]`,
  },
  words: {
    // Ends of lines they are shown as they read.
    pattern: `[${breaking}](?<!-\u00ad|[ \\n]${wrapMark})|\ufeff(?! )|${forms}`,
    units: `[${breaking}\ufeff\\ufe00-\\ufe0f]`,
  },
}

const plain = /^[\x01-\x7f]*$/
const oneRespelt = new RegExp(respelt.pattern, 'uy')
const respeltUnits = lazyUnits(respelt.units, 'u')

/** Marks and backspaces, which stand behind a letter. */
const isMark = (code: number) => (code >= 0x300 && code < 0x370) || code === 0x08

/**
 * The matches of a sticky pattern in a text, in turn: it is tried where one of the units stands, and first at the letter before a mark.
 * Where matches are few this takes a tenth of the time that V8 takes for a pattern of many classes.
 */
export function* clusters(text: string, sticky: RegExp, units: Units): Generator<RegExpExecArray> {
  let searched = 0
  for (let at = nextUnit(text, units, 0); at >= 0; at = nextUnit(text, units, Math.max(at + 1, searched))) {
    const first = isMark(text.charCodeAt(at)) ? Math.max(at - 1, searched) : at
    let found: RegExpExecArray | null = null
    for (let begin = first; begin <= at && !found; begin++) {
      sticky.lastIndex = begin
      found = sticky.exec(text)
    }
    if (!found) continue
    searched = found.index + found[0].length
    yield found
  }
}

/** Units that are read as they stand and that nothing composes with: of European languages, Chinese, Japanese and Korean. */
const settled = String.raw`\x01-\u02ff\u0400-\u0482\u048a-\u052f\u2014-\u2027\u2030-\u205e\u20a0-\u20c0\u2116\u2122\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3`
const unsettled = lazyUnits(`[^${settled}]|${respelt.units}`, 'u')

/** A value as rules read it: the same for the same value, however a text spells it. */
export function reading(text: string): string {
  if (plain.test(text) || nextUnit(text, unsettled(), 0) < 0) return text
  let read = ''
  let copied = 0
  for (const { index, 0: cluster } of clusters(text, oneRespelt, respeltUnits())) {
    read += text.slice(copied, index) + readingOf(cluster)
    copied = index + cluster.length
  }
  return (read + text.slice(copied)).normalize('NFC')
}

/** A text as it stands, and as rules read it where that is something else. */
export function spellings(text: string): string[] {
  const read = reading(text)
  return read === text ? [text] : [text, read]
}
