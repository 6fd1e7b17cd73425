import { describe, expect, test } from 'vitest'
import { missingColumns } from '../../shared/engine/columns/check.ts'
import type { Input } from '../../shared/engine/formats/format.ts'
import { namesWithin } from '../../shared/engine/formats/json/records.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { call, regexRule } from './call.ts'
import { type TableKind, tableKinds } from './formats/tables.ts'

const header = ['id', 'mail']
const line = (n: number) => [String(n), `a${n}@b.example`]

const tableOf = ({ make }: TableKind, rows: number) =>
  make(
    header,
    Array.from({ length: rows }, (_, n) => line(n)),
  )

/** An input that counts the bytes that are read of it. */
function counted(name: string, bytes: Uint8Array): { input: Input; read(): number } {
  const inner = bufferInput(name, bytes)
  let read = 0
  const count = (piece: Uint8Array) => {
    read += piece.length
    return piece
  }
  const input: Input = {
    ...inner,
    read: async (start, end) => count(await inner.read(start, end)),
    async *stream(start, end) {
      for await (const piece of inner.stream(start, end)) yield count(piece)
    },
  }
  return { input, read: () => read }
}

const asked = (input: Input, columns: string[]) =>
  missingColumns(call({ input, rules: [regexRule('R', 'x', { columns })], assetType: 'TABLE' }))

describe.each(tableKinds.map(kind => [kind.name, kind] as const))('%s', (name, kind) => {
  test('tells the columns that it has where the workflow names another', async () => {
    const { input } = counted(name, tableOf(kind, 20))
    expect(await asked(input, ['mail'])).toBeUndefined()
    expect(await asked(input, ['m*'])).toBeUndefined()
    const error = await asked(input, ['id', 'phone'])
    expect(error).toMatchObject({
      type: 'invalid_workflow',
      message: 'Rule «R»: the table has no column phone; it has id, mail',
    })
  })

  // Further tables of a spreadsheet and names of fields may stand anywhere.
  test.skipIf(/json|ods/.test(name))('is not read to its end where they are there', async () => {
    const bytes = tableOf(kind, 200_000)
    const { input, read } = counted(name, bytes)
    expect(await asked(input, ['mail'])).toBeUndefined()
    // Archives that are not large are held as they are; nothing is unpacked beyond the first rows.
    if (name !== 't.xlsx') expect(read()).toBeLessThan(bytes.length / 2)
  })
})

test('a name that records have only late is left to whoever reads all of them', { timeout: 120_000 }, async () => {
  const one = `${JSON.stringify({ id: 'x'.repeat(1000) })}\n`
  const long = Buffer.from(one.repeat(Math.ceil(namesWithin / one.length) + 100) + JSON.stringify({ mail: 'y' }))
  const { input } = counted('a.ndjson', long)
  expect(await asked(input, ['mail'])).toBeUndefined()
  expect(await asked(input, ['phone'])).toBeUndefined()
  const short = counted('a.ndjson', Buffer.from(`${one}${JSON.stringify({ mail: 'y' })}`)).input
  expect(await asked(short, ['mail'])).toBeUndefined()
  expect(await asked(short, ['phone'])).toMatchObject({ message: expect.stringMatching(/it has id, mail$/) })
})

test('a damaged table is left to whoever works on it, and a document has no columns', async () => {
  expect(await asked(bufferInput('a.parquet', Buffer.from('PAR1 nothing')), ['phone'])).toBeUndefined()
  expect(await asked(bufferInput('a.txt', Buffer.from('Just a letter.')), ['phone'])).toBeUndefined()
})
