import type { SourceRun } from '../text/text-nodes.ts'
import { encodeXml } from '../xml/text.ts'
import { decoded } from './formulas.ts'

const token =
  /"(?<quoted>[^"]*)"?|(?<escaped>(?:\\[\s\S])+)|(?<room>_[\s\S]?)|\*(?<fill>[\s\S]?)|\[\$(?<currency>[^\]-]*)(?:(?:-(?:[\dA-F]*(?:,\d+)?|x-sys(?:date|time)))?\])?|(?<unseen>\[(?:[<>=]{1,2}-?[\d.]+|black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\])|(?<word>\p{L}{2,}\d*|\p{L})|(?<sign>[^\p{L}\d#?@;[\]])|[\s\S]/giu
const code =
  /^(?:([ymdhsegbap])\1*|(?:yy(?:yy)?|m{2,5}|d{2,4}|hh|ss)+|general|standard|am|pm|black|blue|cyan|green|magenta|red|white|yellow|colou?r\d+|dbnum\d+|natnum\d+)$/i

/** What a number format writes as it is; `isBare` where no quotes and no escape say so. */
type Literal = { shown: string; start: number; end: number; isBare: boolean; isQuoted: boolean }

/** The literals of a number format, those that stand side by side together: its codes, places and sections part them. */
function literalsOf(format: string): Literal[][] {
  const texts: Literal[][] = [[]]
  for (const { index, 0: found, groups = {} } of format.matchAll(token)) {
    const { quoted, escaped, room, fill, currency, unseen, word, sign } = groups
    if (unseen !== undefined) continue
    const bare = room === undefined ? (fill ?? (word !== undefined && code.test(word) ? undefined : word) ?? sign) : ' '
    const shown = quoted ?? escaped?.replace(/\\([\s\S])/g, '$1') ?? currency ?? bare
    const [start, end] = [index, index + found.length]
    if (shown === undefined) texts.push([])
    else texts.at(-1)!.push({ shown, start, end, isBare: shown === bare, isQuoted: quoted !== undefined })
  }
  return texts.map(withoutRoom).filter(text => text.some(({ shown }) => /\p{L}|\d/u.test(shown)))
}

/** Literals without the blanks that only make room: at the ends, and beside other blanks. */
function withoutRoom(text: readonly Literal[]): Literal[] {
  const kept: Literal[] = []
  text.forEach((literal, index) => {
    const isRoom = literal.isBare && literal.shown.trim() === ''
    const [before, behind] = [kept.at(-1)?.shown ?? ' ', text[index + 1]?.shown ?? ' ']
    if (!isRoom) kept.push(literal)
    else if (/\S$/.test(before)) kept.push(/^\s/.test(behind) ? { ...literal, shown: '' } : literal)
  })
  return kept
}

/** The texts of a number format: what it writes beside the number. Its codes and the colours that it knows are no text. */
export function numberFormatRuns(raw: string, start: number): SourceRun[][] {
  const { text, places } = decoded(raw)
  return literalsOf(text).map(literals =>
    literals.map(literal => {
      const at = { start: start + places(literal.start), end: start + places(literal.end) }
      return { text: literal.shown, ...at, encode: (out: string) => writtenAs(out, literal) }
    }),
  )
}

function writtenAs(text: string, { isQuoted }: Literal): string {
  const bare = text.replaceAll('"', '')
  return bare === '' && !isQuoted ? '' : encodeXml(`"${bare}"`)
}

/** What a search for values is to see of a number format: its words one by one, and its texts as they are shown. */
export const numberFormatTexts = (format: string): string[] => [
  format.replace(/\p{L}{2,}\d*/gu, word => (code.test(word) ? '' : word)),
  ...literalsOf(format).map(text => text.map(({ shown }) => shown).join('')),
]
