/** Whether these are the first bytes of an enhanced metafile. */
export const isEmf = (head: Buffer): boolean =>
  head.length >= 88 && head.readUInt32LE(0) === 1 && head.toString('latin1', 40, 44) === ' EMF'

/** Bytes of the head that says where on a page a Windows metafile goes. */
const placeableSize = 22
/** Bytes of the head that each Windows metafile has. */
export const headSize = 18

/** Where the head of a Windows metafile begins: behind the one that says where it goes, if there is one. */
export const startOfWmf = (head: Buffer): number =>
  head.length >= placeableSize && head.readUInt32LE(0) === 0x9ac6cdd7 ? placeableSize : 0

/** Whether these are the first bytes of a Windows metafile. */
export function isWmf(head: Buffer): boolean {
  const at = startOfWmf(head)
  if (head.length < at + headSize) return false
  const version = head.readUInt16LE(at + 4)
  return [1, 2].includes(head.readUInt16LE(at)) && head.readUInt16LE(at + 2) === 9 && [0x100, 0x300].includes(version)
}
