/** A segment of a JPEG: its marker (second byte), where it begins and ends, and what stands behind its length. */
type Segment = { marker: number; start: number; end: number; payload: Buffer }

/** First scan: from its header on everything is picture. */
export const scan = 0xda

/** Markers that stand alone: temporary ones, restarts, beginning and end. */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)

/**
 * The segments of a JPEG up to its first scan and that one's header (ITU-T T.81, annex B). Other bytes between them are
 * passed over, as decoders do: some cameras and programs write them. Ends where a segment is cut off.
 */
export function* segmentsOf(file: Buffer): Generator<Segment> {
  for (let start = 2; start + 4 <= file.length; ) {
    const marker = file[start + 1]!
    const isMarker = file[start] === 0xff && marker !== 0xff && marker !== 0
    if (!isMarker || isAlone(marker)) {
      start += isMarker ? 2 : 1
      continue
    }
    const end = start + 2 + file.readUInt16BE(start + 2)
    if (end > file.length && marker !== scan) return
    yield { marker, start, end, payload: file.subarray(start + 4, end) }
    if (marker === scan) return
    start = Math.max(end, start + 2)
  }
}
