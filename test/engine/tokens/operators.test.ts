import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { checkReplacement, type Replacement, restoring } from '../../../shared/engine/operators/index.ts'
import { kindOf, tokenPattern } from '../../../shared/engine/tokens/form.ts'
import { call, regexRule, secrets } from '../call.ts'
import { type TableKind, tableKinds } from '../formats/tables.ts'
import { testKeys } from './keys.ts'

const keys = { ...secrets, tokens: testKeys() }
const mail = '[\\w.]+@[\\w.]+\\w'

async function run(name: string, bytes: Uint8Array, replacement: Replacement, pattern: string, table = true) {
  const rules = [regexRule('E-mail', pattern, { replacement })]
  const input = bufferInput(name, bytes)
  const result = await anonymise(call({ input, rules, secrets: keys, assetType: table ? 'TABLE' : 'DOCUMENT' }))
  const pieces: Uint8Array[] = []
  for await (const piece of result.output.stream()) pieces.push(Uint8Array.from(piece))
  return Buffer.concat(pieces)
}

const anyToken = tokenPattern([kindOf('')])
const rows = Array.from({ length: 60 }, (_, n) => [String(n), `a${n % 7}@b.example`])

test.each(tableKinds.map(kind => [kind.name, kind] as const))(
  'the values of a %s come back as they were',
  async (name, kind: TableKind) => {
    const original = kind.make(['id', 'mail'], rows)
    const made = await run(name, original, { token: {} }, mail)
    expect(made.toString('latin1')).not.toContain('@b.example')
    expect(await kind.read(await run(name, made, restoring, anyToken))).toEqual(await kind.read(original))
  },
)

test('a text comes back to the byte, also with letters of its own right behind a token', async () => {
  const text = 'To ann@b.example or ANN.LEE@c.example9, and x\u00e9 ann@b.example\r\n'
  const made = await run('a.txt', Buffer.from(text), { token: { as: 'EMAIL' } }, mail, false)
  expect(made.toString()).toMatch(/^To EMAIL~\w+ or EMAIL~\w+, and/)
  const [, one, two, three] = /(EMAIL~\w+)[^~]*(EMAIL~\w+)[^~]*(EMAIL~\w+)/.exec(made.toString())!
  expect([one === three, one === two]).toEqual([true, false])
  const back = await run('a.txt', made, restoring, tokenPattern(['EMAIL']), false)
  expect(back.toString()).toBe(text)
})

test('what no key opens stays as it is', async () => {
  const stranger = `VALUE~${'0'.repeat(40)}`
  const back = await run('a.txt', Buffer.from(`Dear ${stranger}!`), restoring, anyToken, false)
  expect(back.toString()).toBe(`Dear ${stranger}!`)
})

test('nothing is restored of other kinds than those asked for', async () => {
  const made = await run('a.txt', Buffer.from('ann@b.example'), { token: { as: 'EMAIL' } }, mail, false)
  expect(await run('a.txt', made, restoring, tokenPattern(['PERSON']), false)).toEqual(made)
})

test('numbers keep their form in a table, and others fail it, or become what is said', async () => {
  const table = Buffer.from('id,card\n1,4111-1111-1111-1111\n2,12\n3,4111-1111-1111-1111\n')
  const cards = '\\d[\\d-]+'
  const form = { keep: { last: 4 }, check: 'luhn' }
  await expect(run('a.csv', table, { fpe: form }, cards)).rejects.toMatchObject({
    type: 'limit_exceeded',
    message:
      'The rule E-mail keeps the form of values. A value is too short: fewer than a million others have its form',
  })
  const out = (await run('a.csv', table, { fpe: { ...form, otherwise: 'suppress' } }, cards)).toString()
  expect(out).toMatch(/^id,card\n1,(\d{4}-\d{4}-\d{4}-1111)\n2,\*\n3,\1\n$/)
  const withToken = (await run('a.csv', table, { fpe: { ...form, otherwise: 'token' } }, cards)).toString()
  expect(withToken).toMatch(/^2,VALUE~\w+$/m)
})

test.each([
  [{ token: { scope: 'world' } }, ['token', 'scope']],
  [{ token: { key: 'x' } }, ['token', 'key']],
  [{ token: { as: 'person' } }, ['token', 'as']],
  [{ fpe: { alphabet: 'aa' } }, ['fpe', 'alphabet']],
  [{ fpe: { alphabet: 'x' } }, ['fpe', 'alphabet']],
  [{ fpe: { keep: { middle: 1 } } }, ['fpe', 'keep', 'middle']],
  [{ fpe: { check: 'nothing' } }, ['fpe', 'check']],
  [{ fpe: { otherwise: 'keep' } }, ['fpe', 'otherwise']],
  [{ fpe: { check: 'nhs', keep: { first: 3, last: 2 } } }, ['fpe', 'keep']],
])('%j is refused when a workflow is saved', (replacement, loc) => {
  expect(checkReplacement(replacement as Replacement)).toEqual([{ msg: expect.any(String), loc }])
})

test('without a key an asset fails', async () => {
  const input = bufferInput('a.txt', Buffer.from('ann@b.example'))
  const rules = [regexRule('E-mail', mail, { replacement: { token: {} } })]
  await expect(anonymise(call({ input, rules }))).rejects.toMatchObject({ type: 'invalid_workflow' })
})
