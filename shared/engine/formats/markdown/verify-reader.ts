import { picturesIn, type Reread } from '../text/reread.ts'

/** Reads Markdown as what it is, text with pictures in it. */
export function rereadMarkdown(source: string): Reread {
  const pictures = picturesIn(source)
  const shown = [...pictures, { start: source.length }].map(({ start }, index) => ({
    text: source.slice(pictures[index - 1]?.end ?? 0, start),
  }))
  return { shown, each: true, hidden: [], pictures: pictures.map(({ bytes }) => bytes) }
}
