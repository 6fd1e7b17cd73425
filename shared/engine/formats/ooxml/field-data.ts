import type { Patch, SourceRun } from '../text/text-nodes.ts'

/** What programs that manage references keep in the code of a field, in base64: names, titles, whole records. */
const stretch = 200
const data = new RegExp(`[A-Za-z0-9+/]{${stretch}}`, 'g')
const rest = new RegExp(`[A-Za-z0-9+/]{0,${stretch}}={0,2}`, 'y')

/** Where such data begins and ends; an expression for all of it at once would need a stack as long. */
function placeOfData(text: string): [first: number, last: number] | undefined {
  let [first, last] = [-1, -1]
  for (const { index } of text.matchAll(data)) {
    if (first < 0) first = index
    last = index + stretch
  }
  if (first < 0) return undefined
  rest.lastIndex = last
  return [first, last + rest.exec(text)![0].length]
}

/** What is left of the code of a field without such data, and the patches that take it out; undefined where it has none. */
export function withoutData(code: readonly SourceRun[]): { runs: SourceRun[]; cleaning: Patch[] } | undefined {
  const place = placeOfData(code.map(({ text }) => text).join(''))
  if (!place) return undefined
  const [first, last] = place
  const runs: SourceRun[] = []
  const cleaning: Patch[] = []
  let at = 0
  for (const run of code) {
    const { text, start, end } = run
    const before = text.slice(0, Math.max(0, first - at))
    const after = text.slice(Math.max(0, last - at))
    at += text.length
    if (before === text || after === text) {
      runs.push(run)
      continue
    }
    // What is escaped is longer in the file, so that only the whole can be taken out.
    const isPlain = text.length === end - start
    const [from, to] = isPlain ? [start + before.length, end - after.length] : [start, end]
    cleaning.push({ start: from, end: to, text: '' })
    if (from > start) runs.push({ ...run, text: before, end: from })
    if (to < end) runs.push({ ...run, text: after, start: to })
  }
  return { runs, cleaning }
}
