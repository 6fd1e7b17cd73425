import type { Reread } from '../text/reread.ts'

/** Reads flowed text line by line, without the marks of quoting, and puts together what flows. */
export function rereadFlowed(source: string, delSp: boolean): Reread {
  const shown: { text: string }[] = []
  let before = -1 // depth of the line before, if it goes on
  for (const line of source.split(/\r\n|\r|\n/)) {
    const depth = line.length - line.replace(/^>+/, '').length
    const text = line.slice(line[depth] === ' ' ? depth + 1 : depth)
    const soft = text !== '-- ' && text.endsWith(' ')
    const own = soft && delSp ? text.slice(0, -1) : text
    if (before === depth && text !== '-- ') shown.at(-1)!.text += own
    else shown.push({ text: own })
    before = soft ? depth : -1
  }
  return { shown, hidden: [] }
}
