import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { EntityModel } from '../../../shared/engine/detect/entity-model.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'

const python = process.env.PYTHON ?? 'python3'
const ready = spawnSync(python, ['-c', 'import email']).status === 0
if (!ready) console.log('skipped: Python, whose reading of headers ours is held against, is not here')

type Said = { fields: Record<string, string | [string, string][]>; filename: string | null }

/** What Python's own mail package reads in messages. */
function readByPython(messages: readonly Uint8Array[]): Said[] {
  const input = JSON.stringify(messages.map(bytes => Buffer.from(bytes).toString('base64')))
  return JSON.parse(execFileSync(python, [join(import.meta.dirname, 'eml-peer.py')], { input, encoding: 'utf8' }))
}

async function clean(source: string, rules: PlannedRule[]): Promise<Buffer> {
  const input = bufferInput('x.eml', Buffer.from(source))
  const { output } = await anonymise(call({ input, rules }))
  return Buffer.from(await output.read(0, output.size))
}

const q = (text: string) =>
  `=?utf-8?Q?${text.replace(/[^\w]/gu, c => Buffer.from(c).toString('hex').replace(/../g, '=$&'))}?=`
const b = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
const zy = [regexRule('X', '\\bZ[Yy]\\w*')]
const renamed = (text: string) => [regexRule('X', '\\bZ[Yy]\\w*', { replacement: { text } })]
const message = (field: string) => `From: a@b.example\r\nDate: x\r\n${field}\r\nMIME-Version: 1.0\r\n\r\nbody\r\n`

describe('texts', () => {
  const cases: [string, string, PlannedRule[], string][] = [
    ['two encoded words side by side', `${q('Grüße')} ${q(' für')} Zya`, zy, 'Grüße für [X]'],
    ['words beyond ASCII beside each other', 'Grüße für Zya', zy, 'Grüße für [X]'],
    ['a word in base64', b('an Zya über'), zy, 'an [X] über'],
    ['a word that looks like an encoded one', 'Zya =?x', zy, '[X] =?x'],
    ['several blanks', `a  Zya ${q('ü')}   ${q('ö')}  ä`, zy, 'a  [X] üö  ä'],
    ['a replacement beyond ASCII', 'Zya für Zyb', renamed('Mäx Müller'), 'Mäx Müller für Mäx Müller'],
    [
      'a character cut over two words',
      '=?utf-8?B?w7w=?= =?utf-8?B?w7xa?= =?utf-8?B?eWE=?=',
      [regexRule('X', 'Zya')],
      'üü[X]',
    ],
    ['a long text', `${'Wörter über Wörter '.repeat(20)}Zya`, zy, `${'Wörter über Wörter '.repeat(20)}[X]`],
  ]
  test.each(cases)('%s', async (_, subject, rules, expected) => {
    const bytes = await clean(message(`Subject: ${subject}`), rules)
    expect((await PostalMime.parse(bytes)).subject).toBe(expected)
    for (const line of bytes.toString('latin1').split('\r\n')) expect(line.length).toBeLessThanOrEqual(78)
    if (ready) expect(readByPython([bytes])[0]!.fields.subject).toBe(expected)
  })
})

test('encoded words that readers differ over are written anew', async () => {
  const fields =
    'Subject: Re: =?utf-7?Q?Fr+APY-sche?=\r\nCc: "Jo" <j@b.example>, =?iso-8859-1?Q?J\xf6rg?= <Zyi@b.example>'
  const input = bufferInput('x.eml', Buffer.from(message(fields), 'latin1'))
  const { output } = await anonymise(call({ input, rules: zy }))
  const bytes = Buffer.from(await output.read(0, output.size))
  expect(bytes.toString('latin1')).toContain('Cc: "Jo" <j@b.example>, =?UTF-8?B?')
  const { subject, cc } = await PostalMime.parse(bytes)
  expect(bytes.toString('latin1')).toContain('<[X]@b.example>')
  expect(subject).toBe('Re: Frösche')
  expect(cc?.map(({ name }) => name)).toEqual(['Jo', 'Jörg'])
})

