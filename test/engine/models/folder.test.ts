import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readFolder } from '../../../shared/engine/models/folder.ts'
import { inspectGraph } from '../../../shared/engine/models/graph.ts'

const root = mkdtempSync(join(tmpdir(), 'model-folder-'))
afterAll(() => rmSync(root, { recursive: true }))
const reference = { modelId: 'm', modelVersion: '1' }

const config = {
  architectures: ['BertForTokenClassification'],
  id2label: { 0: 'O', 1: 'B-PER' },
  max_position_embeddings: 64,
}
let count = 0

/** A folder with good files, some of them replaced (undefined: left out). */
function folder(files: Record<string, string | Uint8Array | undefined>): string {
  const path = join(root, String(++count))
  mkdirSync(join(path, 'onnx'), { recursive: true })
  const all = { 'config.json': JSON.stringify(config), 'tokenizer.json': '{}', 'onnx/model.onnx': 'weights', ...files }
  for (const [name, content] of Object.entries(all)) if (content !== undefined) writeFileSync(join(path, name), content)
  return path
}

test('a folder in the Hugging Face layout is read, quantised weights first', async () => {
  const read = await readFolder(folder({ 'onnx/model_quantized.onnx': 'small' }), reference)
  expect(read).toMatchObject({
    labels: ['O', 'B-PER'],
    positions: 64,
    manifest: { aggregation: 'first', casing: false },
  })
  expect(Buffer.from(read.weights).toString()).toBe('small')
})

const sha256 = createHash('sha256').update('other').digest('hex')
test.each([
  ['config.json is missing', { 'config.json': undefined }],
  ['config.json is not valid', { 'config.json': '{' }],
  [
    'config.json is not valid: id2label',
    { 'config.json': JSON.stringify({ ...config, id2label: { 0: 'O', 2: 'B-X' } }) },
  ],
  [
    'is not of a token classification model',
    { 'config.json': JSON.stringify({ ...config, architectures: ['BertModel'] }) },
  ],
  ['tokenizer.json is missing', { 'tokenizer.json': undefined }],
  ['onnx/model_quantized.onnx is missing', { 'onnx/model.onnx': undefined }],
  [
    'onnx/model.onnx has another SHA-256',
    { 'anon-model.json': JSON.stringify({ sha256: { 'onnx/model.onnx': sha256 } }) },
  ],
  [
    'lists a file that no model folder has',
    { 'anon-model.json': JSON.stringify({ sha256: { '../../secret': sha256 } }) },
  ],
  ['anon-model.json is not valid', { 'anon-model.json': JSON.stringify({ surprise: 1 }) }],
  ['anon-model.json is larger', { 'anon-model.json': ' '.repeat(300_000) }],
])('a folder is refused: %s', async (reason, files) => {
  await expect(readFolder(folder(files), reference)).rejects.toMatchObject({
    type: 'model_load_failed',
    message: expect.stringContaining(reason),
  })
})

test('links are refused, of files and of folders', async () => {
  const path = folder({ 'tokenizer.json': undefined })
  symlinkSync('/etc/hostname', join(path, 'tokenizer.json'))
  await expect(readFolder(path, reference)).rejects.toThrow('is a link')
  const other = folder({})
  rmSync(join(other, 'onnx'), { recursive: true })
  symlinkSync(join(path, 'onnx'), join(other, 'onnx'))
  await expect(readFolder(other, reference)).rejects.toThrow('is a link')
})

/** A length-delimited field of a protocol buffer message. */
function field(number: number, content: Uint8Array | string): Uint8Array {
  const bytes = Buffer.from(content)
  const length: number[] = []
  for (let n = bytes.length; ; n >>>= 7) {
    length.push(n > 127 ? (n & 127) | 128 : n)
    if (n <= 127) break
  }
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...length]), bytes])
}
const varint = (n: number) => (n > 127 ? [(n & 127) | 128, n >>> 7] : [n])
const join_ = (...parts: Uint8Array[]) => Buffer.concat(parts)
const node = (operator: string, domain = '', ...attributes: Uint8Array[]) =>
  join_(field(4, operator), field(7, domain), ...attributes.map(a => field(5, a)))
const input = (name: string) => field(11, field(1, name))
const model = (...graph: Uint8Array[]) => field(7, join_(...graph, field(12, field(1, 'logits'))))

describe('graphs', () => {
  test('inputs and outputs of a sound one', () => {
    const good = model(field(1, node('MatMul')), input('input_ids'), input('attention_mask'))
    expect(inspectGraph(good)).toEqual({ inputs: ['input_ids', 'attention_mask'], outputs: ['logits'] })
  })

  test('one of two branches may be chosen', () => {
    const branch = field(6, field(1, node('MultiHeadAttention', 'com.microsoft')))
    const good = model(field(1, node('If', '', branch, branch)), input('input_ids'))
    expect(inspectGraph(good).outputs).toEqual(['logits'])
  })

  const external = join_(field(8, 'w'), field(13, join_(field(1, 'location'), field(2, '../../etc/passwd'))))
  test.each([
    ['«Loop» is not supported', model(field(1, node('Loop')), input('input_ids'))],
    ['«evil.MatMul» is not supported', model(field(1, node('MatMul', 'evil')), input('input_ids'))],
    ['weights in other files', model(field(5, external), input('input_ids'))],
    ['weights in other files', model(field(1, node('Constant', '', field(5, external))), input('input_ids'))],
    [
      '«Scan» is not supported',
      model(field(1, node('Where', '', field(6, field(1, node('Scan'))))), input('input_ids')),
    ],
    ['«Scan» is not supported', model(field(1, node('If', '', field(6, field(1, node('Scan'))))), input('input_ids'))],
    ['«pixel_values» is not supported', model(input('input_ids'), input('pixel_values'))],
    ['«input_ids» is missing', model(input('attention_mask'))],
    ['training information', join_(model(input('input_ids')), field(20, 'x'))],
    ['it has no graph', field(1, 'x')],
    ['it is not an ONNX model', Buffer.from('not a model at all')],
    ['it is not an ONNX model', model(input('input_ids')).subarray(0, 9)],
  ])('%s', (reason, bytes) => {
    expect(() => inspectGraph(bytes)).toThrow(reason)
  })

  test('damaged bytes are refused, never read past', () => {
    const good = model(field(1, node('MatMul')), input('input_ids'))
    let refused = 0
    const outcomeOf = (bytes: Uint8Array) => {
      try {
        return inspectGraph(bytes).inputs
      } catch (error) {
        refused++
        return (error as Error).message
      }
    }
    for (let i = 0; i < good.length; i++) {
      for (const value of [0, 0x7f, 0x80, 0xff]) {
        const bad = Buffer.from(good)
        bad[i] = value
        const outcome = outcomeOf(bad)
        // What is still sound asks for what a classifier is given; a reason is short.
        if (typeof outcome === 'string') expect(outcome.length).toBeLessThan(200)
        else expect(outcome).toEqual(['input_ids'])
      }
    }
    expect(refused).toBeGreaterThan(2 * good.length)
  })
})
