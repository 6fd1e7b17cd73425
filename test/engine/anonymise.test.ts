import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import type { PlannedRule } from '../../shared/engine/plan.ts'
import { call, regexRule } from './call.ts'

async function text(input: string, rules: PlannedRule[], name = 'note.txt') {
  const result = await anonymise(call({ input: bufferInput(name, Buffer.from(input)), rules }))
  return Buffer.from(await result.output.read(0, result.output.size)).toString('utf8')
}

const email = '[\\w.+-]+@[\\w-]+\\.[\\w.]+'

test.each<[string, string, PlannedRule[], string]>([
  ['a text', 'mail ann@example.org now', [regexRule('email', email)], 'mail [email] now'],
  [
    'labels and rules',
    'id 12-34',
    [regexRule('Number', '\\d+-\\d+', { replacement: { text: '<{{label}}|{{rule}}|{{x}}>' } })],
    'id <Number|Number|{{x}}>',
  ],
  ['numbers', 'a1 b2 a1 c3', [regexRule('v', '[abc]\\d', { replacement: { text: 'V{{n}}' } })], 'V1 V2 V1 V3'],
  ['dollars mean nothing', 'x1', [regexRule('v', 'x1', { replacement: { text: "$& $1 $'" } })], "$& $1 $'"],
  [
    'a mask',
    'card 4111-1111',
    [regexRule('c', '[\\d-]{9}', { replacement: { mask: { char: '#', keepLast: 4 } } })],
    'card #####1111',
  ],
  [
    'a mask that would hide nothing hides all',
    'ab',
    [regexRule('c', 'ab', { replacement: { mask: { keepFirst: 1, keepLast: 1 } } })],
    '**',
  ],
  ['removal', 'a b c', [regexRule('b', 'b ', { replacement: { remove: {} } })], 'a c'],
  [
    'a pseudonym',
    'ann ann bob',
    [regexRule('first name', 'ann|bob', { replacement: { pseudonym: {} } })],
    expect.stringMatching(/^(VALUE_[0-9A-Z]{10}) \1 (?!\1)VALUE_[0-9A-Z]{10}$/),
  ],
  ['a hash', 'ann', [regexRule('n', 'ann', { replacement: { hash: {} } })], expect.stringMatching(/^[0-9a-f]{64}$/)],
  ['the group redact', 'name: Ann; name: Bob', [regexRule('n', 'name: (?<redact>\\w+)')], 'name: [n]; name: [n]'],
  ['look-around', 'USD 12 EUR 13', [regexRule('n', '(?<=EUR )\\d+(?!\\d)')], 'USD 12 EUR [n]'],
  [
    'a checksum',
    '4111111111111111 4111111111111112',
    [regexRule('c', '\\d{16}', { validator: 'luhn' })],
    '[c] 4111111111111112',
  ],
  ['flags', 'ANN ann', [regexRule('n', 'ann', { flags: 'i' })], '[n] [n]'],
  ['flags in front', 'ANN ann', [regexRule('n', '(?i)ann')], '[n] [n]'],
  ['longest first', 'call +1 555 0100 now', [regexRule('d', '555'), regexRule('p', '\\+1 555 0100')], 'call [p] now'],
  ['the rest of a loser', 'abcdef', [regexRule('x', 'abcd'), regexRule('y', 'def')], '[x][y]'],
  [
    'a replacement is not searched again',
    'ann',
    [regexRule('n', 'ann', { replacement: { text: 'bob' } }), regexRule('m', 'bob')],
    'bob',
  ],
  [
    'line ends and all bytes kept',
    '\ufeffa\r\nb\rc\nann\u0000\u2028',
    [regexRule('n', 'ann')],
    '\ufeffa\r\nb\rc\n[n]\u0000\u2028',
  ],
  ['surrogates', '🙂ann🙂', [regexRule('n', 'ann')], '🙂[n]🙂'],
])('%s', async (_, input, rules, output) => {
  expect(await text(input, rules)).toEqual(output)
})

test.each([
  ['ann', 1],
  ['dear ann', 1],
  ['[{{label}}]', 0],
  ['an', 0],
])('a replacement by "%s" is told of where it holds the value itself', async (replacement, times) => {
  const input = bufferInput('x.txt', Buffer.from('hello ann'))
  const { report } = await anonymise(
    call({ input, rules: [regexRule('ann', 'ann', { replacement: { text: replacement } })] }),
  )
  expect(report.warnings.filter(warning => warning.startsWith('The text of a replacement'))).toHaveLength(times)
})

test('a table: columns, quotes and formulas', async () => {
  const input = 'id,name,note\r\n1,ann,"ann, ""the"" boss"\r\n2,=ann,ann\r\n3,,""\r\n'
  const rules = [regexRule('n', 'ann', { columns: ['n*'], replacement: { text: '=x,y' } })]
  expect(await text(input, rules, 't.csv')).toBe(
    'id,name,note\r\n1,"\'=x,y","\'=x,y, ""the"" boss"\r\n2,"==x,y","\'=x,y"\r\n3,,""\r\n',
  )
  await expect(text(input, [regexRule('n', 'ann', { columns: ['surname'] })], 't.csv')).rejects.toMatchObject({
    type: 'invalid_workflow',
    message: expect.stringContaining('id, name, note'),
  })
})

test('a value left in an encoded form fails the asset, and one in a form that is read goes', async () => {
  await expect(text('ann@example.org ann=40example.org', [regexRule('email', email)])).rejects.toMatchObject({
    type: 'leak_detected',
  })
  const hexadecimal = Buffer.from('ann@example.org').toString('hex')
  expect(await text(`ann@example.org ${hexadecimal}`, [regexRule('email', email)])).toBe('[email] [email]')
})

test('a value left in a part of a message is told of with that part', async () => {
  const parts = ['ann@example.org', 'ann=40example.org'].map(
    part => `--b\r\nContent-Type: text/plain\r\n\r\n${part}\r\n`,
  )
  const mail = `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`
  await expect(text(mail, [regexRule('email', email)], 'x.eml')).rejects.toMatchObject({
    message: 'A replaced value stands in an encoded form (part 2)',
  })
})

test.each([
  ['made', () => 'a'.repeat(2 ** 30)],
  // Memory that nobody touches costs nothing.
  ['decoded', () => Buffer.allocUnsafeSlow(2 ** 29).toString('latin1')],
])('a text of more characters than can be %s exceeds a limit', async (_, makeText) => {
  const read = (): never => expect.unreachable(`${makeText().length} characters`)
  const long = { ...bufferInput('note.txt', Buffer.from('ann')), stream: read, read }
  await expect(anonymise(call({ input: long, rules: [regexRule('n', 'ann')] }))).rejects.toMatchObject({
    type: 'limit_exceeded',
    message: expect.stringContaining('512 Mi characters'),
  })
})
