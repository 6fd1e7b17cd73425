import { isFormWords } from '../detect/form-words.ts'
import { isStopWord } from '../detect/stop-words.ts'
import type { Found } from '../models/model.ts'
import { bitOf, isCommonName, type ListedName, listedName } from './name-lexicon.ts'

/** A word of a text that begins with a capital. */
type Word = {
  start: number
  end: number
  listed: ListedName
  /** A common word of the language as well, or one by which a sentence goes on or a form names its parts. */
  isCommon: boolean
  isOther: boolean
  /** Whether a sentence, a line or a quotation begins with it. */
  isFirst: boolean
}

const capitalised =
  /(?<![\p{L}\p{M}\p{N}_@#&/.’'-])\p{Lu}[\p{L}\p{M}]+(?:[’'-]\p{Lu}[\p{L}\p{M}]+)*(?![\p{L}\p{M}\p{N}_@]|-\p{L}|\/\d{1,3}\.\d)/gu
const opening = /(?:^|[.!?:;•|>"“„«»…\n\r(\]–—-])[ \t\u00a0]*$/u
/** What may stand between two words of a name. */
const between =
  /^[ \u00a0](?:\p{Lu}\.[ \u00a0]?){0,2}(?:(?:van|von|vom|zu|zur|ter|ten|der|den|de|da|do|dos|das|di|del|della|la|le|af|av|el|al|bin|y)[ \u00a0]){0,3}$/u
const initials = /(?<![\p{L}\p{N}.])(?:\p{Lu}\.[ \u00a0]?){1,3}$/u

/**
 * Languages that the model of running text reads so well that lists add names in signatures and the like, and within
 * sentences streets and institutions only.
 */
const wellRead = new Set(['en', 'es'])
/** Languages whose given names count alone: the others are left to the model of running text, which reads them. */
const aloneByGiven = new Set('pt pl cs fr it nl ro hu fi tr'.split(' '))
/** Languages whose surnames do: in the others too many are words, or begin sentences. */
const aloneBySurname = new Set('pt pl cs sv no da'.split(' '))
/** Languages in which a word that has a capital within a sentence is a name, though it be a common one as well: `Zając`. */
const capitalsAreNames = new Set(['pl', 'cs'])
/** Languages that write every noun with a capital: a word behind a name is part of it where it is a name too. */
const nounsAreCapital = new Set(['de', 'lb'])

/** From so many languages on a name belongs to none. */
const international = 4
/** Words of a name. */
const longest = 4

/** How sure it is that a name is one: two words of it; one; and one of another language, which takes a lower threshold. */
const scores = { several: 0.65, one: 0.55, doubtful: 0.35 }

const unknown: ListedName = { given: 0, surname: 0 }

/** What the lists have of a word; a double name is one where each part of it is. */
function lookUp(word: string, language: string | undefined): ListedName {
  const parts = word.split('-').map(part => listedName(part, language) ?? unknown)
  return parts.reduce(({ given, surname }, part) => ({ given: given & part.given, surname: surname & part.surname }))
}

function wordsOf(text: string, language: string | undefined): Word[] {
  return Array.from(text.matchAll(capitalised), ({ 0: word, index }): Word => {
    const lower = word.toLowerCase()
    const listed = lookUp(lower, language)
    return {
      start: index,
      end: index + word.length,
      listed,
      isCommon: (listed.given | listed.surname) !== 0 && isCommonName(lower, language),
      isOther: isStopWord(lower) || isFormWords(word),
      isFirst: opening.test(text.slice(Math.max(0, index - 8), index)),
    }
  })
}

const countBits = (mask: number): number => mask.toString(2).replaceAll('0', '').length

/** The words that a name may consist of, from its first one on. */
function runFrom(words: readonly Word[], at: number, text: string, isNoun: boolean): Word[] {
  const run = [words[at]!]
  while (run.length < longest) {
    const next = words[at + run.length]
    if (!next || next.isOther || !between.test(text.slice(run.at(-1)!.end, next.start))) break
    const { given, surname } = next.listed
    if (isNoun && run.length > 1 && (given | surname) === 0) break
    run.push(next)
    if ((given | surname) === 0) break
  }
  return run
}

/** How sure it is that some words are the name of a person, the given name before the surname or behind it; 0 where they aren't. */
function scoreOfSeveral([first, ...more]: Word[], bit: number, isNoun: boolean): number {
  if (more.length === 0) return 0
  if (first!.listed.given === 0) {
    const mayLead = !first!.isCommon || (first!.listed.surname & bit) !== 0
    return mayLead && more.some(({ listed, isCommon }) => !isCommon && listed.given & bit) ? scores.several : 0
  }
  const isOwn = (first!.listed.given & bit) !== 0
  const surname = more.find(({ listed, isCommon }) => listed.surname !== 0 && !(first!.isCommon && isCommon))
  if (first!.isCommon) return isOwn && surname ? scores.several : 0
  return isOwn || surname || !isNoun ? scores.several : 0
}

/** The same of one word alone. */
function scoreOfOne({ listed, isCommon, isFirst }: Word, bit: number, language: string | undefined): number {
  if (language === undefined || (isCommon && (isFirst || !capitalsAreNames.has(language)))) return 0
  const isGiven = (listed.given & bit) !== 0
  if (aloneByGiven.has(language)) {
    if (isGiven || (!isFirst && countBits(listed.given) >= international)) return scores.one
    if (!isFirst && listed.given !== 0) return scores.doubtful
  }
  if ((listed.surname & bit) === 0 && !isGiven) return 0
  return aloneBySurname.has(language) ? scores.one : isFirst ? 0 : scores.doubtful
}

/**
 * Names of persons by the lists of names: a given name with what is called like it, initials with a surname, and in the
 * languages that the model of running text knows little of a name alone, inflected as well.
 */
export function listedNames(text: string, language: string | undefined): Found[] {
  const isWellRead = wellRead.has(language ?? '')
  const words = wordsOf(text, language)
  const bit = bitOf(language)
  const isNoun = isWellRead || nounsAreCapital.has(language ?? '')
  const found: Found[] = []
  const add = (start: number, end: number, score: number, pattern: string) => {
    if (score > 0) found.push({ start, end, label: 'PERSON', score, evidence: { by: 'pattern', pattern } })
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const { given, surname } = word.listed
    if (word.isOther || (given | surname) === 0 || (isWellRead && !word.isFirst)) continue
    const run = runFrom(words, at, text, isNoun)
    const score = scoreOfSeveral(run, bit, isNoun)
    const [lead] = initials.exec(text.slice(Math.max(0, word.start - 12), word.start)) ?? []
    if (score > 0) {
      add(word.start, run.at(-1)!.end, score, 'person.listed')
      at += run.length - 1
    } else if (lead && surname !== 0 && !word.isCommon)
      add(word.start - lead.length, word.end, scores.several, 'person.initials')
    else add(word.start, word.end, scoreOfOne(word, bit, language), 'person.listed')
  }
  return found
}