test.each(['iso-8859-1', 'iso-8859-15', 'windows-1252'])(
  'what is called %s and is UTF-8 is read as that',
  async set => {
    const name = 'Jörg Müßiggang'
    const word = (text: string) => b(text).replace('utf-8', set)
    const source = message(
      `Subject: ${word(`für ${name}`)}\r\nCc: ${word(name)} <j@b.example>, ${word('Grün')} <k@b.example>\r\nContent-Type: text/plain; charset=${set}`,
    ).replace('body', `schöne Grüße, ${name}`)
    const bytes = await clean(source, [regexRule('X', name)])
    const { subject, cc, text } = await PostalMime.parse(bytes)
    expect([subject, cc?.map(({ name }) => name), text?.trim()]).toEqual([
      'für [X]',
      ['[X]', 'Grün'],
      'schöne Grüße, [X]',
    ])
  },
)

test.each([
  ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
  ['gb2312', 'c4e3bac3', '你好'],
  ['us-ascii', '4af67267', 'Jörg'],
])('bytes in a header are read in the set of the body: %s', async (set, hex, text) => {
  const bytes = Buffer.from(hex, 'hex').toString('latin1')
  const fields = `Subject: ${bytes} Zya\r\nCc: "${bytes}" <j@b.example>\r\nComments: ${bytes}\r\nContent-Type: text/plain;\r\n charset=${set}; name="${bytes}.txt"`
  const input = bufferInput('x.eml', Buffer.from(message(fields), 'latin1'))
  const { output } = await anonymise(call({ input, rules: zy }))
  const written = Buffer.from(await output.read(0, output.size))
  expect(written.toString('latin1')).not.toMatch(/[\x80-\xff]/)
  const { subject, cc, headers } = await PostalMime.parse(written)
  expect([subject, cc?.[0]?.name]).toEqual([`${text} [X]`, text])
  expect(headers.map(({ key }) => key)).toContain('comments')
  expect(written.toString()).toContain(`name*=UTF-8''${encodeURIComponent(text)}.txt`)
})

test.each([
  ['windows-1251', 'Жуков Пётр, Москва'],
  ['windows-1250', 'Wiśniewska Łucja, Łódź'],
])('bytes in a header of which nobody says the set are told by their letters: %s', async (set, text) => {
  const fields = `Subject: ${iconv.encode(text, set).toString('latin1')}`
  const input = bufferInput('x.eml', Buffer.from(message(fields), 'latin1'))
  const { output } = await anonymise(call({ input, rules: [regexRule('X', 'Жуков|Wiśniewska')] }))
  const { subject } = await PostalMime.parse(Buffer.from(await output.read(0, output.size)))
  expect(subject).toBe(text.replace(/Жуков|Wiśniewska/, '[X]'))
})

