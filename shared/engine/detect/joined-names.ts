import { fold } from '../surrogates/spelling.ts'

/** Words that signs join to one, as names of files, addresses and identifiers are made of: `anna-berg`, `Anna_Berg`. */
const joined = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]+(?:[_.-][\p{L}\p{N}\p{M}]+)+/gu
/** Tells most texts apart at once. */
const mayBeJoined = /[^\s_.-][_.-][^\s_.-]/

const wordsOf = (value: string): string[] => value.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** Fewest letters and digits of a value that is looked for as an identifier, and most characters. */
const fewest = 4
const most = 200

/** German letters as identifiers spell them. */
const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa' }
const withUmlauts = (text: string) => text.toLowerCase().replace(/[äöüå]/g, letter => umlauts[letter]!)

/** Signs of addresses, which no identifier spells. */
const ofAddresses = /[@/:\\=&?#]/
const severalWords = /[\p{L}\p{N}\p{M}][^\p{L}\p{N}\p{M}]+[\p{L}\p{N}\p{M}]/u

/** Whether identifiers may spell a value: words, one of letters at least. */
export const isJoinable = (value: string): boolean =>
  value.length <= most && severalWords.test(value) && /\p{L}/u.test(value) && !ofAddresses.test(value)

/** What identifiers call a value of several words, with blanks between these: as it is, and without accents. */
function spellingsOf(value: string): string[] {
  if (!isJoinable(value)) return []
  const words = wordsOf(value.normalize('NFC'))
  const name = words.join(' ')
  if (words.length < 2 || words.join('').length < fewest) return []
  const names = [name.toLowerCase(), fold(name), fold(withUmlauts(name))]
  // Names with an apostrophe are written with and without a sign in its place.
  if (/['’]/.test(value)) names.push(fold(wordsOf(value.replace(/['’]/g, '')).join(' ')))
  return [...new Set(names)].filter(spelling => spelling.includes(' '))
}

type Node<T> = { next: Map<number, Node<T>>; value?: T }

/** Where a value stands, spelled as an identifier. */
type Joined<T> = { start: number; end: number; value: T }

const isLetter = (text: string, at: number) => /[\p{L}\p{M}]/u.test(text.charAt(at))
const isDigit = (text: string, at: number) => /\p{N}/u.test(text.charAt(at))

/** Whether a word begins or ends at a place; digits that letters stand next to are a word of their own. */
const parts = (text: string, at: number): boolean =>
  !(isLetter(text, at - 1) && isLetter(text, at)) && !(isDigit(text, at - 1) && isDigit(text, at))

/** Makes the search for values of several words where identifiers hold them; nothing if no value is one. */
export function joinedNames<T extends { value: string }>(
  values: readonly T[],
): ((text: string) => Joined<T>[]) | undefined {
  const root: Node<T> = { next: new Map() }
  for (const known of values) {
    for (const spelling of spellingsOf(known.value)) {
      let node = root
      for (let index = 0; index < spelling.length; index++) {
        const code = spelling.charCodeAt(index)
        const next: Node<T> = node.next.get(code) ?? { next: new Map() }
        node.next.set(code, next)
        node = next
      }
      node.value ??= known
    }
  }
  if (root.next.size === 0) return undefined
  return text => {
    if (!mayBeJoined.test(text)) return []
    return Array.from(text.matchAll(joined)).flatMap(({ 0: token, index }) => findIn(root, token, index))
  }
}

/** The values in words that are joined, which begin at an offset: the longest from each place, one behind the other. */
function findIn<T>(root: Node<T>, token: string, offset: number): Joined<T>[] {
  const lower = token.toLowerCase()
  const text = (lower.length === token.length ? lower : token).replace(/[_.-]/g, ' ')
  const found: Joined<T>[] = []
  for (let start = 0; start < text.length; start++) {
    let node = parts(text, start) ? root.next.get(text.charCodeAt(start)) : undefined
    let longest: Joined<T> | undefined
    for (let end = start + 1; node; node = node.next.get(text.charCodeAt(end++)))
      if (node.value && parts(text, end)) longest = { start: offset + start, end: offset + end, value: node.value }
    if (!longest) continue
    found.push(longest)
    start = longest.end - offset - 1
  }
  return found
}
