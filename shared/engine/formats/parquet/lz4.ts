import { EngineError } from '../../errors.ts'

const damaged = () => new EngineError('corrupt_file', 'A page is not packed as its column says')

/** Unpacks a block of LZ4 into exactly `length` bytes. */
export function unpackLz4(block: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length)
  let at = 0
  let done = 0
  const more = (start: number) => {
    let count = start
    if (start < 15) return count
    for (;;) {
      const byte = block[at++]
      if (byte === undefined) throw damaged()
      count += byte
      if (byte < 255) return count
    }
  }
  while (at < block.length) {
    const token = block[at++]!
    const literals = more(token >> 4)
    if (at + literals > block.length || done + literals > length) throw damaged()
    out.set(block.subarray(at, at + literals), done)
    at += literals
    done += literals
    // The last sequence has nothing but literals.
    if (at === block.length) break
    const offset = block[at]! | (block[at + 1]! << 8)
    at += 2
    const end = done + more(token & 15) + 4
    if (!(offset > 0 && offset <= done) || end > length) throw damaged()
    for (; done < end; done++) out[done] = out[done - offset]!
  }
  if (done !== length) throw damaged()
  return out
}

/** Unpacks what the codec LZ4 stands for: blocks behind their two lengths, as Hadoop writes them, or one block alone. */
export function unpackHadoopLz4(bytes: Uint8Array, length: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const blocks: Uint8Array[] = []
  let total = 0
  for (let at = 0; at < bytes.length; ) {
    if (at + 8 > bytes.length) return unpackLz4(bytes, length)
    const [unpacked, packed] = [view.getUint32(at), view.getUint32(at + 4)]
    total += unpacked
    if (total > length || at + 8 + packed > bytes.length) return unpackLz4(bytes, length)
    blocks.push(unpackLz4(bytes.subarray(at + 8, at + 8 + packed), unpacked))
    at += 8 + packed
  }
  return Buffer.concat(blocks)
}
