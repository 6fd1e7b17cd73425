import { expect, test } from 'vitest'
import { safeName, uniqueName } from '../../console/zip-names.ts'

test.each([
  ['letter.txt', 'letter.txt'],
  ['Grüße, 2.docx', 'Grüße, 2.docx'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['C:\\windows\\a?.txt', 'C__windows_a_.txt'],
  ['line\nbreak.txt', 'line_break.txt'],
  ['trailing. . ', 'trailing'],
  ['..', '_'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['console.txt', 'console.txt'],
])('%j is called %j in a ZIP', (name, safe) => {
  expect(safeName(name)).toBe(safe)
})

test('no two names in a ZIP are alike, whether or not a system tells capitals from small letters', () => {
  const taken = new Set<string>()
  const names = ['a.txt', 'a.txt', 'A.TXT', 'a (2).txt', 'a/b', 'a_b', '.hidden', '.hidden', 'é', 'e\u0301']
  expect(names.map(name => uniqueName(name, taken))).toEqual([
    'a.txt',
    'a (2).txt',
    'A (3).TXT',
    'a (2) (2).txt',
    'a_b',
    'a_b (2)',
    '.hidden',
    '.hidden (2)',
    'é',
    'e\u0301 (2)',
  ])
})
