import { isStopWord } from './stop-words.ts'

/** Letters and digits that a value needs to be looked for elsewhere; of ideographs two are a name. */
const fewest = 3
const fewestIdeographs = 2

const characters = /[\p{L}\p{N}]/gu
const words = /[\p{L}\p{M}\p{N}]+/gu
const ideographs = /[\p{Script=Han}\p{Script=Hangul}]/gu
/** Capitals, digits, and letters of scripts that have no capitals. */
const marked = /[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u

type Pairs = Readonly<Record<string, string>>
const closerOf: Pairs = { '(': ')', '[': ']', '{': '}', '<': '>', '«': '»', '“': '”', '„': '“', '‘': '’' }
const openerOf: Pairs = { ')': '(', ']': '[', '}': '{', '>': '<', '»': '«', '”': '“', '’': '‘' }
const loose = /[\s,;:!?'"|\\–—-]/

/**
 * A value without the punctuation around it, which was not meant. Brackets and quotes with a partner in it stay, unless they
 * hold all of it.
 */
export function bare(value: string): string {
  let start = 0
  let end = value.length
  const goes = (mark: string, pairs: Pairs) => {
    if (mark === '"') return value.slice(start, end).split(mark).length % 2 === 0
    const partner = pairs[mark]
    return partner === undefined ? loose.test(mark) : !value.slice(start, end).includes(partner)
  }
  while (start < end && (goes(value[start]!, closerOf) || /[.)\]}>»”’]/.test(value[start]!))) start++
  while (start < end && (goes(value[end - 1]!, openerOf) || /[([{<«“„‘]/.test(value[end - 1]!))) end--
  const rest = value.slice(start, end)
  const inside = /^(?:\(([^()]+)\)|\[([^[\]]+)\]|"([^"]+)")$/.exec(rest)?.slice(1).find(Boolean)
  return inside === undefined ? rest : bare(inside)
}

/** Whether a value holds anything but marks. */
export const saysSomething = (value: string): boolean => value.search(characters) >= 0

/** Whether there is anything in a value but marks and words that are too common to tell of anybody. */
export const isMeant = (value: string): boolean =>
  saysSomething(value) && (value.match(words) ?? []).some(word => !isStopWord(word.toLowerCase()))

/**
 * Whether a value tells enough to be replaced wherever it stands: it is meant, has a capital or a digit (or is in a script
 * without capitals), and is no shorter than names are.
 */
export function isTelling(value: string): boolean {
  if (!isMeant(value) || !marked.test(value)) return false
  const length = value.match(characters)!.length
  return length >= fewest || (value.match(ideographs)?.length ?? 0) >= fewestIdeographs
}

/** Whether a value is an account that no word is written like: `thilo.b`, `mel_k`. */
export const isAccount = (label: string, value: string): boolean =>
  label === 'USERNAME' && /[\p{L}\p{N}][._-][\p{L}\p{N}]/u.test(value)

/** How many words a value has, parts of compounds and numbers counted. */
export const countWords = (value: string): number => value.match(words)?.length ?? 0
