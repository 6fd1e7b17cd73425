import { bare, saysSomething } from '../detect/propagation.ts'
import { withInstitutions, withPlaces } from './address-blocks.ts'
import { bounded, withLastWord } from './bounds.ts'
import type { ModelManifest } from './folder.ts'
import { entities, type Gap, type LabelScheme, wordScores } from './labels.ts'
import type { DetectOptions, Found } from './model.ts'
import { withoutBlank } from './tokenizers/separated.ts'
import type { Encoding } from './tokenizers/tokenizer.ts'
import type { Window } from './windows.ts'

/**
 * A part of a text, from `at` to `until`, short enough to be held in memory with all its predictions; it answers for what lies
 * between `from` and `to`. `text` is which one of the texts.
 */
export type Part = {
  text: number
  encoding: Encoding
  windows: Window[]
  logits: Float32Array
  at: number
  until: number
  from: number
  to: number
}

/** What the predictions of a part say that the text holds. */
export function decode(
  { scheme, manifest }: { scheme: LabelScheme; manifest: ModelManifest },
  job: Part,
  text: string,
  options: DetectOptions,
): Found[] {
  const { encoding, logits, at, from, to } = job
  const { words, starts, ends } = encoding
  if (words.length === 0) return []
  const count = words.at(-1)! + 1
  const firsts = new Uint32Array(count)
  const lasts = new Uint32Array(count)
  for (let i = words.length - 1; i >= 0; i--) firsts[words[i]!] = i
  for (let i = 0; i < words.length; i++) lasts[words[i]!] = i
  const kept = scheme.types.map(type => options.entities?.includes(type) ?? true)
  const scores = wordScores(logits, words, count, scheme, manifest.aggregation)
  const gap = (word: number): Gap => {
    if (word === 0) return 'blank'
    const start = at + starts[firsts[word]!]!
    const between = text.slice(at + ends[lasts[word - 1]!]!, start)
    if (between === '') return withoutBlank(text, start) ? 'unspaced' : 'none'
    return paragraphEnd.test(between) ? 'paragraph' : 'blank'
  }
  const addresses = manifest.addresses ? [] : Array.from(text.slice(at, job.until).matchAll(address), within(at))
  const found = entities(scores, count, scheme.types.length, kept, options.threshold, gap)
    .map(({ first, last, type, score }) => ({
      ...trimmed(text, at + starts[firsts[first]!]!, at + ends[lasts[last]!]!),
      label: scheme.types[type]!,
      score,
      evidence: { by: 'model' as const },
    }))
    .filter(({ start, end }) => start < end && start < to && end > from)
    .flatMap(one => bounded(text, one, options.language))
    .filter(({ start, end }) => !addresses.some(range => start < range.end && range.start < end))
  const whole = withPlaces(text, withLastWord(text, found))
  return kept[scheme.types.indexOf('ORGANIZATION')] ? withInstitutions(text, whole) : whole
}

/** An empty line: what stands behind it is another thing, however alike. */
const paragraphEnd = /\n[^\S\n]*\n|\r[^\S\r\n]*\r|\u2029/u

/** E-mail and web addresses, roughly: enough to tell what stands inside one; and the zone behind a time of day. */
const address =
  /(?<=\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?)[+-](?:0\d|1[0-4]):?[0-5]\d(?!\d)|[^\s<>()[\]"',;:]{1,64}@[^\s<>()[\]"',;:]{2,255}|(?:https?:\/\/|www\.)[^\s<>"']{1,2000}/giu
const within =
  (at: number) =>
  ({ index, 0: found }: RegExpMatchArray) => ({ start: at + index!, end: at + index! + found.length })

/**
 * Without blanks and punctuation at the ends, and with the marks that belong to the last character; nothing where no
 * letter or digit is left.
 */
function trimmed(text: string, from: number, to: number): { start: number; end: number } {
  let start = from
  let end = to
  while (end < text.length && /\p{M}/u.test(text.slice(end, end + 2).replace(/(.).*/su, '$1'))) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  }
  const found = text.slice(start, end)
  const kept = bare(found)
  if (!saysSomething(kept)) return { start, end: start }
  start += found.indexOf(kept)
  return { start, end: start + kept.length }
}
