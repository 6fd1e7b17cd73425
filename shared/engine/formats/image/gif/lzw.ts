/** Codes have twelve bits at most. */
const maxCodes = 4096

/** Unpacks the pixels of a GIF: indices of colours. Returns as many as there are, `count` at most. */
export function unpack(data: Uint8Array, codeSize: number, count: number): Uint8Array {
  if (codeSize < 1 || codeSize > 11) throw new Error('The size of codes is wrong')
  const clear = 2 ** codeSize
  const prefix = new Uint16Array(maxCodes)
  const suffix = new Uint8Array(maxCodes)
  const length = new Uint16Array(maxCodes).fill(1)
  for (let code = 0; code < clear; code++) suffix[code] = code
  const out = new Uint8Array(count)
  let [to, next, size, last, bits, held] = [0, clear + 2, codeSize + 1, -1, 0, 0]
  let first = 0
  for (const byte of data) {
    held |= byte << bits
    bits += 8
    while (bits >= size) {
      const code = held & (2 ** size - 1)
      held >>>= size
      bits -= size
      if (code === clear + 1 || to >= count) return out.subarray(0, to)
      if (code === clear) {
        ;[next, size, last] = [clear + 2, codeSize + 1, -1]
        continue
      }
      if (code > next || (code === next && last < 0) || (code > clear && code >= next && last < 0))
        throw new Error('A code is none')
      // A code may be the one that is about to be made: the last string with its own first pixel behind it.
      const known = code < next
      const end = to + (known ? length[code]! : length[last]! + 1)
      let at = end
      if (!known) at--
      for (let walk = known ? code : last; at > to; walk = prefix[walk]!) {
        at--
        first = suffix[walk]!
        if (at < count) out[at] = first
      }
      if (!known && end - 1 < count) out[end - 1] = first
      to = Math.min(count, end)
      if (last >= 0 && next < maxCodes) {
        prefix[next] = last
        suffix[next] = first
        length[next] = length[last]! + 1
        next++
        if (next === 2 ** size && size < 12) size++
      }
      last = code
    }
  }
  return out.subarray(0, to)
}

/** Packs indices of colours as a GIF does. */
export function pack(pixels: Uint8Array, codeSize: number): Uint8Array {
  const clear = 2 ** codeSize
  const out: number[] = []
  let [bits, held, size, next] = [0, 0, codeSize + 1, clear + 2]
  const put = (code: number) => {
    held |= code << bits
    for (bits += size; bits >= 8; bits -= 8) {
      out.push(held & 0xff)
      held >>>= 8
    }
  }
  const strings = new Map<number, number>()
  put(clear)
  let current = -1
  for (const pixel of pixels) {
    if (current < 0) {
      current = pixel
      continue
    }
    const key = current * 256 + pixel
    const known = strings.get(key)
    if (known !== undefined) {
      current = known
      continue
    }
    put(current)
    if (next < maxCodes) {
      strings.set(key, next)
      if (next === 2 ** size && size < 12) size++
      next++
    } else {
      put(clear)
      strings.clear()
      ;[size, next] = [codeSize + 1, clear + 2]
    }
    current = pixel
  }
  if (current >= 0) put(current)
  put(clear + 1)
  if (bits > 0) out.push(held & 0xff)
  return Uint8Array.from(out)
}
