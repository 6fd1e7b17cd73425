// Files may hold runs of letters that are millions long: other files in base64, most of all. V8 may go back through such a run
// letter by letter, on a stack of 64 MiB: it optimises this away until a process has compiled many expressions, and from then
// on throws a RangeError at some 8 million letters.

/** Letters of a run that are gone through at a time. */
const part = 4096

/** The source of an expression for any number of characters of a set, on a stack for a part of them; `group` is a name of its own. */
export const longRun = (set: string, group: string): string => `(?:(?=(?<${group}>${set}{1,${part}}))\\k<${group}>)*`

/** Where a run ends that begins at a place: at the first of other characters, which `other`, a global expression, finds. */
export function endOfRun(text: string, start: number, other: RegExp): number {
  other.lastIndex = start
  return other.exec(text)?.index ?? text.length
}

/** A text without the padding of base64 and blanks at its end. */
export const withoutPadding = (text: string): string => {
  const end = text.trimEnd()
  return end.slice(0, end.length - (end.endsWith('==') ? 2 : Number(end.endsWith('='))))
}
