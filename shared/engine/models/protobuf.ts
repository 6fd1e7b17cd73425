/** A field of a protocol buffer message: its number and its value, a message or string as bytes. */
export type Field = { number: number; value: number | Uint8Array }

/** Reads the fields of a message. Throws an Error if the bytes are not a message. */
export function* fields(bytes: Uint8Array): Generator<Field> {
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined || shift > 63) throw new Error('damaged')
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const key = varint()
    const number = Math.floor(key / 8)
    const wire = key % 8
    if (number === 0) throw new Error('damaged')
    if (wire === 0) {
      yield { number, value: varint() }
      continue
    }
    const length = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : Number.NaN
    if (!(at + length <= bytes.length)) throw new Error('damaged')
    yield { number, value: bytes.subarray(at, at + length) }
    at += length
  }
}
