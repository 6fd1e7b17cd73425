import * as z from 'zod'
import { aligned } from './aligned.ts'
import { bytePairs } from './bpe.ts'
import type { Cutter } from './cutter.ts'
import { NormalizerConfig, normalizer } from './normalizers.ts'
import { PreTokenizerConfig, preTokenizer } from './pretokenizers.ts'
import { unigram } from './unigram.ts'
import { parseTokenizer, Vocabulary } from './vocabulary.ts'
import { wordPiece } from './wordpiece.ts'

/** A text as a model reads it, without the special pieces at its ends. All arrays have one entry per piece. */
export type Encoding = {
  ids: Int32Array
  /** Where in the source text each piece stands (UTF-16 units, end exclusive). */
  starts: Uint32Array
  ends: Uint32Array
  /** Number of the word that each piece belongs to. */
  words: Uint32Array
}

/** A tokenizer. Text is never read as a control token and never cut short, whatever it holds. */
export type Tokenizer = {
  encode(text: string): Encoding
  /** Pieces that go before and after each window. */
  before: number[]
  after: number[]
  /** Whether pieces hold the blanks before them and words their punctuation, see `separated`. */
  marksBlanks: boolean
}

const AddedToken = z.object({ id: z.number(), content: z.string(), special: z.boolean() })
/** Pieces and their ids, gone through once: a record of the schema library takes longer over 30,000 than the graph to start. */
const vocabulary = z.unknown().transform((value, context) => {
  const pieces = new Map<string, number>()
  const object = typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null
  let sound = object !== null
  for (const piece in object) {
    const id = object[piece]
    if (typeof id === 'number' && Number.isInteger(id) && id >= 0) pieces.set(piece, id)
    else sound = false
  }
  if (!sound || pieces.size === 0) context.addIssue({ code: 'custom', message: 'expected pieces with their ids' })
  return pieces
})
const scored = z.instanceof(Vocabulary, { error: 'expected pieces with their scores' })
const Special = z.object({ SpecialToken: z.object({ id: z.string() }) })
const pair = z.tuple([z.string(), z.number()])

/** The parts of a `tokenizer.json` that matter here; anything else in their place is refused. */
const TokenizerFile = z.object({
  added_tokens: z.array(AddedToken).default([]),
  normalizer: NormalizerConfig.nullable(),
  pre_tokenizer: PreTokenizerConfig,
  post_processor: z
    .discriminatedUnion('type', [
      z.object({
        type: z.literal('TemplateProcessing'),
        single: z.array(z.union([Special, z.object({ Sequence: z.object({ id: z.string() }) })])),
        special_tokens: z.record(z.string(), z.object({ ids: z.array(z.number()) })),
      }),
      z.object({ type: z.literal('BertProcessing'), sep: pair, cls: pair }),
      z.object({ type: z.literal('RobertaProcessing'), sep: pair, cls: pair, trim_offsets: z.boolean().default(true) }),
      z.object({ type: z.literal('ByteLevel'), trim_offsets: z.boolean().default(true) }),
    ])
    .nullable(),
  model: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('WordPiece'),
      vocab: vocabulary,
      unk_token: z.string(),
      continuing_subword_prefix: z.string(),
      max_input_chars_per_word: z.number().int().min(1),
    }),
    z.object({
      type: z.literal('BPE'),
      vocab: vocabulary,
      merges: z.array(z.union([z.tuple([z.string(), z.string()]), z.string()])),
      dropout: z.null().optional(),
      continuing_subword_prefix: z.union([z.null(), z.literal('')]).optional(),
      end_of_word_suffix: z.union([z.null(), z.literal('')]).optional(),
      byte_fallback: z.literal(false).optional(),
      ignore_merges: z.boolean().default(false),
    }),
    z.object({
      type: z.literal('Unigram'),
      vocab: scored,
      unk_id: z.number().int().min(0),
      byte_fallback: z.literal(false).optional(),
    }),
  ]),
})
type TokenizerFile = z.infer<typeof TokenizerFile>

/** Words kept with their pieces: texts repeat themselves, and a bounded memory is enough. */
const REMEMBERED = 50_000

