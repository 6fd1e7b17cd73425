import { type Reread, withoutFiles } from '../text/reread.ts'

/** Reads Markdown as what it is, text with files in it: all of them have to be pictures. */
export function rereadMarkdown(source: string): Reread {
  const { texts, files } = withoutFiles(source)
  return { shown: texts.map(text => ({ text })), each: true, hidden: [], pictures: files }
}
