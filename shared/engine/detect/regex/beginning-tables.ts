import { type Beginning, depth } from './beginnings.ts'
import { holds, kinds, none, others, visit } from './unit-sets.ts'

/** The beginnings of many patterns, a bit each, by the code units that they take. */
export type BeginningTables = {
  /** The pattern that each bit stands for. */
  owners: readonly number[]
  /** Words of 32 bits that hold one for each beginning. */
  words: number
  /** Classes of code units by their kind: of those in one class, every beginning takes all or none. */
  classes: Uint16Array
  count: number
  /** Which beginnings take a class before a match and at its first places: `masks[place][class * words + word]`. */
  masks: readonly Int32Array[]
  /** Where the list begins of the words with beginnings that take a class before a match and one as its first: `open[class * count + class]`. */
  open: Uint32Array
  /** Those lists one after another, each with {@link listEnd} behind it. */
  lists: Uint16Array
}

const listEnd = 0xffff

const lowest = ({ places: [first] }: Beginning): number => {
  for (let kind = 0; kind < kinds; kind++) if (holds(first!, kind)) return kind
  return kinds
}

/** Makes the tables of patterns, each with all its beginnings. */
export function tablesOf(patterns: readonly (readonly Beginning[])[]): BeginningTables {
  // Those that begin alike lie in the same words, so that few of them are looked at for one place.
  const all = patterns
    .flatMap((beginnings, owner) => beginnings.map(beginning => ({ owner, beginning, low: lowest(beginning) })))
    .sort((a, b) => a.low - b.low)
  const words = Math.ceil(all.length / 32)
  const columns = Array.from({ length: kinds }, () => new Int32Array((depth + 1) * words))
  for (const [bit, { beginning }] of all.entries())
    for (const [at, set] of [beginning.before, ...beginning.places].entries()) {
      const word = at * words + (bit >> 5)
      visit(set, kind => {
        columns[kind]![word]! |= 1 << (bit & 31)
      })
    }

  const known = new Map<string, number>()
  const classes = Uint16Array.from(columns, column => {
    const key = column.join()
    if (!known.has(key)) known.set(key, known.size)
    return known.get(key)!
  })
  const count = known.size
  const masks = Array.from({ length: depth + 1 }, () => new Int32Array(count * words))
  for (const [kind, column] of columns.entries())
    for (const [at, mask] of masks.entries())
      mask.set(column.subarray(at * words, (at + 1) * words), classes[kind]! * words)
  const owners = all.map(({ owner }) => owner)
  return { owners, words, classes, count, masks, ...openWords(masks, count, words) }
}

function openWords(
  [before, first]: readonly Int32Array[],
  count: number,
  words: number,
): Pick<BeginningTables, 'open' | 'lists'> {
  const open = new Uint32Array(count * count)
  const lists = [listEnd]
  const known = new Map<string, number>()
  const list = new Uint16Array(words + 1)
  for (let pair = 0; pair < open.length; pair++) {
    const [a, b] = [Math.floor(pair / count) * words, (pair % count) * words]
    let length = 0
    for (let word = 0; word < words; word++) if (before![a + word]! & first![b + word]!) list[length++] = word
    if (length === 0) continue
    list[length++] = listEnd
    const key = String.fromCharCode(...list.subarray(0, length))
    if (!known.has(key)) known.set(key, lists.push(...list.subarray(0, length)) - length)
    open[pair] = known.get(key)!
  }
  return { open, lists: Uint16Array.from(lists) }
}

/** Places by pattern where its matches may begin; `undefined` where none may, `null` where too many may. */
export type Places = (number[] | null | undefined)[]

/** Where matches of each of so many patterns may begin in a text. */
export function placesIn(text: string, tables: BeginningTables, patterns: number): Places {
  const { owners, words, classes, count, masks, open, lists } = tables
  const units = new Uint16Array(text.length + depth + 1).fill(classes[none]!)
  for (let at = 0; at < text.length; at++) units[at + 1] = classes[Math.min(text.charCodeAt(at), others)]!
  const places: Places = new Array(patterns).fill(undefined)
  // To try a pattern at one place takes as long as to search some ten characters for it.
  const most = 16 + (text.length >> 3)
  for (let at = 0; at < text.length; at++) {
    let next = open[units[at]! * count + units[at + 1]!]!
    for (let word = lists[next]!; word !== listEnd; word = lists[++next]!) {
      let bits = -1
      for (let place = 0; bits !== 0 && place <= depth; place++)
        bits &= masks[place]![units[at + place]! * words + word]!
      for (; bits !== 0; bits &= bits - 1) {
        const owner = owners[word * 32 + 31 - Math.clz32(bits & -bits)]!
        const list = places[owner]
        if (list === undefined) places[owner] = [at]
        else if (list !== null && list.at(-1) !== at && list.push(at) > most) places[owner] = null
      }
    }
  }
  return places
}
