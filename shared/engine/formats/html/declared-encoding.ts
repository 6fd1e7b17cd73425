import { isAscii } from 'node:buffer'

const declaration = /<(?:meta\s[^>]*?charset|\?xml[^>]*?encoding)\s*=\s*["']?\s*([\w.:-]+)/i

/** The encoding that the beginning of an HTML file names. Of one that names none browsers read ASCII alone as it was meant. */
export const declaredEncoding = (bytes: Buffer): string | undefined =>
  declaration.exec(bytes.toString('latin1', 0, 4096))?.[1] ?? (isAscii(bytes) ? 'us-ascii' : undefined)
