import iconv from 'iconv-lite'

/** The name of a code page by its number; that of Western Europe where it is not known. */
export function codePageOf(number: number): string {
  const name = number === 65_001 ? 'utf-8' : number === 10_000 ? 'macroman' : `cp${number}`
  return iconv.encodingExists(name) ? name : 'cp1252'
}

/** Whether a byte begins a character of two bytes. */
export function isLead(codePage: string, byte: number): boolean {
  if (codePage === 'cp932') return (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc)
  return /^cp9(?:36|49|50)$/.test(codePage) && byte >= 0x81 && byte <= 0xfe
}