describe('names and addresses', () => {
  const cases: [string, string, PlannedRule[], [string, string][]][] = [
    [
      'a name in base64',
      `${b('Zyörg Müller')} <j@n.example>`,
      [regexRule('X', 'Zyörg')],
      [['[X] Müller', 'j@n.example']],
    ],
    [
      'a name in two words',
      `${q('Zyörg')} ${q(' Müller')} <j@n.example>`,
      [regexRule('X', 'Zyörg Müller')],
      [['[X]', 'j@n.example']],
    ],
    [
      'a name beyond ASCII that stays',
      `${q('Jörg Müller')} <zya@n.example>`,
      [regexRule('X', 'zya', { replacement: { text: 'x' } })],
      [['Jörg Müller', 'x@n.example']],
    ],
    [
      'a name in quotes with a comma',
      '"Müller, Zya" <j@n.example>, Bo <b@n.example>',
      zy,
      [
        ['Müller, [X]', 'j@n.example'],
        ['Bo', 'b@n.example'],
      ],
    ],
    ['an encoded word in quotes', `"${q('Zyörg')}" <j@n.example>`, [regexRule('X', 'Zyörg')], [['[X]', 'j@n.example']]],
    ['a quoted quote', '"Al \\"Zya\\" B" <j@n.example>', zy, [['Al "[X]" B', 'j@n.example']]],
    [
      'a replacement with marks of the syntax',
      'Zya B <j@n.example>',
      renamed('A, "B" <c>;'),
      [['A, "B" <c>; B', 'j@n.example']],
    ],
    ['a replacement beyond ASCII', '"Zya B" <j@n.example>', renamed('Jörg'), [['Jörg B', 'j@n.example']]],
    [
      'a comment',
      'j@n.example (Zya für), Bo <b@n.example>',
      zy,
      [
        ['[X] für', 'j@n.example'],
        ['Bo', 'b@n.example'],
      ],
    ],
    [
      'blanks and folds in addresses',
      'j @ zya.example, Bo <zyb@\r\n zyc.example>',
      [regexRule('X', '\\w+@zy\\w\\.example', { replacement: { text: 'x@y.example' } })],
      [
        ['', 'x@y.example'],
        ['Bo', 'x@y.example'],
      ],
    ],
    [
      'a group',
      'Zyteam: a@n.example, "B, C" <b@n.example>;',
      zy,
      [
        ['', 'a@n.example'],
        ['B, C', 'b@n.example'],
      ],
    ],
    [
      'a folded field',
      '"Zya\r\n B" <j@n.example>,\r\n\tBo <b@n.example>',
      zy,
      [
        ['[X] B', 'j@n.example'],
        ['Bo', 'b@n.example'],
      ],
    ],
  ]
  test.each(cases)('%s', async (_, to, rules, expected) => {
    const bytes = await clean(message(`To: ${to}`), rules)
    const read = (await PostalMime.parse(bytes)).to!.flatMap(one => ('group' in one && one.group) || [one])
    expect(read.map(({ name, address }) => [name, address])).toEqual(expected)
    expect(bytes.toString('latin1').toLowerCase()).not.toContain('zy')
    if (ready) expect(readByPython([bytes])[0]!.fields.to).toEqual(expected)
  })
})

describe('names of files', () => {
  const cases: [string, string, string][] = [
    ['in two forms of which one hides a value', `attachment; filename="Zyb.txt"; filename*=utf-8''doc.txt`, 'doc.txt'],
    ['without quotes', 'attachment; filename=my Zya für.txt', 'my [X] für.txt'],
    ['in continuations', `attachment; filename*0*=utf-8''Zy%C3; filename*1*=%BCa; filename*2=".txt"`, '[X].txt'],
    ['as an encoded word', `attachment; filename="${q('Zyä für.txt')}"`, '[X] für.txt'],
    ['beside a comment', 'attachment (Zya); filename=a.txt', 'a.txt'],
    ['that look like a name with their endings', 'attachment; filename="a Zya.Zyb.CSV"', 'a [X].CSV'],
  ]
  test.each(cases)('%s', async (_, disposition, expected) => {
    const rules = [regexRule('X', '(?<![\\p{L}])Z[Yy][\\p{L}]*(?:\\.Zyb(?:\\.CSV)?)?')]
    const bytes = await clean(
      message(`Content-Type: text/plain; name="Zyc.txt"\r\nContent-Disposition: ${disposition}`),
      rules,
    )
    expect(bytes.toString('latin1')).not.toMatch(/Zy/)
    if (ready) expect(readByPython([bytes])[0]!.filename).toBe(expected)
    expect((await PostalMime.parse(bytes)).attachments[0]!.filename).toBe(expected)
  })
})

const unicode = fc.string({ unit: 'grapheme', maxLength: 30 })
const shown = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

test.skipIf(!ready)('whatever a subject and a name say, readers see exactly what is left of it', async () => {
  const samples = fc.sample(fc.tuple(unicode, unicode, unicode), { numRuns: 150, seed: 7 })
  const made = samples.map(([left, right, label]) => ({
    text: shown(`${left} Zyvalue ${right}`),
    label: shown(label) || '[X]',
  }))
  const outputs: Buffer[] = []
  for (const { text, label } of made) {
    const rules = [regexRule('X', 'Zyvalue', { replacement: { text: label } })]
    outputs.push(await clean(message(`Subject: ${b(text)}\r\nTo: ${b(text)} <j@n.example>`), rules))
  }
  const read = readByPython(outputs)
  for (const [index, { text, label }] of made.entries()) {
    const expected = shown(text.replaceAll('Zyvalue', () => label))
    const { subject, to } = read[index]!.fields
    expect(shown(subject as string)).toBe(expected)
    expect(shown(to![0]![0]!)).toBe(expected)
    expect(shown((await PostalMime.parse(outputs[index]!)).subject!)).toBe(expected)
  }
})

