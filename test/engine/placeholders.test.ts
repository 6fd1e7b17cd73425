import { createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPlaceholders } from '../../shared/engine/placeholders/placeholders.ts'
import { contextLength, createRestorer } from '../../shared/engine/placeholders/restore.ts'

const key = createSecretKey(Buffer.alloc(32, 7))
const placeholders = createPlaceholders(key)
const values = [
  ['PERSON', 'Margaret Thompson'],
  ['PERSON', 'Jürgen Müller'],
  ['EMAIL', 'margaret@example.org'],
  ['DATE_OF_BIRTH', '14/07/1962'],
  ['ORGANIZATION', 'Smith & "Sons"'],
] as const
const given = values.map(([label, value]) => ({ value, name: placeholders.of(label, value) }))
// Many neighbours, so that a repair that is not unique would show.
for (let n = 0; n < 400; n++) placeholders.of('PERSON', `Somebody ${n}`)
const restorer = createRestorer(placeholders.entries())
const restore = (text: string, more = {}) => restorer.restore({ text, ...more })

const label = (name: string) => name.slice(0, name.lastIndexOf('_'))
const code = (name: string) => name.slice(name.lastIndexOf('_') + 1)
const title = (text: string) => text.toLowerCase().replace(/(^|_)[a-z]/g, sign => sign.toUpperCase())

/** What models, and what carries their answers, make of placeholders: the text, and what stands around the value in the end. */
const alterations: Record<string, (name: string) => [text: string, before: string, after: string]> = {
  'as it is': name => [`Dear ${name},`, 'Dear ', ','],
  'lower case': name => [`dear ${name.toLowerCase()}.`, 'dear ', '.'],
  'title case': name => [`Dear ${title(label(name))}_${code(name)}!`, 'Dear ', '!'],
  'escaped in Markdown': name => [`Dear ${name.replaceAll('_', '\\_')}`, 'Dear ', ''],
  'a blank': name => [`Dear ${name.replaceAll('_', ' ')} and`, 'Dear ', ' and'],
  'a hyphen': name => [`Dear ${name.replaceAll('_', '-')} and`, 'Dear ', ' and'],
  'a long dash': name => [`Dear ${name.replaceAll('_', '–')} and`, 'Dear ', ' and'],
  'no underscore': name => [`Dear ${name.replaceAll('_', '')} and`, 'Dear ', ' and'],
  'two underscores': name => [`Dear ${name.replaceAll('_', '__')} and`, 'Dear ', ' and'],
  'a possessive': name => [`${name}'s house`, '', "'s house"],
  'a typographic possessive': name => [`${name}’s house`, '', '’s house'],
  'a plural': name => [`two ${name}s here`, 'two ', 's here'],
  bold: name => [`**${name}** said`, '**', '** said'],
  'italic by underscores': name => [`_${name}_ said`, '_', '_ said'],
  code: name => [`\`${name}\` is`, '`', '` is'],
  quotes: name => [`"${name}"`, '"', '"'],
  'in brackets': name => [`[${name}]`, '[', ']'],
  'in angle brackets': name => [`<${name}>`, '<', '>'],
  'in braces': name => [`{{${name}}}`, '{{', '}}'],
  'broken by a line end': name => [`Dear ${name.replace(/_(?=[^_]*$)/, '_\n')} and`, 'Dear ', ' and'],
  'broken before the code': name => [`Dear ${name.replace(/_(?=[^_]*$)/, '\n')} and`, 'Dear ', ' and'],
  'percent-encoded': name => [`q=${name.replaceAll('_', '%5F')}&x`, 'q=', '&x'],
  'an entity': name => [`<b>${name.replaceAll('_', '&#95;')}</b>`, '<b>', '</b>'],
  'a soft hyphen': name => [`Dear ${name.slice(0, 3)}\u00ad${name.slice(3)} and`, 'Dear ', ' and'],
  'a joiner of words': name => [`Dear ${name.replace('_', '_\u2060')} and`, 'Dear ', ' and'],
  'a zero-width space': name => [`Dear ${name.replaceAll('_', '_\u200b')} and`, 'Dear ', ' and'],
  'a hyphen that does not break': name => [`Dear ${name.replaceAll('_', '\u2011')} and`, 'Dear ', ' and'],
  'a wide blank': name => [`Dear ${name.replaceAll('_', '\u00a0')} and`, 'Dear ', ' and'],
  'the letter O for zero': name => [`Dear ${label(name)}_${code(name).replaceAll('0', 'O')} and`, 'Dear ', ' and'],
  'the letter I for one': name => [`Dear ${label(name)}_${code(name).replaceAll('1', 'I')} and`, 'Dear ', ' and'],
  'one sign too many': name => [`Dear ${name}${code(name).at(-1)} and`, 'Dear ', ' and'],
  'two signs changed': name => [`Dear ${label(name)}_${code(name).replace(/^(.)(.)/, '$2$1')} and`, 'Dear ', ' and'],
  'the last sign wrong': name => [`Dear ${name.slice(0, -1)}${name.endsWith('Z') ? 'Y' : 'Z'} and`, 'Dear ', ' and'],
  'a plural of the label': name => [`Dear ${label(name)}S_${code(name)} and`, 'Dear ', ' and'],
  'the code in lower case': name => [`Dear ${label(name)}_${code(name).toLowerCase()} and`, 'Dear ', ' and'],
  'a blank after the underscore': name => [`Dear ${label(name)}_ ${code(name)} and`, 'Dear ', ' and'],
  'a colon': name => [`Dear ${label(name)}: ${code(name)} and`, 'Dear ', ' and'],
  'a hash': name => [`Dear ${label(name)} #${code(name)} and`, 'Dear ', ' and'],
  'a path': name => [`/home/${name}/notes`, '/home/', '/notes'],
  'an identifier': name => [`${name}_id = 1`, '', '_id = 1'],
}

