/** How wide small letters are in Helvetica, from a to z, in thousandths of the size; other fonts have much the same proportions. */
const small = [
  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722,
  500, 500, 500,
]
/** What a capital is wider by, and the width of any other letter or sign. */
const [capital, other] = [150, 556]

/** Widths that differ by less look alike on a page. */
export const similar = 1.15

/** How wide a name is about, written with a capital. */
export function widthOf(folded: string): number {
  let width = capital
  for (let at = 0; at < folded.length; at++) width += small[folded.charCodeAt(at) - 97] ?? other
  return width
}

/** The factor by which two widths differ, from 1. */
export const difference = (one: number, another: number): number => Math.max(one / another, another / one)

/** Words in groups of similar width, the narrowest first; in each group at least so many, whatever their width. */
export function groupsByWidth(words: readonly string[], least: number): string[][] {
  const ordered = words
    .map(word => ({ word, width: widthOf(word) }))
    .toSorted((one, another) => one.width - another.width)
  const groups: string[][] = []
  let narrowest = 0
  for (const [n, { word, width }] of ordered.entries()) {
    const group = groups.at(-1)
    const goesOn = group && (group.length < least || width / narrowest <= similar || ordered.length - n < least)
    if (goesOn) group.push(word)
    else {
      groups.push([word])
      narrowest = width
    }
  }
  return groups
}
