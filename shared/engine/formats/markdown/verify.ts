import { type Reread, withoutAnyFiles } from '../text/reread.ts'

/** Reads Markdown as what it is, text with files in it: all of them have to be pictures. */
export function rereadMarkdown(source: string): Reread {
  const { texts, files } = withoutAnyFiles(source)
  return { shown: texts.map(text => ({ text })), each: true, hidden: [], pictures: files }
}
