import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTokenizer } from '../../../shared/engine/models/tokenizers/tokenizer.ts'
import { parseTokenizer, type Vocabulary } from '../../../shared/engine/models/tokenizers/vocabulary.ts'
import { variedText } from './varied.ts'

const fixtures = join(import.meta.dirname, 'tokenizers')

type Cut = { ids: number[]; starts: number[]; ends: number[] }

/**
 * What the package `tokenizers` made of the same texts (tokenizers/record.py): the first encodings whole, of each of the rest eight
 * digits of its digest. `TOKENIZER_REFERENCE` names the record of another run, which may be of more texts.
 */
const recorded: Record<string, { withEnds: number[]; whole: Cut[]; digests: string }> = JSON.parse(
  readFileSync(process.env.TOKENIZER_REFERENCE ?? join(fixtures, 'reference.json'), 'utf8'),
)
const files = {
  'WordPiece, uncased (pii-ner)': join(import.meta.dirname, '../../../models/pii-ner/1.0.0/tokenizer.json'),
  'Unigram of European scripts (pii-ner 2.5.0)': join(
    import.meta.dirname,
    '../../../models/pii-ner/2.5.0/tokenizer.json',
  ),
  'WordPiece, cased (BERT)': join(fixtures, 'wordpiece.json'),
  'byte-level BPE (RoBERTa)': join(fixtures, 'bpe.json'),
  'Unigram with a character map (XLM-RoBERTa)': join(fixtures, 'unigram.json'),
  'Unigram that squeezes blanks (DeBERTa v3)': join(fixtures, 'unigram-spaces.json'),
}

describe.each([
  ['pii-ner', 'WordPiece, uncased (pii-ner)'],
  ['unigram-european', 'Unigram of European scripts (pii-ner 2.5.0)'],
  ['wordpiece', 'WordPiece, cased (BERT)'],
  ['bpe', 'byte-level BPE (RoBERTa)'],
  ['unigram', 'Unigram with a character map (XLM-RoBERTa)'],
  ['unigram-spaces', 'Unigram that squeezes blanks (DeBERTa v3)'],
] as const)('%s, %s', (name, file) => {
  const ours = readTokenizer(readFileSync(files[file], 'utf8'))
  const { withEnds, whole, digests } = recorded[name]!
  const count = whole.length + digests.length / 8
  // The reference misplaces offsets after characters that a character map removes; a test of its own covers them.
  const removed = name.startsWith('unigram') ? /[\u200b\ufeff\u0007]/g : /(?!)/g
  const cut = (seed: number) => {
    const text = variedText(seed).replace(removed, '')
    const { ids, starts, ends } = ours.encode(text)
    return { text, ids: [...ids], starts: [...starts], ends: [...ends] }
  }

  test('cuts texts exactly as the reference does, offsets included', () => {
    whole.forEach((reference, seed) => {
      const mine = cut(seed)
      expect(mine).toEqual({ text: mine.text, ...reference })
    })
  })

  test(`cuts ${count} texts with the digests of the reference`, () => {
    expect(count).toBeGreaterThanOrEqual(3000)
    for (let seed = whole.length; seed < count; seed++) {
      const { text, ...mine } = cut(seed)
      const digest = createHash('sha256').update(JSON.stringify(mine)).digest('hex').slice(0, 8)
      const at = (seed - whole.length) * 8
      if (digest !== digests.slice(at, at + 8)) {
        expect({ seed, text, ...mine, digest }).toEqual({ digest: digests.slice(at, at + 8) })
      }
    }
  }, 3_600_000)

  test('adds the same pieces at the ends', () => {
    expect([...ours.before, ...ours.encode('a b').ids, ...ours.after]).toEqual(withEnds)
  })
})

test('a text that spells a control token stays text', () => {
  const { encode } = readTokenizer(readFileSync(files['WordPiece, uncased (pii-ner)'], 'utf8'))
  const { ids, ends } = encode('[SEP]')
  expect([...ids]).not.toContain(102)
  expect([ids.length > 1, ends.at(-1)]).toEqual([true, 5])
})

test('characters that a character map removes leave every offset where it is', () => {
  const { encode } = readTokenizer(readFileSync(files['Unigram with a character map (XLM-RoBERTa)'], 'utf8'))
  const { starts, ends } = encode('\ufeffhospital \u2163\u200b lawyer')
  expect([starts[0], ends[0]! <= 9, ends.at(-1)]).toEqual([1, true, 19])
})

test('a text of a million characters is cut whole', () => {
  const { encode } = readTokenizer(readFileSync(files['WordPiece, uncased (pii-ner)'], 'utf8'))
  const { ends } = encode('name '.repeat(200_000))
  expect(ends.length).toBe(200_000)
  expect(ends.at(-1)).toBe(999_999)
})

test('a word of a million characters costs no more than its length', () => {
  for (const file of Object.values(files)) {
    const { encode } = readTokenizer(readFileSync(file, 'utf8'))
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
  expect(() => readTokenizer(JSON.stringify({ ...file, ...change }))).toThrow(name)
})

test.each([[{}], [['a']], [null], [{ '[UNK]': 0, a: 0.5 }], [{ '[UNK]': 0, a: -1 }], [{ '[UNK]': 0, a: '1' }]])(
  'a vocabulary of %j is refused',
  vocab => {
    const file = JSON.parse(readFileSync(files['WordPiece, cased (BERT)'], 'utf8'))
    expect(() => readTokenizer(JSON.stringify({ ...file, model: { ...file.model, vocab } }))).toThrow(
      'model.vocab: expected pieces with their ids',
    )
  },
)

test.each([[[]], [{ a: 0 }], [[['<unk>', 0], ['a']]], [[['<unk>', '0']]]])('scored pieces of %j are refused', vocab => {
  const file = JSON.parse(readFileSync(files['Unigram with a character map (XLM-RoBERTa)'], 'utf8'))
  expect(() => readTokenizer(JSON.stringify({ ...file, model: { ...file.model, vocab } }))).toThrow(
    'model.vocab: expected pieces with their scores',
  )
})

test('scored pieces are read however the JSON is written', () => {
  const text = readFileSync(files['Unigram of European scripts (pii-ner 2.5.0)'], 'utf8')
  const json = JSON.parse(text)
  const { scores } = (parseTokenizer(text) as { model: { vocab: Vocabulary } }).model.vocab
  expect([...scores]).toEqual(json.model.vocab.map(([, score]: [string, number]) => score))
  const plain = readTokenizer(text)
  const escaped = text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  for (const written of [JSON.stringify(json, null, 2), escaped]) {
    const { encode } = readTokenizer(written)
    for (let seed = 0; seed < 20; seed++) expect(encode(variedText(seed))).toEqual(plain.encode(variedText(seed)))
  }
})

test('of pieces that are written alike the last one counts', () => {
  const file = JSON.parse(readFileSync(files['Unigram with a character map (XLM-RoBERTa)'], 'utf8'))
  const vocab = [...file.model.vocab, ['\u2581Mia', -1], ['\u2581Mia', 0]]
  const { encode } = readTokenizer(JSON.stringify({ ...file, model: { ...file.model, vocab } }))
  expect([...encode('Mia').ids]).toEqual([vocab.length - 1])
})
