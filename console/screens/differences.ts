/** Words of the other text that are looked through for the next place where both agree. */
const LOOK_AHEAD = 400

/** A text in parts that the other one has too and parts that it has not, told word by word from the start. */
export function differences(text: string, other: string): { text: string; changed: boolean }[] {
  const [one, two] = [wordsOf(text), wordsOf(other)]
  const parts: { text: string; changed: boolean }[] = []
  const add = (part: string, changed: boolean) => {
    const last = parts.at(-1)
    if (last?.changed === changed) last.text += part
    else if (part) parts.push({ text: part, changed })
  }
  let [at, beside] = [0, 0]
  while (at < one.length) {
    if (one[at] === two[beside]) {
      add(one[at]!, false)
      at++
      beside++
      continue
    }
    const [skipped, passed] = nextAgreement(one, at, two, beside)
    add(one.slice(at, at + skipped).join(''), true)
    at += skipped
    beside += passed
  }
  return parts
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? []

/** How many words of each are passed over until three in a row agree; all that is left where none do. */
function nextAgreement(one: string[], at: number, two: string[], beside: number): [number, number] {
  const agrees = (a: number, b: number) =>
    [0, 1, 2].every(
      n => one[at + a + n] === two[beside + b + n] || (at + a + n >= one.length && beside + b + n >= two.length),
    )
  for (let sum = 1; sum < 2 * LOOK_AHEAD; sum++) {
    for (let skipped = 0; skipped <= sum; skipped++) {
      if (agrees(skipped, sum - skipped)) return [skipped, sum - skipped]
    }
  }
  return [one.length - at, two.length - beside]
}
