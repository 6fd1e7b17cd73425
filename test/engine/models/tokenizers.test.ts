import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Tokenizer as Reference } from 'tokenizers'
import { describe, expect, test } from 'vitest'
import { readTokenizer } from '../../../shared/engine/models/tokenizers/tokenizer.ts'
import { variedText } from './varied.ts'

/** Strings for each tokenizer; `TOKENIZER_STRINGS=100000` runs the full comparison. */
const strings = Number(process.env.TOKENIZER_STRINGS ?? 3000)
const fixtures = join(import.meta.dirname, 'tokenizers')
const files = {
  'WordPiece, uncased (pii-ner)': join(import.meta.dirname, '../../../models/pii-ner/1.0.0/tokenizer.json'),
  'WordPiece, cased (BERT)': join(fixtures, 'wordpiece.json'),
  'byte-level BPE (RoBERTa)': join(fixtures, 'bpe.json'),
  'Unigram with a character map (XLM-RoBERTa)': join(fixtures, 'unigram.json'),
  'Unigram that squeezes blanks (DeBERTa v3)': join(fixtures, 'unigram-spaces.json'),
}

describe.each(Object.entries(files))('%s', (_, file) => {
  const ours = readTokenizer(JSON.parse(readFileSync(file, 'utf8')))
  const reference = Reference.fromFile(file)

  test(`cuts ${strings} strings exactly as the reference does, offsets included`, async () => {
    for (let at = 0; at < strings; at += 1000) {
      // The reference misplaces offsets after characters that a character map removes; a test of its own covers them.
      const removed = file.includes('unigram') ? /[\u200b\ufeff\u0007]/g : /(?!)/g
      const texts = Array.from({ length: Math.min(1000, strings - at) }, (_, i) =>
        variedText(at + i).replace(removed, ''),
      )
      const encodings = await reference.encodeBatch(texts, { addSpecialTokens: false })
      texts.forEach((text, i) => {
        const mine = ours.encode(text)
        const units = codePointOffsets(text)
        const offsets = encodings[i]!.getOffsets().map(([a, b]) => [units[a!], units[b!]])
        const got = { ids: [...mine.ids], offsets: Array.from(mine.starts, (start, k) => [start, mine.ends[k]]) }
        if (JSON.stringify(got) !== JSON.stringify({ ids: encodings[i]!.getIds(), offsets })) {
          expect({ text, ...got }).toEqual({ text, ids: encodings[i]!.getIds(), offsets })
        }
      })
    }
  }, 3_600_000)

  test('adds the same pieces at the ends', async () => {
    const ids = (await reference.encode('a b')).getIds()
    expect([...ours.before, ...ours.encode('a b').ids, ...ours.after]).toEqual(ids)
  })
})

test('a text that spells a control token stays text', () => {
  const { encode } = readTokenizer(JSON.parse(readFileSync(files['WordPiece, uncased (pii-ner)'], 'utf8')))
  const { ids, ends } = encode('[SEP]')
  expect([...ids]).not.toContain(102)
  expect([ids.length > 1, ends.at(-1)]).toEqual([true, 5])
})

test('characters that a character map removes leave every offset where it is', () => {
  const { encode } = readTokenizer(
    JSON.parse(readFileSync(files['Unigram with a character map (XLM-RoBERTa)'], 'utf8')),
  )
  const { starts, ends } = encode('\ufeffhospital \u2163\u200b lawyer')
  expect([starts[0], ends[0]! <= 9, ends.at(-1)]).toEqual([1, true, 19])
})

test('a text of a million characters is cut whole', () => {
  const { encode } = readTokenizer(JSON.parse(readFileSync(files['WordPiece, uncased (pii-ner)'], 'utf8')))
  const { ends } = encode('name '.repeat(200_000))
  expect(ends.length).toBe(200_000)
  expect(ends.at(-1)).toBe(999_999)
})

test('a word of a million characters costs no more than its length', () => {
  for (const file of Object.values(files)) {
    const { encode } = readTokenizer(JSON.parse(readFileSync(file, 'utf8')))
    expect(encode('ab'.repeat(500_000)).ends.at(-1)).toBe(1_000_000)
  }
})

test.each([
  ['model.type', { model: { type: 'WordLevel' } }],
  ['pre_tokenizer.type', { pre_tokenizer: { type: 'Split' } }],
  ['normalizer.type', { normalizer: { type: 'Nmt' } }],
  ['added_tokens', { added_tokens: [{ id: 1, content: 'x', special: false }] }],
])('an unsupported %s is refused by its name', (name, change) => {
  const file = JSON.parse(readFileSync(files['WordPiece, cased (BERT)'], 'utf8'))
  expect(() => readTokenizer({ ...file, ...change })).toThrow(name)
})

test.each([[{}], [['a']], [null], [{ '[UNK]': 0, a: 0.5 }], [{ '[UNK]': 0, a: -1 }], [{ '[UNK]': 0, a: '1' }]])(
  'a vocabulary of %j is refused',
  vocab => {
    const file = JSON.parse(readFileSync(files['WordPiece, cased (BERT)'], 'utf8'))
    expect(() => readTokenizer({ ...file, model: { ...file.model, vocab } })).toThrow(
      'model.vocab: expected pieces with their ids',
    )
  },
)

/** For each code point offset of a text its UTF-16 offset. */
function codePointOffsets(text: string): number[] {
  const offsets: number[] = []
  let at = 0
  for (const character of text) {
    offsets.push(at)
    at += character.length
  }
  return [...offsets, at]
}