/** Reads the text of a `tokenizer.json`. Throws an Error that names the part that is not supported. */
export function readTokenizer(text: string): Tokenizer {
  const parsed = TokenizerFile.safeParse(jsonOf(text))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new Error(`tokenizer.json is not supported: ${issue.path.join('.') || 'file'}: ${issue.message}`)
  }
  const file = parsed.data
  const plain = file.added_tokens.find(token => !token.special)
  if (plain) throw new Error(`tokenizer.json is not supported: added_tokens: token ${plain.id} is not special`)
  if (file.model.type === 'BPE' && !isByteLevel(file.pre_tokenizer)) {
    throw new Error('tokenizer.json is not supported: BPE that does not work on bytes')
  }
  const normalize = file.normalizer ? normalizer(file.normalizer) : undefined
  const split = preTokenizer(file.pre_tokenizer)
  const cut = cutter(file.model)
  const known = new Map<string, [number, number][]>()
  const trim = file.post_processor && 'trim_offsets' in file.post_processor && file.post_processor.trim_offsets

  return {
    ...specials(file),
    marksBlanks: marksBlanks(file.pre_tokenizer),
    encode(text) {
      const whole = aligned(text)
      const ids: number[] = []
      const starts: number[] = []
      const ends: number[] = []
      const words: number[] = []
      split([normalize ? normalize(whole) : whole]).forEach((word, number) => {
        let pieces = known.get(word.text)
        if (!pieces) {
          pieces = cut(word.text)
          if (known.size >= REMEMBERED) known.clear()
          if (word.text.length < 64) known.set(word.text, pieces)
        }
        let from = 0
        for (const [id, end] of pieces) {
          let start = word.starts[from]!
          let stop = word.ends[end - 1]!
          if (trim) [start, stop] = trimmed(word.text.slice(from, end), start, stop, ids.length === 0 || start === 0)
          ids.push(id)
          starts.push(start)
          ends.push(stop)
          words.push(number)
          from = end
        }
      })
      return {
        ids: Int32Array.from(ids),
        starts: Uint32Array.from(starts),
        ends: Uint32Array.from(ends),
        words: Uint32Array.from(words),
      }
    },
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseTokenizer(text)
  } catch {
    throw new Error('tokenizer.json is not JSON')
  }
}

/** Leaves the blanks of a byte-level piece out of its range; the one that was put before the text is in no range. */
function trimmed(piece: string, start: number, end: number, first: boolean): [number, number] {
  const leading = /^[\u0120\p{White_Space}]*/u.exec(piece)![0].length
  const trailing = /[\u0120\p{White_Space}]*$/u.exec(piece)![0].length
  const from = Math.min(start + (first ? Math.max(leading - 1, 0) : leading), end)
  return [from, leading === piece.length ? from : Math.max(end - trailing, from)]
}

function isByteLevel(config: PreTokenizerConfig): boolean {
  return config.type === 'ByteLevel' || (config.type === 'Sequence' && config.pretokenizers.some(isByteLevel))
}

function marksBlanks(config: PreTokenizerConfig): boolean {
  return config.type === 'Metaspace' || (config.type === 'Sequence' && config.pretokenizers.some(marksBlanks))
}

function cutter(model: TokenizerFile['model']): Cutter {
  switch (model.type) {
    case 'WordPiece':
      return wordPiece(model.vocab, {
        unknown: model.unk_token,
        prefix: model.continuing_subword_prefix,
        longest: model.max_input_chars_per_word,
      })
    case 'BPE': {
      const merges = model.merges.map(
        merge => (typeof merge === 'string' ? merge.split(' ') : merge) as [string, string],
      )
      return bytePairs(model.vocab, merges, model.ignore_merges)
    }
    case 'Unigram':
      if (model.unk_id >= model.vocab.scores.length)
        throw new Error('tokenizer.json is not supported: unk_id is not in the vocabulary')
      return unigram(model.vocab, model.unk_id)
  }
}

function specials(file: TokenizerFile): Pick<Tokenizer, 'before' | 'after'> {
  const processor = file.post_processor
  if (!processor || processor.type === 'ByteLevel') return { before: [], after: [] }
  if (processor.type !== 'TemplateProcessing') return { before: [processor.cls[1]], after: [processor.sep[1]] }
  const sequence = processor.single.findIndex(part => 'Sequence' in part)
  const idsOf = (parts: typeof processor.single) =>
    parts.flatMap(part => ('SpecialToken' in part ? (processor.special_tokens[part.SpecialToken.id]?.ids ?? []) : []))
  return {
    before: idsOf(processor.single.slice(0, sequence)),
    after: idsOf(processor.single.slice(sequence + 1)),
  }
}
