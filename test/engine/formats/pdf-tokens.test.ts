import { expect, test } from 'vitest'
import { tokenise } from '../../../shared/engine/formats/pdf/content/tokens.ts'

const operationsOf = (content: string) => {
  const tokens = tokenise(Buffer.from(content, 'latin1'))
  const found = []
  for (let operation = tokens.next(); operation; operation = tokens.next()) found.push(operation)
  return found
}

test.each([
  ['<4a6F>', '4a6f'],
  ['<4a 6F>', '4a6f'],
  ['<4 a6\nF>', '4a6f'],
  ['<4a6>', '4a60'],
  ['<4a\n6>', '4a60'],
  ['<4azz6F>', '4a6f'],
  ['<z4a6F7>', '4a6f70'],
  ['<>', ''],
  ['<7>', '70'],
  ['<4a6F', '4a6f'],
])('%j holds the bytes %s', (text, bytes) => {
  const [operation] = operationsOf(`${text}${text.endsWith('>') ? '' : '>'} Tj`)
  const [string] = operation?.operands ?? []
  expect(string?.kind === 'string' && Buffer.from(string.value).toString('hex')).toBe(bytes)
})

test('operators are told apart by all of their letters', () => {
  const words = ['q', 'Q', 'T*', 'Tj', 'TJ', 'jT', "'", '"', 'BT', 'BDC', 'q\xff', 'T\x01']
  const content = words.join('\n')
  expect(operationsOf(content).map(({ operator }) => operator)).toEqual(words)
  expect(operationsOf(content).map(({ operator }) => operator)).toEqual(words)
})
