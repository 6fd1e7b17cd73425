/** Boxes of a JPEG 2000 file that make up the picture (ISO 15444-1, annex I); all others are metadata. */
const picture = new Set(['jP  ', 'ftyp', 'jp2h', 'jp2c', 'jpch', 'jplh', 'ftbl'])

const comment = 0xff64
const firstTile = 0xff90

/** The codestream without the comments of its main header. */
const stripCodestream = (stream: Buffer): Buffer => {
  if (stream.readUInt16BE(0) !== 0xff4f) return stream
  const parts: Buffer[] = [stream.subarray(0, 2)]
  let at = 2
  while (at + 4 <= stream.length && stream.readUInt16BE(at) !== firstTile) {
    const end = at + 2 + stream.readUInt16BE(at + 2)
    if (stream.readUInt16BE(at) !== comment) parts.push(stream.subarray(at, end))
    at = end
  }
  return Buffer.concat([...parts, stream.subarray(at)])
}

const stripBoxes = (file: Buffer): Buffer => {
  const parts: Buffer[] = []
  for (let at = 0; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at)
    const head = length === 1 ? 16 : 8
    const whole = length === 0 ? file.length - at : length === 1 ? Number(file.readBigUInt64BE(at + 8)) : length
    const end = Math.min(file.length, at + Math.max(whole, head))
    const kind = file.toString('latin1', at + 4, at + 8)
    if (kind === 'jp2c') {
      // The last of a picture's boxes: written as one that reaches to the end of the file.
      const last = stripCodestream(file.subarray(at + head, end))
      return Buffer.concat([...parts, Buffer.from([0, 0, 0, 0]), Buffer.from(kind), last])
    }
    if (picture.has(kind)) parts.push(file.subarray(at, end))
    at = end
  }
  return file
}

/** A JPEG 2000 picture without metadata and comments; undefined when there is nothing to take out. */
export const stripJpx = (bytes: Uint8Array): Uint8Array | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length < 12) return undefined
  const stripped = file.toString('latin1', 4, 8) === 'jP  ' ? stripBoxes(file) : stripCodestream(file)
  return stripped.equals(file) ? undefined : stripped
}
