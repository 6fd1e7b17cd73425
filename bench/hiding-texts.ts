import { decodeList, decodeTowns } from '../shared/engine/surrogates/lists/decode.ts'
import { names } from '../shared/engine/surrogates/lists/names.ts'
import { streets } from '../shared/engine/surrogates/lists/streets.ts'
import { towns } from '../shared/engine/surrogates/lists/towns.ts'
import { fold } from '../shared/engine/surrogates/spelling.ts'

/** A document as it is released, and where original values stand in it. */
export type Text = { text: string; leaks: Leak[] }

/** Where an original value stands. */
export type Leak = { start: number; end: number }

/** A run of words with capitals, what an attacker sees of it, and the original value that it holds, if any. */
export type Mention = { features: string[]; leak: Leak | undefined }

const listed = new Set([
  ...[names, streets].flatMap(list => decodeList(list).map(({ text }) => fold(text))),
  ...[...decodeTowns(towns).values()].flat().flatMap(town => town.names.map(fold)),
])

const word = /\p{Lu}[\p{L}\p{M}'’-]*/gu
/** Words with capitals, one after the other; labels are none. */
const run = /(?<![[\p{L}\p{M}])\p{Lu}[\p{L}\p{M}'’-]*\.?(?:[ -]\p{Lu}[\p{L}\p{M}'’-]*\.?)*/gu

/** How often each word with a capital stands in all documents, and in how many of them. */
export type Vocabulary = { times: Map<string, number>; documents: Map<string, number> }

export function vocabularyOf(texts: readonly Text[]): Vocabulary {
  const [times, documents] = [new Map<string, number>(), new Map<string, number>()]
  const count = (counts: Map<string, number>, of: string) => counts.set(of, (counts.get(of) ?? 0) + 1)
  for (const { text } of texts) {
    const all = text.match(word) ?? []
    for (const one of all) count(times, one)
    for (const one of new Set(all)) count(documents, one)
  }
  return { times, documents }
}

const step = (count: number) => String(Math.min(6, Math.ceil(Math.log2(count + 1))))

/** What an attacker sees of a word: itself, its form, how often it stands where, and whether the lists, which are public, have it. */
function featuresOf(text: string, inText: number, { times, documents }: Vocabulary): string[] {
  const small = text.toLowerCase()
  return [
    `word ${small}`,
    `begin ${small.slice(0, 3)}`,
    `end ${small.slice(-3)}`,
    `length ${Math.min(12, text.length)}`,
    `marks ${/^[A-Za-z.]*$/.test(text)}`,
    `listed ${listed.has(fold(text))}`,
    `in text ${step(inText)}`,
    `in all ${step(times.get(text) ?? 0)}`,
    `documents ${step(documents.get(text) ?? 0)}`,
    `rare ${inText === 1} ${(documents.get(text) ?? 0) === 1} ${listed.has(fold(text))}`,
  ]
}

/** All runs of words with capitals in a document, with what stands around them. */
export function mentionsIn({ text, leaks }: Text, vocabulary: Vocabulary): Mention[] {
  const inText = new Map<string, number>()
  for (const one of text.match(word) ?? []) inText.set(one, (inText.get(one) ?? 0) + 1)
  return Array.from(text.matchAll(run), ({ 0: mention, index }) => {
    const end = index + mention.length
    const before = text.slice(Math.max(0, index - 40), index).match(/[\p{L}\p{N}[\]_]+|[^\s\p{L}\p{N}]/gu) ?? []
    const after = text.slice(end, end + 40).match(/[\p{L}\p{N}[\]_]+|[^\s\p{L}\p{N}]/gu) ?? []
    const words = mention.match(word) ?? []
    const features = new Set(words.flatMap(one => featuresOf(one, inText.get(one) ?? 0, vocabulary)))
    for (const [distance, one] of [before.at(-1), before.at(-2), after[0], after[1]].entries())
      features.add(`near ${distance} ${one?.toLowerCase() ?? ''}`)
    features.add(`words ${Math.min(4, words.length)}`)
    features.add(`begins a sentence ${/(?:^|[.\n]\s*)$/.test(text.slice(Math.max(0, index - 3), index))}`)
    return { features: [...features], leak: leaks.find(leak => leak.start < end && leak.end > index) }
  })
}
