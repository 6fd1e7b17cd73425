import type { Reread } from '../text/reread.ts'

/** Reads flowed text line by line, without the marks of quoting. */
export function rereadFlowed(source: string): Reread {
  const shown = source.split(/[\r\n]+/).map(line => ({ text: line.replace(/^>+/, '') }))
  return { shown, hidden: [] }
}
