import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { EntityModel } from '../../../shared/engine/detect/entity-model.ts'
import { ics, vcf } from '../../../shared/engine/formats/content-lines/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { shownByContentLines } from './shown.ts'
import { formatSuite } from './suite.ts'

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&')

formatSuite(ics, {
  name: 'a.ics',
  make: texts =>
    Buffer.from(
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${texts.map(text => `SUMMARY:${escaped(text)}\r\n`).join('')}END:VCALENDAR\r\n`,
    ),
  show: bytes => shownByContentLines(bytes, 'SUMMARY'),
  untouched: 'bytes',
})

formatSuite(vcf, {
  name: 'a.vcf',
  make: texts => Buffer.from(`BEGIN:VCARD\r\n${texts.map(text => `NOTE:${escaped(text)}\r\n`).join('')}END:VCARD\r\n`),
  show: bytes => shownByContentLines(bytes, 'NOTE'),
  untouched: 'bytes',
})

async function clean(name: string, lines: string[], text = '[X]') {
  const kind = name.endsWith('.vcf') ? 'VCARD' : 'VCALENDAR'
  const source = [`BEGIN:${kind}`, ...lines, `END:${kind}`, ''].join('\r\n')
  const rules = [regexRule('X', '\\bZya B\\b|\\bzy@c\\.example\\b', { replacement: { text } })]
  const { output, report } = await anonymise(call({ input: bufferInput(name, Buffer.from(source)), rules }))
  const written = Buffer.from(await output.read(0, output.size)).toString()
  return { lines: written.split('\r\n').slice(1, -2), report }
}

describe('calendars and cards', () => {
  const cases: [string, string, string[], string[]][] = [
    ['a folded line', 'a.ics', ['SUMMARY:with Z', ' ya', '  B now'], ['SUMMARY:with [X] now']],
    [
      'a line folded in an escape',
      'a.ics',
      ['SUMMARY:Zya B\\', ' nis\\', ' , here'],
      ['SUMMARY:[X]\\', ' nis\\', ' , here'],
    ],
    ['a part folded in an escape', 'a.vcf', ['N:Zya B\\', ' ;x;c'], ['N:[X]\\', ' ;x;c']],
    ['a folded address', 'a.ics', ['ATTENDEE:mailto:zy@c.', ' example'], ['ATTENDEE:mailto:[X]']],
    [
      'a parameter',
      'a.ics',
      ['ATTENDEE;CN=Zya B;RSVP=', ' TRUE:mailto:x@y.example'],
      ['ATTENDEE;CN=[X];RSVP=', ' TRUE:mailto:x@y.example'],
    ],
    [
      'a parameter in quotes',
      'a.ics',
      ['ATTENDEE;CN="B, Zya B":mailto:zy@c.example'],
      ['ATTENDEE;CN="B, [X]":mailto:[X]'],
    ],
    [
      'a value behind an escaped line end',
      'a.ics',
      ['DESCRIPTION:Dear all\\nZya B\\, hello'],
      ['DESCRIPTION:Dear all\\n[X]\\, hello'],
    ],
    [
      'values behind escapes that only strings of programs have',
      'a.ics',
      ['DESCRIPTION:Dear\\tZya B\\r\\nZya B\\', ' tZya B\\, C:\\temp'],
      ['DESCRIPTION:Dear\\t[X]\\r\\n[X]\\', ' t[X]\\, C:\\temp'],
    ],
    ['the same in a part', 'a.vcf', ['N:a\\tZya B;\\u005aya B\\;'], ['N:a\\t[X];[X]\\;']],
    [
      'a value that ends like a soft break',
      'a.ics',
      ['URL:https://x.example/?q=', 'SUMMARY:Zya B'],
      ['URL:https://x.example/?q=', 'SUMMARY:[X]'],
    ],
    [
      'quoted-printable',
      'a.vcf',
      ['N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=5Aya =', 'B', 'TEL:1'],
      ['N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=5B=58=5D', 'TEL:1'],
    ],
    ['parts of a name', 'a.vcf', ['item1.N:Zya B;Zya B\\, C;;;'], ['item1.N:[X];[X]\\, C;;;']],
    [
      'parts of an address',
      'a.vcf',
      ['ADR;TYPE=HOME:;;x Zya', '  B\\; y;Zya B;;1;Zya B'],
      ['ADR;TYPE=HOME:;;x [X]\\; y;[X];;1;[X]'],
    ],
    [
      'parts in quoted-printable',
      'a.vcf',
      ['N;ENCODING=QUOTED-PRINTABLE:=5Aya B;x=3B=5Aya B;'],
      ['N;ENCODING=QUOTED-PRINTABLE:=5B=58=5D;=78=3B=5B=58=5D;'],
    ],
    [
      'identifiers, which still tell entries apart',
      'a.ics',
      ['UID:zy@c.example', 'UID:1-zy@c.example', 'UID:Zya B', 'RELATED-TO:zy@c.example', 'UID:plain'],
      ['UID:[X]', 'UID:1-[X]', 'UID:[X]_2', 'RELATED-TO:[X]', 'UID:plain'],
    ],
    [
      'an identifier in hexadecimal that holds a value',
      'a.ics',
      [
        `UID:040000008200E00074C5B7101A82E00800000000${Buffer.from('Zya B').toString('hex')}2D31`,
        `UID:${'0a5b'.repeat(9)}`,
      ],
      ['UID:040000008200E00074C5B7101A82E00800000000 [X]-1', `UID:${'0a5b'.repeat(9)}`],
    ],
    ['lines that are none', 'a.ics', ['Zya B is here'], ['[X] is here']],
  ]
  test.each(cases)('%s', async (_, name, lines, expected) => {
    expect((await clean(name, lines)).lines).toEqual(expected)
  })

  const quirks: [string, string, string, string, string][] = [
    ['quotes that are folded', 'a.ics', 'ATTENDEE;CN="Zya\r\n  B; c":x', 'Zya B', 'ATTENDEE;CN="#; c":x'],
    [
      'values in quotes',
      'a.ics',
      'ATTENDEE;MEMBER="x:zy@c",\r\n "x:zy@d";CN=e:x',
      'zy',
      'ATTENDEE;MEMBER="x:#@c",\r\n "x:#@d";CN=e:x',
    ],
    ['quotes in quotes', 'a.ics', 'ATTENDEE;CN="Zya "B" c":x', 'Zya "B" c', 'ATTENDEE;CN="#":x'],
    ['types in quotes', 'a.vcf', 'TEL;TYPE="home","zy":1', 'home|zy', 'TEL;TYPE="home","#":1'],
    ['escapes of parameters', 'a.vcf', "ADR;LABEL=a^nZya^n ^'B^':Zya\\n", '\\bZya|"B"', 'ADR;LABEL=a^n#^n #:#\\n'],
    ['single carriage returns', 'a.vcf', 'NOTE:Zy\r a b\rFN:Zya', 'Zya', 'NOTE:# b\rFN:#'],
    ['line separators in a value', 'a.vcf', 'NOTE:a\u2028FN:b Zya', 'FN:b Zya', 'NOTE:a\u2028#'],
    [
      'a declared character set',
      'a.vcf',
      'N;CHARSET=ISO-8859-2;ENCODING=QUOTED-PRINTABLE:Zy=B1;a',
      'Zy\u0105',
      'N;CHARSET=ISO-8859-2;ENCODING=QUOTED-PRINTABLE:=23;a',
    ],
    [
      'an encoding in quotes',
      'a.vcf',
      'NOTE;ENCODING="QUOTED-PRINTABLE":Z=79a',
      'Zya',
      'NOTE;ENCODING="QUOTED-PRINTABLE":=23',
    ],
    [
      'one that is not declared',
      'a.vcf',
      'NOTE;QUOTED-PRINTABLE:Zy=E4 =DF',
      'Zy\u00e4',
      'NOTE;QUOTED-PRINTABLE:=23=20=DF',
    ],
  ]
  test.each(quirks)('%s', async (_, name, line, pattern, expected) => {
    const kind = name.endsWith('.vcf') ? 'VCARD' : 'VCALENDAR'
    const [begin, end] = [`BEGIN:${kind}\r\n`, `\r\nEND:${kind}\r\n`]
    const rules = [regexRule('X', pattern, { replacement: { text: '#' } })]
    const { output } = await anonymise(call({ input: bufferInput(name, Buffer.from(begin + line + end)), rules }))
    expect(Buffer.from(await output.read(0, output.size)).toString()).toBe(begin + expected + end)
  })

  test.each([
    ['an appointment without its calendar', 'a.ics', 'BEGIN:VEVENT\r\nSUMMARY:with Z\r\n ya B\r\nEND:VEVENT\r\n'],
    ['an appointment under another name', 'a', 'BEGIN:VEVENT\r\nSUMMARY:with Z\r\n ya B\r\nEND:VEVENT\r\n'],
    ['lines by the name of the file', 'a.vcs', 'SUMMARY:with Z\r\n ya B\r\n'],
    ['a calendar in UTF-16', 'a.ics', '\ufeffBEGIN:VCALENDAR\r\nSUMMARY:with Z\r\n ya B\r\nEND:VCALENDAR\r\n'],
  ])('%s is unfolded', async (_, name, source) => {
    const encoding = source.startsWith('\ufeff') ? 'utf16le' : 'utf8'
    const input = bufferInput(name, Buffer.from(source, encoding))
    const rules = [regexRule('X', 'Zya B', { replacement: { text: '[X]' } })]
    const { format, output } = await anonymise(call({ input, rules }))
    expect(format).toBe('ics')
    const written = Buffer.from(await output.read(0, output.size)).toString(encoding)
    expect(written).toBe(source.replace(/Z\s+ya B/, '[X]'))
  })

  test('a text of very many lines', async () => {
    const lines = ['N;ENCODING=QUOTED-PRINTABLE:', ...Array<string>(400_000).fill('=41='), 'Zya B']
    const { lines: written } = await clean('a.vcf', [lines.join('\r\n')])
    expect(written.join('')).toMatch(/\[X\]|=5BX=5D/)
  })

  test('texts and data in base64 in parameters', async () => {
    const [comment, place] = ['see Zya B', '\x08\x01\x12\x04Main Street 7\x1a\xffZya B of the house']
    const coded = (text: string) => Buffer.from(text, 'latin1').toString('base64')
    const { lines, report } = await clean('a.ics', [
      `ATTENDEE;X-COMMENT=${coded(comment)};RSVP=TRUE:mailto:x@y.example`,
      `X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-HANDLE=${coded(place).slice(0, 30)}`,
      ` ${coded(place).slice(30)};X-RADIUS=70:geo:48.2,16.3`,
      'SUMMARY:Zya B',
    ])
    expect(lines).toEqual([
      `ATTENDEE;X-COMMENT=${coded('see [X]')};RSVP=TRUE:mailto:x@y.example`,
      'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-RADIUS=70:geo:48.2,16.3',
      'SUMMARY:[X]',
    ])
    expect(report.dropped).toEqual([{ what: 'parameters that hold data', count: 1 }])
  })

  test('a line folded within a character of several bytes', async () => {
    const bytes = Buffer.concat([
      Buffer.from('BEGIN:VCARD\r\nFN:\u00e4\r\nNOTE:Zy'),
      Buffer.from([0xc3, 0x0d, 0x0a, 0x20, 0xa4, 0x20, 0xe2, 0x82, 0x0d, 0x0a, 0x20, 0xac]),
      Buffer.from('\r\nEND:VCARD\r\n'),
    ])
    const rules = [regexRule('X', 'Zy\u00e4', { replacement: { text: '#' } })]
    const { output } = await anonymise(call({ input: bufferInput('a.vcf', bytes), rules }))
    const written = Buffer.from(await output.read(0, output.size)).toString()
    expect(written).toBe('BEGIN:VCARD\r\nFN:\u00e4\r\nNOTE:#\r\n  \u20ac\r\n \r\nEND:VCARD\r\n')
  })

  test('a character set that cannot be read', async () => {
    const card = 'BEGIN:VCARD\r\nFN;CHARSET=ISO-2022-JP;ENCODING=QUOTED-PRINTABLE:=1B$B=3B3\r\nEND:VCARD\r\n'
    const rules = [regexRule('X', 'Zya')]
    await expect(anonymise(call({ input: bufferInput('a.vcf', Buffer.from(card)), rules }))).rejects.toMatchObject({
      type: 'unsupported_format',
    })
  })

  test('large files in calendars', async () => {
    const lines = Array.from({ length: 120_000 }, () => ` ${'A'.repeat(74)}`)
    const { lines: left } = await clean('a.ics', ['ATTACH;ENCODING=BASE64:', ...lines, 'SUMMARY:Zya B'])
    expect(left).toEqual(['SUMMARY:[X]'])
  })

  test('files whose lines are not folded', async () => {
    const { lines, report } = await clean('a.vcf', ['PHOTO;BASE64:/9j/', '4AAQSkZJ', '/9k=', '', 'NOTE:Zya B'])
    expect(lines).toEqual(['', 'NOTE:[X]'])
    expect(report.dropped).toEqual([{ what: 'embedded files', count: 1 }])
  })

  test('a replacement with marks of the syntax', async () => {
    const { lines } = await clean('a.ics', ['ATTENDEE;CN=Zya B:zy@c.example'], 'a, b; "c"')
    expect(lines).toEqual(['ATTENDEE;CN=a_ b_ _c_:a\\, b\\; "c"'])
  })

  test('pictures go and are reported', async () => {
    const { lines, report } = await clean('a.vcf', ['FN:Zya B', 'PHOTO;ENCODING=b;TYPE=JPEG:aGVs', ' bG8=', 'NOTE:x'])
    expect(lines).toEqual(['FN:[X]', 'NOTE:x'])
    expect(report.dropped).toEqual([{ what: 'embedded files', count: 1 }])
  })
})

describe('words of the formats', () => {
  const withRule = async (name: string, lines: string[], pattern: string) => {
    const rules = [regexRule('X', pattern, { flags: 'i' })]
    const { output } = await anonymise(
      call({ input: bufferInput(name, Buffer.from([...lines, ''].join('\r\n'))), rules }),
    )
    return Buffer.from(await output.read(0, output.size))
      .toString()
      .split('\r\n')
      .slice(0, -1)
  }
  const invitation = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'STATUS:CONFIRMED',
    'DTSTART;VALUE=DATE:20240101',
    'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=',
    ' TRUE;CN=Zya B:mailto:a@b.example',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  const card = ['BEGIN:VCARD', 'VERSION:2.1', 'TEL;HOME;TYPE="voice,cell";PREF=1:+1', 'ADR;TYPE=work:;;x', 'END:VCARD']

  test.each([
    ...'vevent vcalendar request status summary confirmed value date attendee individual role participant true 2\\.0'
      .split(' ')
      .map(word => ['a.ics', word, invitation, 'SUMMARY'] as const),
    ...'vcard tel home type voice work pref note 2\\.1'.split(' ').map(word => ['a.vcf', word, card, 'NOTE'] as const),
  ])('in %s are no text: %s, though a text that has it loses it', async (name, word, lines, property) => {
    const text = `the ${word.replace('\\', '')} of them`
    const before = [...lines.slice(0, -1), `${property}:${text}`, lines.at(-1)!]
    const after = [...lines.slice(0, -1), `${property}:the [X] of them`, lines.at(-1)!]
    expect(await withRule(name, before, word)).toEqual(after)
    expect(await withRule(name, lines, word)).toEqual(lines)
  })

  test('are only those that the formats make up: others are text', async () => {
    const lines = [
      'BEGIN:VCARD',
      'VERSION:Zya',
      'Zyagroup.TEL;TYPE=home,Zyalabel;X-ZYA=a;ZYABARE;PREF=Zyab:1',
      'X-ZYAPROP;TYPE=work:b',
      'STATUS:zyastatus',
      'BEGIN:ZYAPART',
      'END:ZYAPART',
      'END:VCARD',
    ]
    const after = await withRule('a.vcf', lines, 'zya\\w*')
    expect(after.join()).not.toMatch(/zya/i)
    expect(after).toEqual([
      'BEGIN:VCARD',
      'VERSION:[X]',
      '-X-.TEL;TYPE=home,[X];X--X-=a;-X-;PREF=[X]:1',
      'X--X-;TYPE=work:b',
      'STATUS:[X]',
      'BEGIN:-X-',
      'END:-X-',
      'END:VCARD',
    ])
  })
})

test('times, zones and other settings are no text for models, and are for rules', async () => {
  const asked: string[] = []
  const model: EntityModel = {
    async find(texts) {
      asked.push(...texts)
      return texts.map(text => [{ start: 0, end: text.length, label: 'ID', score: 1 }])
    },
  }
  const lines = [
    'BEGIN:VCALENDAR',
    'X-WR-TIMEZONE:Europe/Berlin',
    'DTSTART:16011028T030000',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    'TZOFFSETFROM:+0100',
    'DTSTART;TZID=Europe/Berlin:20240315T103000',
    'DTEND;TZID="W. Europe Standard Time":20240315T103000',
    'DTSTART;VALUE=DATE:19620319',
    'REV:20240315T103000Z',
    'SUMMARY:Anna in Rome',
    'TZID:where Anna lives',
    'TZID:Anna',
    'PRODID:-//Anna Kessler//EN',
  ]
  const detection = { type: 'AIMODEL' as const, modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 }
  const rules = [{ ruleId: 'p', name: 'P', detection, replacement: { text: '[P]' } }]
  const run = (given: typeof rules) =>
    anonymise(
      call({ input: bufferInput('a.ics', Buffer.from(lines.join('\r\n'))), rules: given, models: async () => model }),
    )
  const { output } = await run(rules)
  expect(new Set(asked)).toEqual(new Set(['Anna in Rome', 'where Anna lives', 'Anna', '-//Anna Kessler//EN', 'a']))
  const made = Buffer.from(await output.read(0, output.size))
    .toString()
    .split('\r\n')
  expect(made).toEqual([...lines.slice(0, 9), 'SUMMARY:[P]', 'TZID:[P]', 'TZID:[P]', 'PRODID:[P]'])
  const own = await anonymise(
    call({ input: bufferInput('a.ics', Buffer.from(lines.join('\r\n'))), rules: [regexRule('own', '1962\\d+')] }),
  )
  expect(Buffer.from(await own.output.read(0, own.output.size)).toString()).not.toContain('19620319')
})

test('parts of names and addresses have columns, so that models know what they are', async () => {
  const asked: [string, string | undefined][] = []
  const model: EntityModel = {
    readsColumns: true,
    async find(texts, _, columns) {
      texts.forEach((text, index) => void asked.push([text, columns?.[index]?.name]))
      return texts.map(() => [])
    },
  }
  const detection = { type: 'AIMODEL' as const, modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 }
  const rules = [{ ruleId: 'p', name: 'P', detection, replacement: { text: '[P]' } }]
  const card = 'BEGIN:VCARD\r\nN:Doe;Jane;;Dr.;\r\nADR:;;Main St 1;Rome;;00153;Italy\r\nNICKNAME:Jay\r\nEND:VCARD\r\n'
  await anonymise(call({ input: bufferInput('a.vcf', Buffer.from(card)), rules, models: async () => model }))
  expect(asked.slice(0, 8)).toEqual([
    ['Doe', 'last name'],
    ['Jane', 'first name'],
    ['Dr.', undefined],
    ['Main St 1', 'address'],
    ['Rome', 'city'],
    ['00153', 'postal code'],
    ['Italy', 'city'],
    ['Jay', 'full name'],
  ])
})
