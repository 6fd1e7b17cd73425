import * as z from 'zod'
import { type Aligned, isPair, rewrite } from './aligned.ts'
import { Charsmap } from './charsmap.ts'
import { graphemes, patternOf, type TextPattern } from './patterns.ts'

/** One step from a text as written to the text that a tokenizer's vocabulary knows. */
export type Normalizer = (text: Aligned) => Aligned

const Pattern = z.union([z.object({ String: z.string() }), z.object({ Regex: z.string() })])

/** The normalizers of the `tokenizer.json` format that are supported. */
export const NormalizerConfig = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('BertNormalizer'),
    clean_text: z.boolean().default(true),
    handle_chinese_chars: z.boolean().default(true),
    strip_accents: z.boolean().nullable().default(null),
    lowercase: z.boolean().default(true),
  }),
  z.object({ type: z.enum(['NFC', 'NFD', 'NFKC', 'NFKD', 'Lowercase', 'StripAccents']) }),
  z.object({ type: z.literal('Replace'), pattern: Pattern, content: z.string() }),
  z.object({ type: z.literal('Prepend'), prepend: z.string() }),
  z.object({ type: z.literal('Strip'), strip_left: z.boolean(), strip_right: z.boolean() }),
  z.object({ type: z.literal('Precompiled'), precompiled_charsmap: z.string() }),
  z.object({
    type: z.literal('Sequence'),
    get normalizers() {
      return z.array(NormalizerConfig)
    },
  }),
])
export type NormalizerConfig = z.infer<typeof NormalizerConfig>

/** The step that a configuration describes. */
export function normalizer(config: NormalizerConfig): Normalizer {
  switch (config.type) {
    case 'BertNormalizer': {
      const steps: Normalizer[] = []
      if (config.clean_text) steps.push(clean)
      if (config.handle_chinese_chars) steps.push(spaceIdeographs)
      if (config.strip_accents ?? config.lowercase) steps.push(composed('NFD'), stripNonspacing)
      if (config.lowercase) steps.push(lowercase)
      return inTurn(steps)
    }
    case 'Lowercase':
      return lowercase
    case 'StripAccents':
      return stripNonspacing
    case 'Replace': {
      const find = patternOf(config.pattern)
      return text => rewrite(text, replacements(text.text, find, config.content), true)
    }
    case 'Prepend':
      return text => (text.text === '' ? text : rewrite(text, [[0, 0, config.prepend]]))
    case 'Strip':
      return text => strip(text, config.strip_left, config.strip_right)
    case 'Precompiled': {
      const map = new Charsmap(Buffer.from(config.precompiled_charsmap, 'base64'))
      return text => rewrite(text, mapped(text.text, map))
    }
    case 'Sequence':
      return inTurn(config.normalizers.map(normalizer))
    default:
      return composed(config.type)
  }
}

const inTurn =
  (steps: Normalizer[]): Normalizer =>
  text =>
    steps.reduce((done, step) => step(done), text)

/** Applies a change to each character that a pattern finds; what becomes itself is left alone. */
const each =
  (pattern: RegExp, become: (character: string) => string): Normalizer =>
  text =>
    rewrite(text, changes(text.text, pattern, become))

function* changes(
  text: string,
  pattern: RegExp,
  become: (found: string) => string,
): Generator<[number, number, string]> {
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const changed = become(found)
    if (changed !== found) yield [index, index + found.length, changed]
  }
}

const clean = each(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{White_Space}\ufffd]/gu, c => (/[\t\n\r\p{Z}]/u.test(c) ? ' ' : ''))

// The ranges that BERT calls Chinese; 2B920 (not 2B820) is what its users run.
const ideograph =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu
const spaceIdeographs = each(ideograph, c => ` ${c} `)
const stripNonspacing = each(/\p{Mn}/gu, () => '')
// One character at a time, so that a final sigma is lowered like any other.
const lowercase = each(/[\p{Changes_When_Lowercased}]/gu, c => c.toLowerCase())

/** Unicode normalisation in small steps, so that every character keeps its place. */
function composed(form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): Normalizer {
  const become = (found: string) => found.normalize(form)
  // Decomposition takes one character at a time; the order of its marks is put right after it.
  if (form === 'NFD' || form === 'NFKD') return inTurn([each(/[^\0-\x7f]/gu, become), each(/\p{M}{2,}/gu, become)])
  // A base character with its marks. Vowels and final consonants of Hangul compose too, though they are no marks.
  return each(/[^\0-\x7f\p{M}]?[\p{M}\u1160-\u11ff]+|[\0-\x7f][\p{M}\u1160-\u11ff]+|[^\0-\x7f]/gu, become)
}

function* replacements(text: string, find: TextPattern, content: string): Generator<[number, number, string]> {
  for (const { 0: found, index } of text.matchAll(find)) if (found !== '') yield [index, index + found.length, content]
}

function strip(text: Aligned, left: boolean, right: boolean): Aligned {
  const start = left ? /^\p{White_Space}*/u.exec(text.text)![0].length : 0
  const end = right ? text.text.length - /\p{White_Space}*$/u.exec(text.text.slice(start))![0].length : text.text.length
  return {
    text: text.text.slice(start, end),
    starts: text.starts.subarray(start, end),
    ends: text.ends.subarray(start, end),
  }
}

/** What a compiled character map changes: short graphemes as a whole, others character by character. */
function* mapped(text: string, map: Charsmap): Generator<[number, number, string]> {
  for (const [start, end] of graphemes(text)) {
    const grapheme = text.slice(start, end)
    if (Buffer.byteLength(grapheme) < 6) {
      const whole = map.lookup(grapheme)
      if (whole !== undefined) {
        yield [start, end, whole]
        continue
      }
    }
    for (let i = start; i < end; ) {
      const next = i + (isPair(text, i) ? 2 : 1)
      const part = map.lookup(text.slice(i, next))
      if (part !== undefined) yield [i, next, part]
      i = next
    }
  }
}
