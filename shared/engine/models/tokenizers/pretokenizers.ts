import * as z from 'zod'
import { type Aligned, isPair, rewrite, slice } from './aligned.ts'

/** Cuts a normalized text into the words that the vocabulary is applied to. */
export type PreTokenizer = (words: Aligned[]) => Aligned[]

/** The pre-tokenizers of the `tokenizer.json` format that are supported. */
export const PreTokenizerConfig = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['BertPreTokenizer', 'Whitespace', 'WhitespaceSplit']) }),
  z.object({
    type: z.literal('ByteLevel'),
    add_prefix_space: z.boolean().default(true),
    use_regex: z.boolean().default(true),
  }),
  z.object({
    type: z.literal('Metaspace'),
    replacement: z.string().length(1),
    add_prefix_space: z.boolean().optional(),
    prepend_scheme: z.enum(['first', 'never', 'always']).optional(),
    split: z.boolean().default(true),
  }),
  z.object({
    type: z.literal('Sequence'),
    get pretokenizers() {
      return z.array(PreTokenizerConfig)
    },
  }),
])
export type PreTokenizerConfig = z.infer<typeof PreTokenizerConfig>

/** The cutting that a configuration describes. */
export function preTokenizer(config: PreTokenizerConfig): PreTokenizer {
  switch (config.type) {
    case 'BertPreTokenizer':
      return matches(/[\p{P}$+<=>^`|~]|[^\p{P}$+<=>^`|~\p{White_Space}]+/gu)
    case 'Whitespace':
      return matches(
        /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}\p{White_Space}]+/gu,
      )
    case 'WhitespaceSplit':
      return matches(/\P{White_Space}+/gu)
    case 'ByteLevel':
      return words => words.flatMap((word, i) => byteLevel(word, config.add_prefix_space && i === 0, config.use_regex))
    case 'Metaspace': {
      const scheme = config.prepend_scheme ?? (config.add_prefix_space === false ? 'never' : 'always')
      return words => words.flatMap(word => metaspace(word, config.replacement, scheme, config.split))
    }
    case 'Sequence': {
      const steps = config.pretokenizers.map(preTokenizer)
      return words => steps.reduce((done, step) => step(done), words)
    }
  }
}

const matches =
  (pattern: RegExp): PreTokenizer =>
  words =>
    words.flatMap(word => cut(word, pattern))

function cut(word: Aligned, pattern: RegExp): Aligned[] {
  const out: Aligned[] = []
  for (const { 0: found, index } of word.text.matchAll(pattern)) out.push(slice(word, index, index + found.length))
  return out
}

// The expression of GPT-2.
const gpt2 =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu

/** Printable stand-ins of the 256 bytes, as GPT-2 defines them. */
const byteCharacters: readonly string[] = (() => {
  const shown = (b: number) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || (b >= 174 && b <= 255)
  let next = 256
  return Array.from({ length: 256 }, (_, b) => String.fromCharCode(shown(b) ? b : next++))
})()

function byteLevel(word: Aligned, prefix: boolean, regex: boolean): Aligned[] {
  const whole = prefix && !word.text.startsWith(' ') && word.text !== '' ? rewrite(word, [[0, 0, ' ']]) : word
  return (regex ? cut(whole, gpt2) : [whole]).map(part => rewrite(part, bytes(part.text)))
}

function* bytes(text: string): Generator<[number, number, string]> {
  for (let i = 0; i < text.length; ) {
    const next = i + (isPair(text, i) ? 2 : 1)
    const shown = Array.from(Buffer.from(text.slice(i, next)), b => byteCharacters[b]).join('')
    if (shown !== text.slice(i, next)) yield [i, next, shown]
    i = next
  }
}

function metaspace(word: Aligned, mark: string, scheme: 'first' | 'never' | 'always', split: boolean): Aligned[] {
  let marked = rewrite(
    word,
    Array.from(word.text.matchAll(/ /g), ({ index }) => [index, index + 1, mark] as [number, number, string]),
  )
  const first = word.starts[0] === 0
  if ((scheme === 'always' || (scheme === 'first' && first)) && !marked.text.startsWith(mark) && marked.text !== '') {
    marked = rewrite(marked, [[0, 0, mark]])
  }
  if (!split) return [marked]
  const starts = Array.from(marked.text.matchAll(new RegExp(mark, 'gu')), ({ index }) => index)
  if (starts[0] !== 0) starts.unshift(0)
  return starts.map((start, i) => slice(marked, start, starts[i + 1] ?? marked.text.length)).filter(part => part.text)
}
