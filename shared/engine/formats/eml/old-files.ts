const head = /^begin [0-7]{3,4} \S/
const ends = /^end\s*$/

/** Whether a line is one of a file in uuencode: a sign for its length, and four for each three bytes, but for blanks at its end. */
function isEncoded(line: string): boolean {
  if (!/^[\x20-\x60]{1,64}$/.test(line)) return false
  const length = Math.ceil(((line.charCodeAt(0) - 0x20) & 0x3f) / 3) * 4
  return line.length - 1 <= length + 1 && line.trimEnd().length - 1 >= Math.min(1, length)
}

/**
 * A text without the files in it, which programs from before MIME wrote between its lines, in uuencode; and how many there
 * were. The text is a string of bytes.
 */
export function withoutOldFiles(text: string): { text: string; count: number } {
  if (!/^begin [0-7]/m.test(text)) return { text, count: 0 }
  const lines = text.split(/(?<=\n)/)
  const kept: string[] = []
  let count = 0
  for (let at = 0; at < lines.length; at++) {
    const end = head.test(lines[at]!) ? endOfFile(lines, at + 1) : at
    if (end === at) kept.push(lines[at]!)
    else {
      count++
      at = end - 1
    }
  }
  return { text: kept.join(''), count }
}

/** Behind the last line of the file whose first is at `from`; `from - 1` where there is none. */
function endOfFile(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && !ends.test(lines[at]!) && isEncoded(lines[at]!.replace(/\r?\n$/, ''))) at++
  if (at === from) return from - 1
  return at < lines.length && ends.test(lines[at]!) ? at + 1 : at
}
