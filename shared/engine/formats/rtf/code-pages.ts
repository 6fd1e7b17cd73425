import iconv from 'iconv-lite'

/** The name of a code page by its number; that of Western Europe where it is not known. */
export function codePageOf(number: number): string {
  const name = number === 65_001 ? 'utf-8' : number === 10_000 ? 'macroman' : `cp${number}`
  return iconv.encodingExists(name) ? name : 'cp1252'
}

/** How many bytes a character has that begins with this one. */
export function lengthOf(codePage: string, byte: number): number {
  if (byte < 0x81 || byte > 0xfe) return 1
  if (codePage === 'utf-8') return byte < 0xc2 || byte > 0xf4 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
  if (codePage === 'cp932') return byte <= 0x9f || (byte >= 0xe0 && byte <= 0xfc) ? 2 : 1
  return /^cp9(?:36|49|50)$/.test(codePage) ? 2 : 1
}

/** Whether a byte may follow others in a character. */
export const continues = (codePage: string, byte: number): boolean => codePage !== 'utf-8' || (byte & 0xc0) === 0x80
