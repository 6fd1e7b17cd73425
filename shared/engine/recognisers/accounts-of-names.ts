import { isFormWords } from '../detect/form-words.ts'
import { isStopWord } from '../detect/stop-words.ts'
import type { Found } from '../models/model.ts'
import { isCommonName, listedName } from './name-lexicon.ts'

/** Letters of a name that an account is called after, and of one to which nothing but an initial is added: shorter ones make words. */
const fewest = 4
const fewestBare = 5
/** Letters that old systems leave of a name before or behind an initial. */
const cut = 7
/** Letters that words of many languages end in, too. */
const mayBeEnding = /[adenrst]$/

/** A word with a capital, or an initial with its full stop. */
const capitalised = /(?<![\p{L}\p{M}\p{N}_@])(?:\p{Lu}[\p{L}\p{M}]+|\p{Lu}(?=\.))/gu
/** What may stand between two words of a name. */
const between = /^(?:\.?,?[ \u00a0]?|[-’'])(?:\p{Ll}{1,3} ){0,2}$/u
const longestBetween = 12
/** Words with a digit or a mark in them. */
const marked =
  /(?<![\p{L}\p{M}\p{N}_@./\\-])(?=\p{L}{0,30}(?:\d|[._-][\p{L}\d]))[\p{L}\d][\p{L}\p{M}\d]*(?:[._-][\p{L}\p{M}\d]+){0,5}(?![\p{L}\p{N}@/\\]|[._-][\p{L}\p{N}])/gu
/** In lower case; in capitals with a digit or two marks, so that no compound of a heading is one; with a low line in any case. */
const mayBeCalled = /^(?=[^\p{L}]*\p{L})(?:[^\p{Lu}]*|[^\p{Ll}\d-]*(?:\d|-[^\p{Ll}-]*-)[^\p{Ll}]*|.*_.*)$/u
/** Letters alone, as accounts have them. */
const letters = /[a-z]{6,}|[A-Z]{6,}/g

const plain: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
}
const spelt: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/** A word in lower case without what accounts leave out. */
const folded = (lower: string) =>
  /^[a-z]*$/.test(lower)
    ? lower
    : lower
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .replace(/[łøßæœđðþı]/g, letter => plain[letter]!)

/** The ways in which accounts write a word. */
function spellings(lower: string): string[] {
  const one = folded(lower)
  const other = folded(lower.normalize('NFC').replace(/[äöüåø]/g, letter => spelt[letter]!))
  return one === other ? [one] : [one, other]
}

const isWord = (lower: string) => isStopWord(lower) || isFormWords(lower) || isCommonName(lower, undefined)
/** Whether a word in lower case is a given name of some language, and no common word. */
export const isGiven = (lower: string) => (listedName(lower, undefined)?.given ?? 0) !== 0 && !isWord(lower)

/** A word of a text that may be one of a name. */
type Part = { lower: string; ways: string[] }

/** Words that stand beside each other, and those that stand alone behind `undefined`, in either order. */
function* pairsOf(text: string): Generator<[Part, Part | undefined]> {
  const known = new Map<string, Part>()
  let last: Part | undefined
  let end = 0
  for (const match of text.matchAll(capitalised)) {
    const word = match[0]
    let part = known.get(word)
    if (!part) {
      const lower = word.toLowerCase()
      part = { lower, ways: spellings(lower) }
      known.set(word, part)
    }
    const gap = match.index - end
    const isBeside = last && gap <= longestBetween && between.test(text.slice(end, match.index))
    yield [part, isBeside ? last : undefined]
    if (isBeside) yield [last!, part]
    last = part
    end = match.index + word.length
  }
}

/** Forms of address, which no given name needs to stand beside. */
const courtesy = new Set(
  'mr mrs ms miss mme mlle madame monsieur herr herrn frau fr hr sr sra señor señora sig signor signora dr dra prof pan pani mw mevr dhr fru'.split(
    ' ',
  ),
)

/** Whether a word that stands beside another one is that of a name for sure. */
const isSure = (own: Part, other: Part) => other.lower.length === 1 || isGiven(other.lower) || isGiven(own.lower)

type Marked = { value: string; index: number; parts: string[] }

function markedIn(text: string): Marked[] {
  const all: Marked[] = []
  for (const { 0: value, index } of text.matchAll(marked)) {
    if (!mayBeCalled.test(value)) continue
    const parts = folded(value.toLowerCase())
      .split(/[._\d-]+/)
      .filter(({ length }) => length >= fewest)
    if (parts.length > 0) all.push({ value, index, parts })
  }
  return all
}

/**
 * What is called after names of the text: parts of words with marks, and of such with digits too; words of one case, and those that may
 * be by chance.
 */
type Called = Record<'parts' | 'numbered' | 'words' | 'doubtful', Set<string>>

function calledAfter(text: string, bare: ReadonlySet<string>, parts: ReadonlySet<string>): Called {
  const called: Called = { parts: new Set(), numbered: new Set(), words: new Set(), doubtful: new Set() }
  for (const [own, other] of pairsOf(text))
    for (const way of own.ways) {
      if (way.length < fewest) continue
      const isOfName = () => other && (isGiven(other.lower) || courtesy.has(other.lower)) && !isWord(own.lower)
      if (parts.has(way)) {
        if (!called.parts.has(way) && isOfName()) called.parts.add(way)
        if (!called.numbered.has(way) && isGiven(own.lower)) called.numbered.add(way)
      }
      const [initial] = other?.ways[0] ?? ''
      if (initial === undefined) continue
      for (const stem of way.length > cut ? [way, way.slice(0, cut)] : [way])
        for (const name of [initial + stem, stem + initial]) {
          const isPart = parts.has(name)
          const isBare = bare.has(name) && stem.length >= fewestBare
          if ((!isPart && !isBare) || called.words.has(name) || isWord(own.lower) || isWord(name)) continue
          const sure = isSure(own, other!)
          // An initial behind a word may be an ending of it.
          if (!sure && name.startsWith(stem) && mayBeEnding.test(name)) continue
          if (isPart) called.parts.add(name)
          if (isBare) (sure ? called.words : called.doubtful).add(name)
        }
    }
  return called
}

/** What shows a word to be an account: brackets or quotes, its label, its owner in brackets behind it. */
const before =
  /(?:[=:] ?["'«„]?|["'«„(]|(?<![\p{L}\p{N}])(?:log-?in|user(?:name)?|account|benutzer(?:name)?|konto|usuario|usuário|compte|identifiant|utente|gebruiker(?:snaam)?|użytkownik|uživatel|användar(?:e|namn)|bruker(?:navn)?|bruger(?:navn)?) )$/iu
const longestBefore = 20
const behind = /^(?:["'»“),;]|\s|$)/
const owner = /^ \(\p{Lu}/u
const isShown = (ahead: string, following: string) =>
  (before.test(ahead) && behind.test(following)) || owner.test(following)

/** What no account stands right beside: it would be a part of something else. */
const [openBefore, openBehind] = [/[\p{L}\p{M}\p{N}_@./\\-]$/u, /^(?:[\p{L}\p{M}\p{N}@/\\]|[._-][\p{L}\p{N}])/u]

const found = (index: number, value: string): Found => ({
  ...{ start: index, end: index + value.length, label: 'USERNAME', score: 0.6 },
  evidence: { by: 'pattern', pattern: 'username.of-name' },
})

/** The accounts in letters alone; those that are doubtful, where they are shown to be one. */
function wordsCalled(text: string, { words, doubtful }: Called): Found[] {
  if (words.size + doubtful.size === 0) return []
  const all: Found[] = []
  for (const { 0: value, index } of text.matchAll(letters)) {
    const name = value.toLowerCase()
    if (!words.has(name) && !doubtful.has(name)) continue
    const [ahead, following] = [
      text.slice(Math.max(0, index - longestBefore), index),
      text.slice(index + value.length, index + value.length + 3),
    ]
    if (openBefore.test(ahead) || openBehind.test(following)) continue
    if (words.has(name) || isShown(ahead, following)) all.push(found(index, value))
  }
  return all
}

/** Accounts and devices that are called after somebody in the text: `jmoser`, `moser_ina`, `nb-moser02`. */
export function accountsOfNames(text: string): Found[] {
  const bare = new Set(Array.from(new Set(text.match(letters)), word => word.toLowerCase()))
  const all = markedIn(text)
  const parts = new Set(all.flatMap(one => one.parts))
  if (bare.size === 0 && parts.size === 0) return []
  const called = calledAfter(text, bare, parts)
  return [
    ...all
      .filter(({ value, parts }) =>
        parts.some(part => called.parts.has(part) || (called.numbered.has(part) && /\d/.test(value))),
      )
      .map(({ index, value }) => found(index, value)),
    ...wordsCalled(text, called),
  ]
}
