const letters = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`

/** Letters of scripts that put no blanks between words. */
export const unspaced = new RegExp(`[${letters}]`, 'u')

/** The same at either end of a text; the parts of a foreign name have a dot between them. */
const begins = new RegExp(`^[${letters}]`, 'u')
const ends = new RegExp(`[${letters}][·・]?$`, 'u')

/** Characters of two lines that tell how they are joined. */
export const known = 12

const firstWord = /^(?=[\p{L}\p{N}])\S+/u
const lastWord = /\S+(?<=[\p{L}\p{N}])$/u

/**
 * Whether the word at an end of a line may belong to a letter of such a script on the other one: it has such letters too, or all of its
 * line; a number between blanks, as in the row of a table, stands by itself.
 */
const mayBelong = (line: string, end: RegExp): boolean => {
  const [word] = end.exec(line) ?? []
  return word !== undefined && (word === line || unspaced.test(word))
}

/** Stands behind a space, or what the reader takes for one, that other readers see none of: rules read it both ways. */
export const joiner = '\u2060'

/** Lines of Korean may end within a word. */
const endsKorean = /\p{Script=Hangul}$/u
const beginsKorean = /^\p{Script=Hangul}/u

/**
 * What stands between two lines of a paragraph, of which {@link known} characters are enough: no blank between letters of such scripts, and perhaps none between one and a number.
 */
export const jointOf = (line: string, next: string): string => {
  const [isEnd, isBeginning] = [ends.test(line), begins.test(next)]
  if (isEnd && isBeginning) return ''
  const isDoubtful =
    (isEnd && mayBelong(next, firstWord)) ||
    (isBeginning && mayBelong(line, lastWord)) ||
    (endsKorean.test(line) && beginsKorean.test(next))
  return isDoubtful ? ` ${joiner}` : ' '
}
