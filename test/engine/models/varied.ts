/** A stream of pseudo-random numbers below 1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const words =
  "the Patient Anna Göteborg STRAẞE niño São Łódź Привет Москва 東京 你好 한국어 שלום مرحبا नमस्ते ภาษาไทย Ελλάς İstanbul ΟΔΟΣ ﬁrst ½ ２０２６ €12,50 2026-11-20 anna@example.com https://example.org/a?b=c 👩‍👩‍👧 😀 ne\u0301e a\u0308 don\u2019t we'll O'Neil x² § 10% unbelievable supercalifragilistic ｈｅｌｌｏ Ⅳ ㎏ \u00ad\u00adhy\u00adphen".split(
    ' ',
  )
const gaps = [' ', ' ', ' ', ' ', '  ', '\n', '\t', '\u00a0', '\r\n', '', ', ', '. ', '-', '/', '\u3000', '\u2009']
const ranges = [
  [0x20, 0x7f],
  [0xa0, 0x250],
  [0x370, 0x400],
  [0x400, 0x500],
  [0x5d0, 0x5eb],
  [0x620, 0x64b],
  [0x905, 0x93a],
  [0xe01, 0xe2f],
  [0x2010, 0x2028],
  [0x20a0, 0x20c0],
  [0x2190, 0x2200],
  [0x3041, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a4],
  [0xff01, 0xff5f],
  [0x1f300, 0x1f650],
  [0x20000, 0x2a000],
] as const

/** The `seed`-th of an endless list of varied texts: words of many scripts, marks, emoji, odd blanks, random characters. */
export function variedText(seed: number): string {
  const next = random(seed + 1)
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!
  let text = ''
  for (let n = Math.floor(next() * 14); n >= 0; n--) {
    const kind = next()
    if (kind < 0.6) text += next() < 0.15 ? pick(words).toUpperCase() : pick(words)
    else if (kind < 0.9) {
      const [from, to] = pick(ranges)
      for (let k = Math.floor(next() * 7); k >= 0; k--)
        text += String.fromCodePoint(from + Math.floor(next() * (to - from)))
    } else if (kind < 0.95) text += String(Math.floor(next() * 1e9))
    else text += pick(['\u0301', '\u200b', '\ufeff', '\u0007', '\ufffd', '\u200d', '\u0085'])
    text += pick(gaps)
  }
  return text
}

// Prints that many of them, which the reference is recorded with.
if (import.meta.main) {
  const count = Number(process.argv[2])
  console.log(JSON.stringify(Array.from({ length: count }, (_, seed) => variedText(seed))))
}
