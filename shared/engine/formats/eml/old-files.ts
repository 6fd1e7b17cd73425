/** How files begin that stand between lines: in uuencode, yEnc and BinHex. */
const uuencode = /^begin [0-7]{3,4} \S/
const yenc = /^=ybegin (?:part=\d+ )?(?:total=\d+ )?line=\d+ size=\d+ name=/
const binhex = /^\(This file must be converted with BinHex/
const any = /^(?:begin [0-7]|=ybegin |\(This file must be converted with BinHex)/m

const ends = /^end\s*$/

/** Whether a line is one of a file in uuencode: a sign for its length, and four for each three bytes, but for blanks at its end. */
function isEncoded(line: string): boolean {
  if (!/^[\x20-\x60]{1,64}$/.test(line)) return false
  const length = Math.ceil(((line.charCodeAt(0) - 0x20) & 0x3f) / 3) * 4
  return line.length - 1 <= length + 1 && line.trimEnd().length - 1 >= Math.min(1, length)
}

/**
 * A text without the files in it, which programs from before MIME wrote between its lines; and how many there were. The text is a
 * string of bytes.
 */
export function withoutOldFiles(text: string): { text: string; count: number } {
  if (!any.test(text)) return { text, count: 0 }
  const lines = text.split(/(?<=\n)/)
  const kept: string[] = []
  let count = 0
  for (let at = 0; at < lines.length; at++) {
    const end = endOfFile(lines, at)
    if (end === at) kept.push(lines[at]!)
    else {
      count++
      at = end - 1
    }
  }
  return { text: kept.join(''), count }
}

/** Behind the last line of the file that begins in a line; that line where none does. */
function endOfFile(lines: readonly string[], at: number): number {
  const line = lines[at]!
  if (uuencode.test(line)) return endOfUuencode(lines, at)
  // Its lines may hold anything: one that is cut off goes on to the end.
  if (yenc.test(line)) return behind(lines, at, one => one.startsWith('=yend '))
  return binhex.test(line) ? endOfBinhex(lines, at) : at
}

function endOfUuencode(lines: readonly string[], begin: number): number {
  let at = begin + 1
  while (at < lines.length && !ends.test(lines[at]!) && isEncoded(lines[at]!.replace(/\r?\n$/, ''))) at++
  if (at === begin + 1) return begin
  return at < lines.length && ends.test(lines[at]!) ? at + 1 : at
}

const binhexLine = /^:?[!-,\-0-689@A-NP-VX-Z[`a-fh-mp-r]{1,64}:?\s*$/

/** Its lines begin behind a colon and end before one. */
function endOfBinhex(lines: readonly string[], begin: number): number {
  let at = begin + 1
  while (at < lines.length && /^\s*$/.test(lines[at]!)) at++
  if (!lines[at]?.startsWith(':')) return begin
  const first = at
  while (at < lines.length && binhexLine.test(lines[at]!)) {
    if (/:\s*$/.test(lines[at]!) && (at > first || lines[at]!.trim() !== ':')) return at + 1
    at++
  }
  return at
}

/** Behind the next line that ends something. */
function behind(lines: readonly string[], begin: number, isLast: (line: string) => boolean): number {
  let at = begin + 1
  while (at < lines.length && !isLast(lines[at]!)) at++
  return Math.min(at + 1, lines.length)
}
