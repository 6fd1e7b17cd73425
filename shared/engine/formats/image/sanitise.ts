import { scan, segmentsOf } from './jpeg-segments.ts'

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
  let picture = 0
  for (const { marker, start, end, payload } of segmentsOf(file)) {
    if (marker === scan) picture = start
    else if (!isMetadata(marker, payload)) parts.push(file.subarray(start, end))
  }
  if (picture === 0) return undefined
  const last = file.lastIndexOf(Buffer.from([0xff, 0xd9]))
  // Everything from the first scan on is picture, up to the last end marker.
  parts.push(file.subarray(picture, last > picture ? last + 2 : file.length))
  const stripped = Buffer.concat(parts)
  return stripped.length < file.length ? stripped : undefined
}
