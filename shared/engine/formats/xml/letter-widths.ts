/** Widths of letters from the blank on in hundredths of the font size, as sans-serif fonts have them. */
const widths = [
  28, 28, 36, 56, 56, 89, 67, 19, 33, 33, 39, 58, 28, 33, 28, 28, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 28, 28, 58,
  58, 58, 56, 102, 67, 67, 72, 72, 67, 61, 78, 72, 28, 50, 67, 56, 83, 72, 78, 67, 78, 72, 67, 61, 72, 67, 94, 67, 67,
  61, 28, 28, 28, 47, 56, 33, 56, 56, 50, 56, 56, 28, 56, 56, 22, 22, 50, 22, 83, 56, 56, 56, 56, 33, 50, 28, 56, 50,
  72, 50, 50, 50, 33, 26, 33, 58,
]
const others = 0.56
/** From here on scripts have letters as wide as they are high. */
const wide = 0x2e80

/** About how wide a letter is in font sizes, by its code unit. */
export function letterWidth(code: number): number {
  const known = widths[code - 0x20]
  return known === undefined ? (code >= wide && code < 0xd800 ? 1 : others) : known / 100
}

/** About how wide a text is. */
export function widthOf(text: string): number {
  let width = 0
  for (let at = 0; at < text.length; at++) width += letterWidth(text.charCodeAt(at))
  return width
}
