import { longRun, withoutPadding } from '../../long-runs.ts'
import { blankPng } from '../ooxml/blank-image.ts'

/** A picture that shows nothing, as an address. */
export const emptyPicture = `data:image/png;base64,${blankPng.toString('base64')}`

/** Addresses that hold a file of any kind in base64, in any text; what is wrapped goes on in lines of nothing else. */
const fileAddress = new RegExp(
  String.raw`data:[\w.+/-]{0,199}(?:;[\w.=+-]{1,99}){0,9};base64,(?:\r?\n[ \t]*)?[\w+/=%-]${longRun(String.raw`[\w+/=%-]`, 'first')}(?:\r?\n[ \t]*[\w+/=%-]{40}${longRun(String.raw`[\w+/=%-]`, 'next')}(?=[\r\n"')>\s]|$))*(?:\r?\n[ \t]*[\w+/-]${longRun(String.raw`[\w+/-]`, 'last')}=*(?=["')>]))?`,
  'gi',
)

/** How base64 begins of PDF, zip (Office files among them), old files of Office, RTF, gzip, PNG, JPEG, GIF, TIFF and WebP. */
export const beginnings = 'JVBERi0|UEsDB|0M8R4KGxGu|e1xydGY|H4sI|iVBORw0KGgo|/9j/|R0lGOD|SUkqA|TU0AK|UklGR'
const letter = String.raw`(?:[\w+-]|\\?/)`
/** At least so many letters, and all that follow. */
const letters = (fewest: number, group: string) => `(?=${letter}{${fewest}})${longRun(letter, group)}`
/** The end of a line within a file, with what stands in front of the next, and as JSON and XML write it. */
const lineEnd = String.raw`(?:&#13;|&#xD;)?(?:\r?\n[ \t>]*|(?:\\r)?\\n|&#10;|&#xA;)`
/** Characters of the shortest first line of a file that stands alone: all lines of a certificate have 64. */
const shortestBare = 60
const bareFile = new RegExp(
  String.raw`(?<![\w+/%\\.-])(?:${beginnings.replaceAll('/', '\\\\?/')})${letters(49, 'first')}(?<=${letter}{${shortestBare}})(?:${lineEnd}${letters(40, 'next')})*(?:${lineEnd}${letters(1, 'last')}(?=[="'<)>]|$))?={0,2}`,
  'g',
)

/** Where files stand in a text in base64 with nothing that says so, in JSON with its escapes; but for the empty picture. */
export const bareFilesIn = (text: string): HeldFile[] => allBareFilesIn(text).filter(isNotEmpty(text))

function allBareFilesIn(text: string): HeldFile[] {
  if (!hasLongWord(text)) return []
  return Array.from(text.matchAll(bareFile), ({ index, 0: file }) => heldFile(index, file, emptyBare))
}

/** The empty picture in base64 alone. */
export const emptyBare = emptyPicture.slice(emptyPicture.indexOf(',') + 1)

const isLetterCode = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w+/\\-]/.test(String.fromCharCode(code))))

const isLetter = (code: number): boolean => code < 128 && isLetterCode[code] === 1

/** Whether so many letters of base64 stand in a row somewhere: looked at backwards, the first that is none rules out all before it. */
export function hasLongWord(text: string): boolean {
  let begun = 0
  while (begun + shortestBare <= text.length) {
    let look = begun + shortestBare - 1
    while (look >= begun && isLetter(text.charCodeAt(look))) look--
    if (look < begun) return true
    begun = look + 1
  }
  return false
}

const addressed = /;base64,/iy
const letterB = 0x62

/** Whether a file stands in a text as an address. Most texts have few semicolons, and hardly one before such a letter. */
function isAddressed(text: string): boolean {
  for (let at = text.indexOf(';'); at >= 0; at = text.indexOf(';', at + 1)) {
    if ((text.charCodeAt(at + 1) | 0x20) !== letterB) continue
    addressed.lastIndex = at
    if (addressed.test(text)) return true
  }
  return false
}

/** Whether a text may hold a file in base64, as one look tells; most texts don't. */
export const mayHoldFile = (text: string): boolean => isAddressed(text) || hasLongWord(text)

/** Whether a text holds a file in base64. */
export const holdsFile = (text: string): boolean => isAddressed(text) || bareFilesIn(text).length > 0

const addressHead = /^\s*data:[\w.+/-]{0,199}(?:;[\w.=+-]{1,99}){0,9};base64,(?=[\w+/=%\s-])/i

/** Whether a text is nothing but an address that holds a file in base64, on one line or several. */
export function isFileAddress(text: string): boolean {
  const head = addressHead.exec(text)
  return head !== null && !/[^\w+/=%\s-]/.test(text.slice(head[0].length))
}

/** Whether a text is nothing but base64, on one line or several. */
export function isBase64(text: string): boolean {
  const letters = withoutPadding(text)
  return letters !== '' && !/[^A-Za-z0-9+/\s]/.test(letters)
}

/** A file in a text, and what takes its place. */
export type HeldFile = { start: number; end: number; empty: string }

const heldFile = (start: number, file: string, empty: string): HeldFile => ({ start, end: start + file.length, empty })

const isNotEmpty =
  (text: string) =>
  ({ start, end, empty }: HeldFile) =>
    text.slice(start, end) !== empty

/** Where files stand in a text, as addresses or in base64 alone, but for pictures that show nothing. */
export const filesIn = (text: string): HeldFile[] => (holdsFile(text) ? allFilesIn(text).filter(isNotEmpty(text)) : [])

/** The same with pictures that show nothing. */
export function allFilesIn(text: string): HeldFile[] {
  const addresses = isAddressed(text)
    ? Array.from(text.matchAll(fileAddress), ({ index, 0: file }) => heldFile(index, file, emptyPicture))
    : []
  const isApart = ({ start, end }: HeldFile) => addresses.every(other => other.end <= start || other.start >= end)
  return [...addresses, ...allBareFilesIn(text).filter(isApart)].sort((one, other) => one.start - other.start)
}
