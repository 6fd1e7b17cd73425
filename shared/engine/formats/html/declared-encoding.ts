/** The encoding that the beginning of an HTML file names. */
export const declaredEncoding = (bytes: Buffer) =>
  /<(?:meta\s[^>]*?charset|\?xml[^>]*?encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(bytes.toString('latin1', 0, 4096))?.[1]
