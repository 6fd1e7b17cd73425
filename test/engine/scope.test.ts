import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { memoryNumbering } from '../../shared/engine/in-memory.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { checkReplacement, type Replacement, scopeOf } from '../../shared/engine/operators/index.ts'
import { createReplacer } from '../../shared/engine/operators/replacer.ts'
import { type Scope, type Secrets, scopedKey, scopes } from '../../shared/engine/operators/scope.ts'
import { call, regexRule, secrets } from './call.ts'

const key = (byte: number) => createSecretKey(Buffer.alloc(32, byte))
const all: Secrets = { ...secrets, document: key(3), project: key(4), deployment: key(5) }

async function pseudonymOf(value: string, options: { scope?: Scope; as?: string }, from: Secrets = all) {
  const rule = regexRule('WHOLE_CELL', '.+', { replacement: { pseudonym: options } })
  const [name] = await createReplacer(
    [rule],
    from,
    memoryNumbering(),
  )([{ rule: 0, label: rule.name, value, text: value }])
  return name!
}

test('a pseudonym is the same within its scope, and another one in every other scope', async () => {
  const names = await Promise.all(scopes.map(scope => pseudonymOf('Anna', { scope })))
  expect(new Set(names).size).toBe(scopes.length)
  expect(names[scopes.indexOf('job')]).toBe(await pseudonymOf('Anna', {}))
  const otherJob = { ...all, pseudonym: key(9), document: key(10) }
  const elsewhere = await Promise.all(scopes.map(scope => pseudonymOf('Anna', { scope }, otherJob)))
  expect(elsewhere.map((name, n) => name === names[n])).toEqual([false, false, true, true])
})

test('a pseudonym never shows the name of a rule, but what its options say', async () => {
  expect(await pseudonymOf('Anna', {})).toMatch(/^VALUE_\w{10}$/)
  expect(await pseudonymOf('Anna', { as: 'PERSON' })).toMatch(/^PERSON_\w{10}$/)
})

test('keys of two purposes or two scopes have nothing in common', () => {
  const derived = scopes.flatMap(scope => ['a/v1', 'a/v2', 'b/v1'].map(purpose => scopedKey(all, scope, purpose)))
  expect(new Set(derived.map(one => one.export().toString('hex'))).size).toBe(derived.length)
})

test('a scope without a secret fails the asset', async () => {
  const rules = [regexRule('name', 'Anna', { replacement: { pseudonym: { scope: 'project' } } })]
  const input = bufferInput('a.txt', Buffer.from('Anna'))
  await expect(anonymise(call({ input, rules }))).rejects.toMatchObject({ type: 'invalid_workflow' })
})

test.each([
  [{ pseudonym: { scope: 'world' } }, ['pseudonym', 'scope']],
  [{ pseudonym: { as: 'anna' } }, ['pseudonym', 'as']],
  [{ pseudonym: { scopes: 'job' } }, ['pseudonym', 'scopes']],
])('%j is refused', (replacement, loc) => {
  expect(checkReplacement(replacement as Replacement)).toEqual([{ msg: expect.any(String), loc }])
})

test('a replacement tells its scope where it has one', () => {
  expect(scopeOf({ pseudonym: {} })).toBe('job')
  expect(scopeOf({ pseudonym: { scope: 'document' } })).toBe('document')
  expect(scopeOf({ hash: {} })).toBeUndefined()
})
