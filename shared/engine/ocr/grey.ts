import type { Picture } from './picture.ts'

/** A picture in grey, as bright as people see its colours. */
export const grey = ({ width, height, pixels }: Picture): Picture => {
  const levels = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < levels.length; at++, from += 3)
    levels[at] = (pixels[from]! * 77 + pixels[from + 1]! * 150 + pixels[from + 2]! * 29) >> 8
  return { width, height, channels: 1, pixels: levels }
}

/** Brightness from which a dot is light, and how far apart its channels are where it has a colour, of 255. */
const [light, coloured] = [160, 48]
/** Dots from a light one within which a dark one makes it the edge of a stroke. */
const edge = 2
/** Light dots of a colour that may be noise: a small letter has some hundred. */
const noise = 50

/** How far the channels of a dot are apart. */
const spread = (pixels: Uint8Array, at: number): number => {
  const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!]
  return Math.max(red, green, blue) - Math.min(red, green, blue)
}

/**
 * A picture in grey where nothing of it is shown by a light colour, which may be as bright as what is around it; reading
 * colours takes four times the memory.
 */
export const greyIfAsClear = (picture: Picture): Picture => {
  if (picture.channels === 1) return picture
  const { width, pixels } = picture
  const result = grey(picture)
  const levels = result.pixels
  const isEdge = (at: number) => {
    for (let far = 1; far <= edge; far++)
      if (
        levels[at - far]! < light ||
        levels[at + far]! < light ||
        levels[at - far * width]! < light ||
        levels[at + far * width]! < light
      )
        return true
    return false
  }
  let found = 0
  for (let at = 0, from = 0; at < levels.length; at++, from += 3)
    if (levels[at]! >= light && spread(pixels, from) >= coloured && !isEdge(at) && ++found > noise) return picture
  return result
}
