import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

async function clean(name: string, source: string) {
  const rules = [regexRule('X', '\\bZy\\w*')]
  const { output } = await anonymise(call({ input: bufferInput(name, Buffer.from(source)), rules }))
  return Buffer.from(await output.read(0, output.size)).toString()
}

describe('names that become equal', () => {
  const cases: [what: string, name: string, source: string, expected: string][] = [
    ['keys of an object', 'a.json', '{"Zya":1,"Zyb":2,"c":{"Zya":3}}', '{"[X]":1,"[X]_2":2,"c":{"[X]":3}}'],
    ['a key that stood twice', 'a.json', '{"Zya":1,"Zya":2}', '{"[X]":1,"[X]":2}'],
    ['a key that another has already', 'a.json', '{"[X]":1,"Zyb":2}', '{"[X]":1,"[X]_2":2}'],
    ['keys of records', 'a.ndjson', '{"Zya":1,"Zyb":2}\n{"Zyb":3}\n', '{"[X]":1,"[X]_2":2}\n{"[X]":3}\n'],
    ['attributes', 'a.xml', '<?xml version="1.0"?><r Zya="1" Zyb="2"/>', '<?xml version="1.0"?><r _X_="1" _X__2="2"/>'],
    [
      'elements, wherever they stand',
      'a.xml',
      '<?xml version="1.0"?><Zya><b/><Zya>c</Zya></Zya>',
      '<?xml version="1.0"?><_X_><b/><_X_>c</_X_></_X_>',
    ],
  ]
  test.each(cases)('%s', async (_, name, source, expected) => {
    expect(await clean(name, source)).toBe(expected)
  })

  test('words of a known vocabulary stay', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9"><title>Zya</title></svg>'
    const rules = [regexRule('X', 'title|width|Zya')]
    const { output } = await anonymise(call({ input: bufferInput('a.svg', Buffer.from(svg)), rules }))
    expect(Buffer.from(await output.read(0, output.size)).toString()).toBe(svg.replace('Zya', '[X]'))
  })

  test('a prefix that holds a replaced value fails the file', async () => {
    const source = '<?xml version="1.0"?><r xmlns:Zyanne="urn:n"><Zyanne:a>Zyanne</Zyanne:a></r>'
    await expect(clean('a.xml', source)).rejects.toMatchObject({ type: 'leak_detected' })
  })
})
