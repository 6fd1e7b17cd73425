/** A byte sequence to look for, and whose value it is a form of. */
export type Pattern = { bytes: Buffer; value: number }

/** Finds every pattern of a set in one pass over the bytes, however many patterns there are. */
export type Search = {
  /** Calls `hit` with the value of each pattern that stands in `bytes`; ends early when `hit` returns true. */
  run(bytes: Uint8Array, hit: (value: number) => boolean | undefined): void
  /** Length of the longest pattern. */
  longest: number
}

const spread = 0x9e3779b1

const wordAt = (bytes: Uint8Array, at: number) =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]! | 0

/**
 * Builds the search. Each pattern (of four bytes or more; shorter ones are left out) is filed under the rarest of its
 * four-byte words, so that patterns with a common beginning, such as a country code, don't pile up in one place.
 */
export function buildSearch(patterns: readonly Pattern[]): Search {
  const usable = patterns.filter(({ bytes }) => bytes.length >= 4)
  const frequency = new Map<number, number>()
  for (const { bytes } of usable) {
    for (let at = 0; at + 4 <= bytes.length; at++) {
      const word = wordAt(bytes, at)
      frequency.set(word, (frequency.get(word) ?? 0) + 1)
    }
  }
  let bits = 12
  while (bits < 22 && 1 << bits < usable.length * 16) bits++
  const shift = 32 - bits
  const filter = new Uint8Array(1 << bits)
  const files = new Map<number, { bytes: Buffer; value: number; offset: number }[]>()
  let longest = 0
  for (const { bytes, value } of usable) {
    longest = Math.max(longest, bytes.length)
    let offset = 0
    let rarest = Number.POSITIVE_INFINITY
    for (let at = 0; at + 4 <= bytes.length; at++) {
      const count = frequency.get(wordAt(bytes, at))!
      if (count < rarest) [rarest, offset] = [count, at]
    }
    const word = wordAt(bytes, offset)
    const file = files.get(word)
    if (file) file.push({ bytes, value, offset })
    else files.set(word, [{ bytes, value, offset }])
    filter[Math.imul(word, spread) >>> shift] = 1
  }

  return {
    longest,
    run(bytes, hit) {
      if (usable.length === 0 || bytes.length < 4) return
      const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let word = (bytes[0]! << 16) | (bytes[1]! << 8) | bytes[2]!
      for (let at = 3; at < bytes.length; at++) {
        word = (word << 8) | bytes[at]!
        if (filter[Math.imul(word, spread) >>> shift] === 0) continue
        const file = files.get(word)
        if (!file) continue
        for (const { bytes: wanted, value, offset } of file) {
          const start = at - 3 - offset
          if (start < 0 || start + wanted.length > bytes.length) continue
          if (view.compare(wanted, 0, wanted.length, start, start + wanted.length) === 0 && hit(value)) return
        }
      }
    },
  }
}
