import { describe, expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { mergeNameEdits, renamed } from '../../shared/engine/asset-name.ts'
import { numberedName, safeName } from '../../shared/engine/file-names.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import type { PlannedRule } from '../../shared/engine/plan.ts'
import { call, regexRule } from './call.ts'

const ssn = regexRule('SSN', '\\b\\d{3}-\\d{2}-\\d{4}\\b')
const person = regexRule('NAME', '(?<=(?:Dear|Name:) )\\p{Lu}\\p{L}+(?: \\p{Lu}\\p{L}+)*')

async function nameOf(name: string, content: string, rules: PlannedRule[] = [ssn, person]) {
  const result = await anonymise(call({ input: bufferInput(name, Buffer.from(content)), rules }))
  return { name: result.name, warnings: result.report.warnings, result }
}

describe('the name of a file', () => {
  const letter = 'Dear Jane Doe,\nhello\n'
  const page = '<!DOCTYPE html><p>Dear Jane Doe,</p>'
  const table = 'id,note\n1,Name: Jane Doe\n2,none\n'
  const cases: [string, string, string, string][] = [
    ['by a rule', 'Jane 123-45-6789.txt', 'nothing', 'Jane [SSN].txt'],
    ['by a rule, between underscores', 'scan_123-45-6789_b.txt', 'nothing', 'scan_[SSN]_b.txt'],
    ['by what was found in a text', 'Jane Doe 2.txt', letter, '[NAME] 2.txt'],
    ['by what was found in a page, in other letters', 'jane_doe.html', page, '[NAME].html'],
    ['by what was found in a table', 'Letter to Jane-Doe.csv', table, 'Letter to [NAME].csv'],
    ['by a part of what was found', 'letter_to_Jane.txt', letter, 'letter_to_[NAME].txt'],
    ['where accents stand apart', 'Mu\u0308ller.txt', 'Dear Müller,', '[NAME].txt'],
    ['but not its ending', 'Jane Doe.html', `${page}<p>Name: Html</p>`, '[NAME].html'],
    ['where the ending is a word', 'Jane.Doe', letter, '[NAME]'],
    ['in escapes', 'Jane%20Doe.txt', letter, '[NAME].txt'],
  ]
  test.each(cases)('is changed %s', async (_, name, content, expected) => {
    const { name: changed, warnings } = await nameOf(name, content)
    expect(changed).toBe(expected)
    expect(warnings).toContainEqual(expect.stringContaining('name of the file'))
  })

  test('stays where nothing in it was replaced', async () => {
    const { name, warnings } = await nameOf('Annual report (final) v2.1.txt', letter)
    expect(name).toBe('Annual report (final) v2.1.txt')
    expect(warnings).toEqual([])
  })

  test('keeps short codes that a model takes for places, but nothing that a pattern finds', async () => {
    const find = async (texts: string[]) =>
      texts.map(text => [{ label: 'LOCATION', start: 0, end: text.length, score: 0.9 }])
    const detection = { type: 'AIMODEL' as const, modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 }
    const rules = [{ ruleId: 'p', name: 'P', detection, replacement: { text: '[L]' } }]
    const nameBy = async (name: string) => {
      const input = bufferInput(name, Buffer.from('1'))
      return (await anonymise(call({ input, rules, models: async () => ({ find }) }))).name
    }
    expect(await nameBy('a1.txt')).toBe('a1.txt')
    expect(await nameBy('acme-report.txt')).toBe('[L].txt')
    expect(await nameBy('北京.txt')).toBe('[L].txt')
    expect(await nameBy('Berlin.txt')).toBe('[L].txt')
    expect((await nameOf('nyc.txt', 'nothing', [regexRule('LOCATION', 'nyc')])).name).toBe('[LOCATION].txt')
  })

  test('keeps numbers of few digits that files are counted by, whatever a model takes them for', async () => {
    const find = async (texts: string[]) =>
      texts.map(text =>
        Array.from(text.matchAll(/(?:[A-Z]+-)*\d[\d -]*(?:notes|March)?/g), ({ index, 0: found }) => ({
          ...{ label: /notes|March/.test(found) ? 'DATE' : 'ID', start: index, end: index + found.length, score: 0.9 },
        })),
      )
    const detection = { type: 'AIMODEL' as const, modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 }
    const rules = [{ ruleId: 'p', name: 'P', detection, replacement: { text: '[N]' } }]
    const nameBy = async (name: string) => {
      const input = bufferInput(name, Buffer.from('nothing'))
      return (await anonymise(call({ input, rules, models: async () => ({ find }) }))).name
    }
    for (const name of ['006.txt', '04-notes.txt', 'scan 12.txt']) expect(await nameBy(name)).toBe(name)
    for (const name of ['4711.txt', '12 March.txt', 'KL-AB-123.txt']) expect(await nameBy(name)).toBe('[N].txt')
  })

  test('keeps one word in small letters that a model takes for a name, unless it is listed or found in the file', async () => {
    const find = async (texts: string[]) =>
      texts.map(text => {
        const { index = -1, 0: found } = /picker|jonathan|quimby/i.exec(text) ?? { 0: '' }
        return found === '' ? [] : [{ label: 'PERSON', start: index, end: index + found.length, score: 0.9 }]
      })
    const detection = { type: 'AIMODEL' as const, modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 }
    const rules = [{ ruleId: 'p', name: 'P', detection, replacement: { text: '[P]' } }]
    const nameBy = async (name: string, content = '1') => {
      const input = bufferInput(name, Buffer.from(content))
      return (await anonymise(call({ input, rules, models: async () => ({ find }) }))).name
    }
    expect(await nameBy('picker.txt')).toBe('picker.txt')
    expect(await nameBy('picker2.txt')).toBe('picker2.txt')
    expect(await nameBy('picker.txt', 'Picker')).toBe('[P].txt')
    expect(await nameBy('Picker.txt')).toBe('[P].txt')
    expect(await nameBy('letter to quimby.txt')).toBe('letter to [P].txt')
    expect(await nameBy('jonathan.txt')).toBe('[P].txt')
  })

  test('is read with blanks by models of language, which take words with underscores for names', async () => {
    const find = async (texts: string[]) =>
      texts.map(text => {
        const [{ index = -1, 0: found } = { 0: '' }] = text.matchAll(/\w+_\w+|jane doe/g)
        return found === '' ? [] : [{ label: 'PERSON', start: index, end: index + found.length, score: 0.9 }]
      })
    const detection = { type: 'AIMODEL' as const, modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 }
    const rules = [{ ruleId: 'p', name: 'P', detection, replacement: { text: '[P]' } }]
    const nameBy = async (name: string) => {
      const input = bufferInput(name, Buffer.from('nothing'))
      return (await anonymise(call({ input, rules, models: async () => ({ find }) }))).name
    }
    expect(await nameBy('fr_lettre.txt')).toBe('fr_lettre.txt')
    expect(await nameBy('cv_jane_doe.txt')).toBe('cv_[P].txt')
  })

  test('says why it was changed', async () => {
    expect((await nameOf('a\nb.txt', 'x')).warnings).toEqual([
      'The name of the file was changed: not every system takes such a name',
    ])
  })

  test('has the number that the value has in the file', async () => {
    const rules = [regexRule('P', 'Zy\\w+', { replacement: { text: 'P{{n}}' } })]
    const { name, result } = await nameOf('b Zyb a.html', '<!DOCTYPE html><p>Zya Zyb Zya</p>', rules)
    expect(Buffer.from(await result.output.read(0, result.output.size)).toString()).toContain('P1 P2 P1')
    expect(name).toBe('b P2 a.html')
  })

  test('is one where the whole of it is removed', async () => {
    expect((await nameOf('Zya.txt', 'x', [regexRule('P', 'Zy\\w+', { replacement: { remove: {} } })])).name).toBe(
      'file.txt',
    )
  })

  test('is the same from all chunks of a table', () => {
    const edits = mergeNameEdits([
      [{ start: 0, end: 4, text: '[A]' }],
      [],
      [
        { start: 5, end: 8, text: '[B]' },
        { start: 0, end: 4, text: '[A]' },
      ],
    ])
    expect(renamed('Jane Doe.csv', edits)).toBe('[A] [B].csv')
  })
})

test.each([
  ['../../etc/passwd', '_.._etc_passwd'],
  ['a\u202Egpj.exe', 'agpj.exe'],
  ['a\r\nb\0', 'ab'],
  ['CON', '_CON'],
  ['lpt1.x', '_lpt1.x'],
  [' . ', 'file'],
  ['a:b*c?"<>|', 'a_b_c_____'],
  ['ä'.repeat(300), 'ä'.repeat(100)],
])('the name %j is made safe', (name, expected) => {
  expect(safeName(name)).toBe(expected)
})

test('a number goes before the ending', () => {
  expect([numberedName('a.b.pdf', 1), numberedName('a.b.pdf', 2), numberedName('a.b', 3)]).toEqual([
    'a.b.pdf',
    'a.b (2).pdf',
    'a.b (3)',
  ])
})
