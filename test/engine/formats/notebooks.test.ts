import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { registry } from '../../../shared/engine/formats/index.ts'
import { json } from '../../../shared/engine/formats/json/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { textDigest } from '../../../shared/engine/verify/digest.ts'
import { call, regexRule } from '../call.ts'

const words =
  'cells metadata nbformat id source execution_count cell_type attachments outputs output_type data text name ename evalue traceback kernelspec display_name language_info stream stdout error markdown code plain 4 5'

/** A notebook; `made` stands in all places that people or their programs fill. */
const notebook = (made: string) => ({
  cells: [
    {
      cell_type: 'markdown',
      id: 'a-1',
      metadata: { tags: [made], jupyter: { source_hidden: true }, [`x ${made}`]: { cells: made } },
      source: [`${made}\n`, 'x'],
      attachments: { [`${made}.txt`]: { 'text/plain': made } },
    },
    {
      cell_type: 'code',
      execution_count: null,
      metadata: {},
      outputs: [
        { name: 'stdout', output_type: 'stream', text: [made] },
        {
          data: { 'application/json': { [made]: [made] } },
          execution_count: null,
          metadata: {},
          output_type: 'display_data',
        },
        { ename: made, evalue: made, output_type: 'error', traceback: [made] },
      ],
      source: made,
    },
  ],
  metadata: { kernelspec: { display_name: made, name: 'p' }, language_info: { name: 'p' }, own: { [made]: made } },
  nbformat: 4,
  nbformat_minor: 5,
})

async function clean(content: unknown, pattern: string, name = 'a.ipynb') {
  const input = bufferInput(name, Buffer.from(JSON.stringify(content)))
  const { output } = await anonymise(call({ input, rules: [regexRule('X', pattern, { replacement: { text: '#' } })] }))
  return JSON.parse(Buffer.from(await output.read(0, output.size)).toString()) as unknown
}

test('words of the format stay where the format has them', async () => {
  for (const word of words.split(' ').filter(word => !['4', '5', 'id'].includes(word)))
    expect(await clean(notebook(`my ${word}!`), `\\b${word}\\b`), word).toEqual({
      ...notebook('my #!'),
      cells: (notebook('my #!').cells as { metadata: object }[]).map((cell, n) =>
        n > 0 ? cell : { ...cell, metadata: own(cell.metadata, word) },
      ),
    })
  expect(await clean(notebook('a'), '[45]')).toEqual(notebook('a'))
})

/** Within what others made, they are texts. */
const own = (metadata: object, word: string) => ({
  ...metadata,
  'x my #!': { [word === 'cells' ? '#' : 'cells']: 'my #!' },
})

test('they are texts in any other JSON', async () => {
  expect(await clean({ cells: [1], nbformat: 3 }, 'cells')).toEqual({ '#': [1], nbformat: 3 })
  expect(await clean({ cells: 'code' }, 'cells|code')).toEqual({ '#': '#' })
})

test('they are excused in the proof there only', async () => {
  const check = (content: unknown) => {
    const output = bufferInput('a.ipynb', Buffer.from(JSON.stringify(content)))
    const context = { registry, ...call({ input: output, rules: [] }), options: {} }
    return json.verify(output, { digest: textDigest().hex(), visible: [], gone: ['cells', 'code', 'name'] }, context)
  }
  const empty = { cells: [{ cell_type: 'code', metadata: { name: {} }, outputs: [{ name: 'stdout' }] }], nbformat: 4 }
  expect(await check(empty)).toEqual([])
  for (const cells of [[{ cell_type: 'name' }], [{ cells: {} }], [{ source: 'code' }], [{ cell_type: ['code'] }]])
    expect((await check({ ...empty, cells })).length, JSON.stringify(cells)).toBeGreaterThan(0)
  for (const more of [
    { code: {} },
    { metadata: { cells: {} } },
    { metadata: { kernelspec: 'code' } },
    { 'cells"id': {} },
  ])
    expect((await check({ ...empty, ...more })).length, JSON.stringify(more)).toBeGreaterThan(0)
})