test('a field of MIME that comes again, perhaps with another name of a file, is dropped and told of', async () => {
  const again =
    'Content-Type: text/plain\r\nContent-Type: text/plain; name="Jane.txt"\r\nContent-Disposition: inline\r\n'
  const input = bufferInput('x.eml', Buffer.from(message(`${again}Content-Disposition: attachment; filename=Jane.txt`)))
  const { output, report } = await anonymise(call({ input, rules: zy }))
  const text = Buffer.from(await output.read(0, output.size)).toString('latin1')
  expect(text).not.toContain('Jane')
  expect(text).toContain('Content-Type: text/plain\r\nContent-Disposition: inline\r\n')
  expect(report.dropped).toEqual([{ what: 'repeated headers', count: 2 }])
})

describe('a line of a header that is no field', () => {
  const stray = (line: string) => `From: Zyan <a@b.example>\r\n${line}Subject: Zyan writes\r\n\r\nHello Zyan\r\n`

  test('is dropped with what continues it, and told of; other readers see every field', async () => {
    const input = bufferInput('x.eml', Buffer.from(stray('quite Delivered-To: zyan\r\n and Zyx\r\n')))
    const { output, report } = await anonymise(call({ input, rules: zy }))
    const text = Buffer.from(await output.read(0, output.size))
    expect(report.dropped).toContainEqual({ what: 'lines of a header that are no field', count: 1 })
    expect(text.toString()).not.toMatch(/quite|zy/i)
    const { subject, from } = await PostalMime.parse(text)
    expect([subject, from?.name]).toEqual(['[X] writes', '[X]'])
    if (ready) expect(readByPython([text])[0]!.fields.subject).toBe('[X] writes')
  })

  test.each([
    ['with no field after it', 'Hello Zyan\r\n', 'Hello [X]\n'],
    ['twice in a row', 'one Zyan\r\nanother line\r\nNote: Zyx\r\n', 'one [X]\nanother line\nNote: [X]\n'],
    ['behind a line of blanks', ' \r\nHello Zyan\r\n', 'Hello [X]\n'],
  ])('begins the body %s', async (_, lines, expected) => {
    const bytes = await clean(`From: a@b.example\r\nSubject: x\r\n${lines}\r\nrest`, zy)
    expect(bytes.toString()).not.toMatch(/^ /m)
    const { subject, text } = await PostalMime.parse(bytes)
    expect(subject).toBe('x')
    expect(text).toContain(`${expected}\nrest`)
  })

  test('fails the message where others could say what the body is', async () => {
    const source = stray('one line\r\nanother line\r\nContent-Transfer-Encoding: base64\r\n')
    await expect(clean(source, zy)).rejects.toMatchObject({ type: 'corrupt_file' })
  })
})

