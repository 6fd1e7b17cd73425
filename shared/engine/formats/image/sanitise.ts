/** Markers of a JPEG's metadata: application data but for JFIF, colour profiles and Adobe's colours; comments. */
const isMetadata = (marker: number, payload: Buffer): boolean => {
  if (marker === 0xfe) return true
  if (marker < 0xe0 || marker > 0xef) return false
  const keeps = marker === 0xe0 ? 'JFIF\0' : marker === 0xe2 ? 'ICC_PROFILE\0' : marker === 0xee ? 'Adobe' : undefined
  return keeps === undefined || !payload.subarray(0, keeps.length).equals(Buffer.from(keeps, 'latin1'))
}

/**
 * A JPEG without its metadata (Exif, XMP, IPTC, previews, comments) and without what follows its end; pixels stay as
 * they are. Undefined when the bytes are no JPEG or there is nothing to take out.
 */
export const stripJpeg = (bytes: Uint8Array): Uint8Array | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file[0] !== 0xff || file[1] !== 0xd8) return undefined
  const parts: Buffer[] = [file.subarray(0, 2)]
  let at = 2
  while (at + 4 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1] as number
    if (marker === 0xff) {
      at++
      continue
    }
    // From the first scan on everything is picture, up to the last end marker.
    if (marker === 0xda) break
    const end = at + 2 + file.readUInt16BE(at + 2)
    if (!isMetadata(marker, file.subarray(at + 4, end))) parts.push(file.subarray(at, end))
    at = end
  }
  if (file[at] !== 0xff || file[at + 1] !== 0xda) return undefined
  const last = file.lastIndexOf(Buffer.from([0xff, 0xd9]))
  parts.push(file.subarray(at, last > at ? last + 2 : file.length))
  const stripped = Buffer.concat(parts)
  return stripped.length < file.length ? stripped : undefined
}
