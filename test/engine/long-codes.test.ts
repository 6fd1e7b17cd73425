import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { call, regexRule } from './call.ts'

/** A file in base64 with nothing that says so, longer than an expression can go back through letter by letter. */
const file = `JVBERi0x${'Ab9+'.repeat(3_000_000)}`

test.each([
  ['a.html', `<p>Zebulon ${file}</p>`],
  ['a.xml', `<a><b>Zebulon</b><c>${file}</c><d e="${file}"/></a>`],
  ['a.csv', `a,b\nZebulon,${file}\n`],
  ['a.txt', `Zebulon ${file}\n`],
  ['a.json', JSON.stringify({ a: 'Zebulon', b: file })],
])('a file of 12 MB in base64 within %s is read', async (name, source) => {
  const rules = [regexRule('X', 'Zebulon')]
  const { findings } = await anonymise(call({ input: bufferInput(name, Buffer.from(source)), rules }))
  expect(findings.map(({ count }) => count)).toEqual([1])
})
