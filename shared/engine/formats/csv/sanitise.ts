/** A 1 for each byte that a formula may begin with. */
export const marks = new Uint8Array(256)
for (const character of '=+-@\t\r') marks[character.charCodeAt(0)] = 1
const [plus, minus] = [0x2b, 0x2d]

/** Bytes that a number may hold behind its sign. */
const numeric = new Uint8Array(256)
for (const character of '0123456789.,eE% \u00a0') numeric[character.charCodeAt(0)] = 1

/** Whether programs would run a cell with these bytes as a formula. A number with a sign is none. */
export function runsAsFormula(bytes: Uint8Array, start: number, end: number): boolean {
  if (start >= end) return false
  const first = bytes[start]!
  if (marks[first] === 0) return false
  if (first !== plus && first !== minus) return true
  for (let at = start + 1; at < end; at++) if (numeric[bytes[at]!] === 0) return true
  return false
}