describe('altered placeholders', () => {
  const table = Object.entries(alterations).flatMap(([kind, alter]) =>
    given.map(({ name, value }) => ({ kind, value, altered: alter(name) })),
  )

  test('of 200, at least 95 in a hundred are restored, and none is restored wrongly', () => {
    expect(table).toHaveLength(200)
    const outcomes = table.map(({ kind, value, altered: [text, before, after] }) => {
      const made = restore(text).text
      return { kind, text, made, right: made === `${before}${value}${after}`, wrong: made !== text }
    })
    const missed = outcomes.filter(({ right }) => !right)
    expect(missed.filter(({ wrong }) => wrong)).toEqual([])
    expect([missed.length <= 10, missed]).toEqual([true, expect.anything()])
  })

  test('what is altered is told, and what is no placeholder of the session is left and told', () => {
    const [{ name, value }] = given as [(typeof given)[0]]
    expect(restore(`${name} ${name.toLowerCase()} PERSON_9999Z9 ok`)).toEqual({
      text: `${value} ${value} PERSON_9999Z9 ok`,
      restored: 2,
      altered: [{ found: name.toLowerCase(), placeholder: name }],
      unknown: ['PERSON_9999Z9'],
    })
  })

  test('text without placeholders stays as it is', () => {
    for (const text of [
      'The person 2024 said: date of birth 1962, email me at 10am. PERSON_2024 organization 42a, Person 1st',
      'PERSON PERSON_ PERSON_A person_name PERSON_NAME const EMAIL_ADDRESS = 1; DATE_OF_BIRTH',
    ])
      expect(restore(text)).toMatchObject({ text, restored: 0 })
  })
})

test('a placeholder comes of the value under the key of its session', () => {
  const again = createPlaceholders(key)
  expect(again.of('PERSON', 'Margaret Thompson')).toBe(given[0]!.name)
  expect(given[0]!.name).toMatch(/^PERSON_(?=.*\d)[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(given[3]!.name).toMatch(/^DATE_OF_BIRTH_[0-9A-Z]{4}$/)
  expect(createPlaceholders(createSecretKey(Buffer.alloc(32, 8))).of('PERSON', 'Margaret Thompson')).not.toBe(
    given[0]!.name,
  )
  expect(again.of('Straße 7!', 'x')).toMatch(/^STRASSE_7_|^STRAE_7_|^STRA_E_7_/)
})

test('no two values of a session share a placeholder', () => {
  const many = createPlaceholders(key)
  const names = Array.from({ length: 30_000 }, (_, n) => many.of('PERSON', `Value ${n}`))
  expect(new Set(names).size).toBe(30_000)
  expect(names.some(name => name.length > 'PERSON_7QK2'.length)).toBe(true)
})

test('values are written as their place asks: in strings of JSON, and in addresses', () => {
  const name = given[4]!.name
  expect(JSON.parse(restore(`{"to":"${name}"}`, { writing: 'json' }).text)).toEqual({ to: 'Smith & "Sons"' })
  expect(restore(`see https://example.org/?q=${name}&x=1 or ${name}`).text).toBe(
    'see https://example.org/?q=Smith%20%26%20%22Sons%22&x=1 or Smith & "Sons"',
  )
})

test('restored in pieces of any size, a text becomes what it becomes as a whole', () => {
  const names = given.map(({ name }) => name)
  const word = fc.oneof(
    fc.constantFrom(...names),
    fc.constantFrom(...names.map(name => name.toLowerCase().replaceAll('_', ' '))),
    fc.constantFrom(...names.map(name => name.replaceAll('_', '\\_'))),
    fc.constantFrom(...names.map(name => name.slice(0, -1))),
    fc.constantFrom(
      'person',
      'PERSON_',
      'Date of',
      'ok',
      '\n\n',
      'https://x.org/',
      's',
      '\\n',
      '\\B',
      "'s",
      '**',
      '😀',
      'EMAIL_ADDRESS',
    ),
    fc.string({ maxLength: 6 }),
  )
  const texts = fc.tuple(fc.array(fc.tuple(word, fc.constantFrom('', ' ', ', ', '\n'))), fc.array(fc.nat(12)))
  fc.assert(
    fc.property(texts, ([words, cuts]) => {
      const text = words.flat().join('')
      let [made, before, held, at] = ['', '', '', 0]
      const turn = [...cuts, 3]
      for (let n = 0; at < text.length; n++) {
        const length = Math.max(1, turn[n % turn.length]!)
        held += text.slice(at, at + length)
        at += length
        const ready =
          at < text.length ? restorer.holdFrom(before.slice(-2) + held) - before.slice(-2).length : held.length
        const part = held.slice(0, Math.max(0, ready))
        made += restore(part, { before }).text
        before = (before + part).slice(-contextLength)
        held = held.slice(part.length)
      }
      expect(made).toBe(restore(text).text)
    }),
    { numRuns: 3000 },
  )
})
