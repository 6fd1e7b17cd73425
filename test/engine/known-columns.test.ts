import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { call, regexRule } from './call.ts'

async function replaced(header: boolean, column: string): Promise<string> {
  const input = bufferInput('t.csv', Buffer.from('id,name\n1,a\na,b\n'))
  const rules = [regexRule('R', 'a', { columns: [column], replacement: { text: 'X' } })]
  const { output } = await anonymise(call({ input, rules, assetType: 'TABLE', options: { header } }))
  return Buffer.from(await output.read(0, output.size)).toString()
}

test.each([
  [true, 'id', 'id,name\n1,a\nX,b\n'],
  [true, 'na*', 'id,name\n1,X\na,b\n'],
  [false, '1', 'id,name\n1,a\nX,b\n'],
  [false, '2', 'id,nXme\n1,X\na,b\n'],
  [false, '*', 'id,nXme\n1,X\nX,b\n'],
])('a table, with a header row: %s, has the column %s', async (header, column, expected) => {
  expect(await replaced(header, column)).toBe(expected)
})

test.each([
  [true, 'ID', 'it has id, name'],
  [true, '1', 'it has id, name'],
  [false, 'name', 'its columns are 1, 2, 3'],
  [false, '0', 'its columns are 1, 2, 3'],
])('a table, with a header row: %s, has no column %s', async (header, column, list) => {
  const refused = { type: 'invalid_workflow', message: expect.stringContaining(list) }
  await expect(replaced(header, column)).rejects.toMatchObject(refused)
})
