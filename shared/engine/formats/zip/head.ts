const signature = Buffer.from('PK\u0003\u0004', 'latin1')

/**
 * How sure the first bytes of a file are that it is a ZIP package with a folder of this name. Where no name of that
 * folder stands near the beginning, the extension decides.
 */
export function looksLikePackage(head: Uint8Array, name: string, folder: string, extensions: string[]): number {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (!bytes.subarray(0, 4).equals(signature)) return 0
  const named = extensions.includes(name.toLowerCase().split('.').at(-1) ?? '')
  for (let at = 0; at >= 0; at = bytes.indexOf(signature, at + 4)) {
    if (at + 30 > bytes.length) break
    const length = bytes.readUInt16LE(at + 26)
    const entry = bytes
      .toString('latin1', at + 30, at + 30 + length)
      .replaceAll('\\', '/')
      .replace(/^\//, '')
    if (entry.startsWith(folder)) return named ? 0.98 : 0.95
  }
  return named ? 0.8 : 0
}