describe('what the fields of parts say', () => {
  const clean = async (pattern: string, ...fields: string[]) => {
    const rules = [regexRule('X', pattern, { flags: 'i' })]
    const source = ['From: a@b.example', 'To: c@d.example', ...fields, '', 'A note', ''].join('\r\n')
    const { output } = await anonymise(call({ input: bufferInput('x.eml', Buffer.from(source)), rules }))
    return Buffer.from(await output.read(0, output.size)).toString()
  }

  test.each([
    ['a kind of content', 'Content-Type: text/x-zyanne', 'Content-Type: text/x-unknown'],
    ['the same of a file', 'Content-Type: application/x-zyanne', 'Content-Type: application/octet-stream'],
    ['a kind of report', 'Content-Type: text/plain; report-type=zyanne', 'Content-Type: text/plain'],
    ['a method', 'Content-Type: text/calendar; method=zyanne', 'Content-Type: text/calendar'],
    ['a type', 'Content-Type: text/plain; type="a/zyanne"', 'Content-Type: text/plain'],
    [
      'a set of characters',
      'Content-Type: text/plain; charset=zyanne',
      'Content-Type: text/plain;\r\n\tcharset="utf-8"',
    ],
    [
      'a disposition',
      'Content-Disposition: zyanne; filename=a.txt',
      'Content-Disposition: attachment;\r\n\tfilename="a.txt"',
    ],
  ])('%s that somebody made up goes', async (_, field, expected) => {
    const written = await clean('zyanne', 'MIME-Version: 1.0', field)
    expect(written).not.toMatch(/zyanne/i)
    expect(written).toContain(`\r\n${expected}\r\n`)
    expect(written).toContain('A note')
  })

  test('stays where nothing of it is replaced', async () => {
    const field = 'Content-Type: text/x-zyanne; report-type=feedback-report; method=REQUEST; type="text/html"'
    expect(await clean('nobody', field)).toContain(field)
  })

  test.each('plain delivery report status type flowed format utf name inline filename'.split(' '))(
    '%s is a word of the format, and no text',
    async word => {
      const fields = [
        'Content-Type: text/plain; charset=utf-8; format=flowed; report-type=delivery-status; name="a.txt"',
        'Content-Disposition: inline; filename="a.txt"',
      ]
      const written = await clean(word, `Subject: the ${word} of it`, ...fields)
      expect(written).toContain('Subject: the [X] of it')
      for (const field of fields) expect(written).toContain(field)
    },
  )
})

test('names beside addresses are persons by their place, and are known in the whole message', async () => {
  const model: EntityModel = {
    anyText: true,
    readsColumns: true,
    find: async (texts, _, columns) =>
      texts.map((text, index) =>
        columns?.[index]?.name === 'full name' ? [{ label: 'PERSON', start: 0, end: text.length, score: 0.8 }] : [],
      ),
  }
  const detection = { type: 'AIMODEL' as const, modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 }
  const rules = [{ ruleId: 'p', name: 'P', detection, replacement: { text: '[P]' } }]
  const lines = [
    `From: ${q('Jörg Müßiggang')} <a@b.example>`,
    'To: c@d.example (Wilbur Oxley)',
    'Cc: "Strobel, Volkmar" <e@f.example>',
    'Subject: Files of Strobel',
    '',
    'Volkmar, Oxley and Jörg Müßiggang agree.',
    '',
  ]
  const input = bufferInput('x.eml', Buffer.from(lines.join('\r\n')))
  const { output, findings } = await anonymise(call({ input, rules, models: async () => model }))
  const { from, to, cc, subject, text } = await PostalMime.parse(await output.read(0, output.size))
  expect([from?.name, to?.[0]?.name, cc?.[0]?.name, subject]).toEqual(['[P]', '[P]', '[P]', 'Files of [P]'])
  expect([text?.trim(), findings[0]?.count]).toEqual(['[P], [P] and [P] agree.', 7])
})

describe('the date of a message', () => {
  const sent = 'Mon, 12 May 2025 09:14:03 +0200'
  const cases: [string, string, string, string | undefined][] = [
    ['that no rule touches stays', sent, 'Zya', sent],
    ['goes where it is none any more', sent, '12 May 2025', undefined],
    ['stays one where it is moved, on its day of the week', sent, '(?<=1)2(?= May)', 'Thu, 15 May 2025 09:14:03 +0200'],
    ['that was none is a text like any other', 'on Zya morning', 'Zya', 'on 5 morning'],
  ]
  test.each(cases)('%s', async (_, field, pattern, wanted) => {
    const rules = [regexRule('D', pattern, { replacement: { text: '5' } })]
    const source = `From: a@b.example\r\nDate: ${field}\r\nSubject: x\r\n\r\nbody\r\n`
    const { output, report, findings } = await anonymise(
      call({ input: bufferInput('x.eml', Buffer.from(source)), rules }),
    )
    const written = Buffer.from(await output.read(0, output.size)).toString()
    expect(/^Date: (.*)\r$/m.exec(written)?.[1]).toBe(wanted)
    expect(report.dropped).toEqual(wanted === undefined ? [{ what: 'dates of messages', count: 1 }] : [])
    expect(findings[0]?.count).toBe(wanted === sent ? 0 : 1)
  })
})
