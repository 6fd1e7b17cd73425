/** Whether a code unit is what `\s` stands for. */
const isBlank = (code: number): boolean =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0xa0 && wideBlanks.has(code))

const wideBlanks = new Set([0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff])
for (let code = 0x2000; code <= 0x200a; code++) wideBlanks.add(code)

/** Whether anything of a text is seen, which the first character nearly always tells. */
export function shows(text: string): boolean {
  const code = text.charCodeAt(0)
  return (code > 0x20 && code < 0x80) || /\S/.test(text)
}

/** Those of some texts of which anything is seen. */
export function thatShow(texts: readonly string[]): string[] {
  const seen: string[] = []
  for (const text of texts) if (shows(text)) seen.push(text)
  return seen
}

/** Where `part` ends that stands in `text` from `at` on, blanks aside; -1 where something else stands there. */
export function endOfSame(text: string, at: number, part: string): number {
  // Nearly every text is the very same, which is compared at once; blanks at its end are passed over by whoever goes on.
  if (text.slice(at, at + part.length) === part) return at + part.length
  let place = at
  for (let index = 0; index < part.length; index++) {
    const code = part.charCodeAt(index)
    if (isBlank(code)) continue
    while (place < text.length && isBlank(text.charCodeAt(place))) place++
    if (place >= text.length || text.charCodeAt(place) !== code) return -1
    place++
  }
  return place
}

/** Whether two texts are the same, blanks aside. */
export function isSameText(text: string, other: string): boolean {
  const end = endOfSame(text, 0, other)
  return end >= 0 && isBlankFrom(text, end)
}

/** Whether nothing but blanks stands in a text from a place on. */
export const isBlankFrom = (text: string, at: number): boolean => !/\S/.test(text.slice(at))
