import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byteScan } from '../../../shared/engine/verify/byte-scan.ts'
import { createRemovedValues } from '../../../shared/engine/verify/removed-values.ts'
import { buildSearch } from '../../../shared/engine/verify/search.ts'

const value = 'ann.o’neil+x@example.org'

const every = (text: string, form: (unit: string) => string) => text.split('').map(form).join('')
const hex = (unit: string, length: number) => unit.charCodeAt(0).toString(16).padStart(length, '0')
const url = (text: string) => Array.from(Buffer.from(text), byte => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** The value in every disguise that a file may hold it in. */
const disguises: [string, Buffer][] = [
  ['UTF-16, little-endian', Buffer.from(value, 'utf16le')],
  ['UTF-16, big-endian', Buffer.from(value, 'utf16le').swap16()],
  ['hexadecimal', Buffer.from(Buffer.from(value).toString('hex'))],
  ['hexadecimal in capitals', Buffer.from(Buffer.from(value).toString('hex').toUpperCase())],
  ...[0, 1, 2].map((lead): [string, Buffer] => [
    `base64 at ${lead}`,
    Buffer.from(Buffer.from(`${'<'.repeat(lead)}${value}>`).toString('base64')),
  ]),
  ['base64url', Buffer.from(Buffer.from(`?>${value}`).toString('base64url'))],
  ...['\r\n', '\n', '\n      ', '\\n', '\\r\\n', '\n> '].map((end): [string, Buffer] => [
    `base64 in lines that end with ${JSON.stringify(end)}`,
    Buffer.from(
      Buffer.from(`${'Lorem '.repeat(7)}${value} ipsum`)
        .toString('base64')
        .replace(/(.{64})/g, `$1${end}`),
    ),
  ]),
  ...[0, 1, 2].map((lead): [string, Buffer] => [
    `base64 of UTF-16 at ${lead}`,
    Buffer.from(Buffer.from(`${'x'.repeat(lead)}${value}>`, 'utf16le').toString('base64')),
  ]),
  ...[' ', ':', '-'].map((sign): [string, Buffer] => [
    `hexadecimal with ${JSON.stringify(sign)} between`,
    Buffer.from(
      `${Buffer.from(value)
        .toString('hex')
        .replace(/..(?=.)/g, `$&${sign}`)}.`,
    ),
  ]),
  [
    'hexadecimal with two blanks at times',
    Buffer.from(
      `00  ${Buffer.from(value)
        .toString('hex')
        .replace(/..(?=.)/g, '$& ')
        .replace(/((?:.. ){8})/g, '$1 ')}  |`,
    ),
  ],
  ['URL', Buffer.from(encodeURIComponent(value))],
  ['URL, every byte', Buffer.from(url(value))],
  ['JSON', Buffer.from(every(value, unit => `\\u${hex(unit, 4)}`))],
  ['JSON, one character', Buffer.from(value.replace('@', '\\u0040'))],
  [
    'JavaScript',
    Buffer.from(every(value.replace('’', 'X'), unit => `\\x${hex(unit, 2)}`).replace('\\x58', '\\u{2019}')),
  ],
  ['XML, decimal', Buffer.from(every(value, unit => `&#${unit.charCodeAt(0)};`))],
  ['XML, hexadecimal', Buffer.from(every(value, unit => `&#x${hex(unit, 1).toUpperCase()};`))],
  ['HTML', Buffer.from(value.replace('@', '&commat;'))],
  ['quoted-printable in small letters', Buffer.from('ann.o=e2=80=99neil+x@example.org')],
  ['quoted-printable', Buffer.from(`ann.o=E2=80=99neil+x=40exam=\r\nple.org`)],
]

describe.each(disguises)('%s', (_, bytes) => {
  test.each([1, 3, 16, 1000])('is found in pieces of %i bytes', size => {
    const scan = byteScan(['unrelated value', value])
    const all = Buffer.concat([Buffer.from('some text before '), bytes, Buffer.from(' and after')])
    for (let at = 0; at < all.length; at += size) scan.push(all.subarray(at, at + size))
    expect([...scan.found().hidden]).toEqual([1])
    expect([...scan.found().plain]).toEqual([])
  })
})

test('a value in any disguise is found wherever in a long piece it stands', () => {
  for (const [name, disguise] of disguises)
    for (const at of [65_536 - disguise.length, 65_530, 65_536, 131_072 - 5]) {
      const scan = byteScan([value])
      scan.push(Buffer.concat([Buffer.alloc(at, ' '), disguise, Buffer.alloc(70_000, ' ')]))
      expect([...scan.found().hidden], `${name} at ${at}`).toEqual([0])
    }
})

test('tells what stands there as it is', () => {
  const scan = byteScan(['Müller', 'Meier', 'absent'])
  scan.push(Buffer.concat([Buffer.from('M\xfcller, ', 'latin1'), Buffer.from('Mei')]))
  scan.push(Buffer.from('er'))
  expect([...scan.found().plain]).toEqual([0, 1])
})

test('finds no digits in numbers that count up, and others in hexadecimal', () => {
  const found = (text: string) => {
    const scan = byteScan(['123456', '0171 98'])
    scan.push(Buffer.from(text))
    return [...scan.found().hidden]
  }
  for (const text of [
    'Serie 31 32 33 34 35 36',
    'be 31-32-33-34-35-36',
    '1 31 32 33 34 35 36 37 38 39 40 41',
    '31 32 33 34 35 36 400',
  ])
    expect(found(text), text).toEqual([])
  expect(found('31 31 32 33 34 35 36 38')).toEqual([0])
  expect(found('30 31 37 31 20 39 38')).toEqual([1])
})

test('finds nothing across the border of two parts', () => {
  const scan = byteScan(['secret'])
  scan.push(Buffer.from('sec'))
  scan.next()
  scan.push(Buffer.from('ret'))
  expect(scan.found().plain.size + scan.found().hidden.size).toBe(0)
})

test('finds exactly the patterns that stand in the bytes', () => {
  const bytes = fc.uint8Array({ minLength: 4, maxLength: 12, max: 3 })
  fc.assert(
    fc.property(
      fc.array(bytes, { minLength: 1, maxLength: 30 }),
      fc.uint8Array({ maxLength: 400, max: 3, size: 'max' }),
      // Long bytes are looked through by the code, longer ones in parts.
      fc.constantFrom(0, 0, 16_200, 130_900, 131_067),
      (all, end, before) => {
        const text = Buffer.concat([Buffer.alloc(before, 9), end])
        const search = buildSearch(all.map((pattern, index) => ({ bytes: pattern, value: index })))
        const found = new Set<number>()
        search.run(text, index => {
          found.add(index)
          return undefined
        })
        const expected = all.flatMap((pattern, index) =>
          Buffer.from(text).includes(Buffer.from(pattern)) ? [index] : [],
        )
        expect([...found].sort((a, b) => a - b)).toEqual(expected)
      },
    ),
  )
})

test('chooses the same sample of values from bytes as from characters', () => {
  const [all, ofRaw] = [createRemovedValues(false), createRemovedValues(false)]
  const raw = Buffer.from(Array.from({ length: 5000 }, (_, index) => ` é${index * 7919}`).join(','))
  const bytes = raw.toString('latin1')
  for (let start = 0; start < bytes.length; start = bytes.indexOf(',', start) + 1 || bytes.length) {
    const end = bytes.indexOf(',', start)
    all.addBytes(bytes, start, end < 0 ? bytes.length : end)
    ofRaw.addBytes(bytes, start, end < 0 ? bytes.length : end, raw)
  }
  expect(ofRaw.values()).toEqual(all.values())
  expect(all.values().length).toBeGreaterThan(400)
})
