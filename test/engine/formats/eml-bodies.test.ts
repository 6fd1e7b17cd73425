import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import PostalMime from 'postal-mime'
import { afterAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

const head = 'From: a@example.com\r\nTo: b@example.com\r\nSubject: c\r\nMIME-Version: 1.0\r\n'

const removed = regexRule('Removed', 'Qgone', { replacement: { remove: {} } })

async function clean(source: string | Buffer, pattern = 'Zya\\sB|Zy\\w+') {
  const input = bufferInput('x.eml', Buffer.from(source as string, 'latin1'))
  const { output, report } = await anonymise(call({ input, rules: [regexRule('X', pattern), removed] }))
  const bytes = Buffer.from(await output.read(0, output.size))
  return { text: bytes.toString('latin1'), mail: await PostalMime.parse(bytes), report }
}

test.each([
  ['application/octet-stream', 'list.yaml', 'Zya: 1\r\n', '<PERSON>: 1'],
  ['application/octet-stream', '', 'Zya wrote\r\n', '<PERSON> wrote'],
])(
  'a file of %s, called "%s", is the same kind when its first word is replaced',
  async (type, name, content, wanted) => {
    const part = `--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${content}`
    const source = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part}\r\n--b--\r\n`
    const rules = [regexRule('X', 'Zya', { replacement: { text: '<PERSON>' } })]
    const { output } = await anonymise(call({ input: bufferInput('x.eml', Buffer.from(source)), rules }))
    const { attachments } = await PostalMime.parse(await output.read(0, output.size))
    const said = attachments.map(({ content }) =>
      Buffer.from(content as ArrayBuffer)
        .toString()
        .trim(),
    )
    expect(said).toEqual([wanted])
  },
)

describe('flowed text', () => {
  const wrapped = (word: string, extra = '') => `${word.repeat(7)}${extra}\r\n${word.repeat(2)}`
  const body = (text: string, more = '') => `${head}Content-Type: text/plain; format=flowed${more}\r\n\r\n${text}`
  const cases: [string, string, string, string][] = [
    ['a soft break', 'Dear Zya \r\nB and\r\nall\r\n', '', 'Dear [X] and\r\nall\r\n'],
    ['a soft break that is cut out', 'Dear Zy \r\na B\r\n', '; delsp=yes', 'Dear [X]\r\n'],
    ['a quotation', '> Dear Zya \r\n> B and\r\n', '', '> Dear [X] and\r\n'],
    ['another depth', '> Dear Zya \r\nB and\r\n', '', '> Dear [X]\r\nB and\r\n'],
    ['a hard break', 'Dear Zya\r\nB and\r\nall\r\n', '', 'Dear [X] and\r\nall\r\n'],
    [
      'a hard break in a quotation',
      '> in\r\n> Dear Zya\r\n> B and\r\n> on\r\n',
      '',
      '> in\r\n> Dear [X] and\r\n> on\r\n',
    ],
    ['two hard breaks', 'Zya\r\nB, Zya\r\nB and Zyc\r\nall\r\n', '', '[X], [X] and [X]\r\nall\r\n'],
    ['an empty line', 'Dear Zya\r\n\r\nB and\r\n', '', 'Dear [X]\r\n\r\nB and\r\n'],
    ['a signature', 'Dear\r\n-- \r\nZya\r\n', '', 'Dear\r\n-- \r\n[X]\r\n'],
    ['an end behind a blank', 'Dear Qgone\r\nnext\r\n', '', 'Dear\r\nnext\r\n'],
    ['a soft break behind a value at the end', 'x \r\nQgone\r\nnext\r\n', '', 'x\r\nnext\r\n'],
    ['a sign of quoting behind a value', '> Qgone> see\r\n', '', '> > see\r\n'],
    ['a blank behind a value', 'Qgone see\r\n', '', '  see\r\n'],
    ['a long paragraph', `${'ten chars '.repeat(9)}\r\nZya\r\n`, '', `${wrapped('ten chars ')}[X]\r\n`],
    [
      'the same without its blanks',
      `${'ten chars '.repeat(9)} \r\nZya\r\n`,
      '; delsp=yes',
      `${wrapped('ten chars ', ' ')}[X]\r\n`,
    ],
    ['a paragraph without blanks', `${'x'.repeat(99)}Zya\r\n`, '', `${'x'.repeat(99)}[X]\r\n`],
  ]
  test.each(cases)('%s', async (_, text, more, expected) => {
    const { text: written } = await clean(body(text, more), expected.includes('\r\nB') ? 'Zya' : undefined)
    expect(written.slice(written.indexOf('\r\n\r\n') + 4)).toBe(expected)
  })
})

describe('bodies of unusual kinds', () => {
  test.each([
    ['8-bit', '8bit'],
    ['7-Bit', '7bit'],
    ['7bits;', '7bit'],
    ['', '7bit'],
    ['(none)', '7bit'],
    ['text/html', '8bit'],
    ['"Quoted-Printable"', 'quoted-printable'],
    ['quoted printable', 'quoted-printable'],
    ['quoted-printable; charset=utf-8', 'quoted-printable'],
  ])('a body in "%s" is read as clients do', async (said, encoding) => {
    const body = encoding === 'quoted-printable' ? 'Dear =5Aya=20B and\r\n' : 'Dear Zya B and\r\n'
    const { mail, text } = await clean(`${head}Content-Transfer-Encoding: ${said}\r\n\r\n${body}`)
    expect(mail.text).toBe('Dear [X] and\n')
    expect(text).toContain(`Content-Transfer-Encoding: ${encoding}\r\n`)
  })

  test.each(['"base64"', 'base-64', 'Base64;'])('a body in %s is decoded', async said => {
    const { mail, text } = await clean(`${head}Content-Transfer-Encoding: ${said}\r\n\r\nRGVhciBaeWEgQgo=\r\n`)
    expect(mail.text).toBe('Dear [X]\n')
    expect(text).toContain('Content-Transfer-Encoding: base64\r\n')
  })

  test.each([
    ['in two pieces', 'RGVhciBaeWEgQgo=\r\nYW5kIFp5Yg==\r\n', 'Dear [X]\nand [X]', 0],
    [
      'with lines of a mailing list behind it',
      'RGVhciBaeWEgQiBhbmQ=\r\n\r\n-- \r\nZy runs this\r\n',
      'Dear [X] and',
      1,
    ],
    ['the same without a padding', 'RGVhciBaeWEgQg==\r\nYW5k\r\n____\r\nZy runs this\r\n', 'Dear [X]and', 1],
  ])('base64 %s', async (_, body, expected, asides) => {
    const { mail, text, report } = await clean(`${head}Content-Transfer-Encoding: base64\r\n\r\n${body}`)
    expect(mail.text).toBe(expected)
    expect(text).not.toContain('Zy')
    expect(report.dropped).toEqual(asides > 0 ? [{ what: 'preambles and epilogues', count: asides }] : [])
  })

  test('HTML that alone says its character set is read in it', async () => {
    const page = '<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2 Zya'
    const { mail, text } = await clean(`${head}Content-Type: text/html\r\n\r\n${page}\r\n`)
    expect(text).toContain('charset="utf-8"')
    expect(mail.html).toContain('Привет [X]')
  })

  test.each([
    ['behind a byte order mark', '\xef\xbb\xbf', '\r\n'],
    ['behind blank lines', '\r\n \r\n', '\r\n'],
    ['whose lines end as on old Macs', '', '\r'],
  ])('a message is read %s', async (_, before, eol) => {
    const source = `${before}${head}Content-Transfer-Encoding: base64\r\n\r\nRGVhciBaeWEgQgo=\r\n`
    const { mail, text } = await clean(source.replaceAll('\r\n', eol))
    expect(text).toMatch(/^From: a/)
    expect([mail.subject, mail.text]).toEqual(['c', 'Dear [X]\n'])
  })

  test('a part without a header keeps the ends of its lines', async () => {
    const type = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'
    const { text } = await clean(`${head}${type}--b\r\nDear Zya\r\n\u00e9\r\n--b--\r\n`)
    expect(text).toMatch(/Dear \[X\]\r\n/)
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  test('the line in front of a message in a mailbox is left out and counted', async () => {
    const { text, report } = await clean(`From zya@x.org Sat Jan  3 01:05:34 2015\r\n${head}\r\nDear Zyb\r\n`)
    expect(text).not.toMatch(/^From /)
    expect(text).toContain('Dear [X]')
    expect(report.dropped).toEqual([{ what: 'transport headers', count: 1 }])
  })

  test('a boundary may be said with a blank at its end', async () => {
    const parts = '--b\r\n\r\nseen\r\n--b--\r\n'
    const blank = await clean(`${head}Content-Type: multipart/mixed; boundary="b "\r\n\r\n${parts}`)
    expect(blank.mail.text).toBe('seen\n')
  })

  test.each(['', '; boundary=c', '; boundary=""'])('parts that nobody can tell are a text, with %j', async boundary => {
    const type = `Content-Type: multipart/mixed${boundary}\r\n\r\n`
    const { text, mail, report } = await clean(`${head}${type}Dear Zya,\r\n\r\n-- \r\nZyb\r\n`)
    expect(mail.text).toBe('Dear [X],\n\n-- \n[X]\n')
    expect(text).toContain('Content-Type: text/plain')
    expect(report.dropped).toEqual([])
    const part = '--b\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\nWnlh\r\n--b--\r\n'
    await expect(clean(`${head}${type}${part}`)).rejects.toThrow('no boundary')
  })

  test('a body in an encoding that a program made up is left out', async () => {
    const part = 'Content-Transfer-Encoding: x-gzip64\r\n\r\nWnlhIEI=\r\n'
    const { text, report } = await clean(
      `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nseen\r\n--b\r\n${part}--b--\r\n`,
    )
    expect(text).not.toContain('WnlhIEI=')
    expect(report.dropped).toEqual([{ what: 'attachments', count: 1 }])
  })

  test('a report of delivery stays readable', async () => {
    const report = 'Reporting-MTA: dns; Zymachine\r\n\r\nFinal-Recipient: rfc822; x\r\n'
    const { text } = await clean(`${head}Content-Type: message/delivery-status\r\n\r\n${report}`)
    expect(text).toContain('Reporting-MTA: dns; [X]\r\n\r\nFinal-Recipient: rfc822; x')
    expect(text).not.toContain('base64')
  })

  test.each([
    ['windows-1251', '', 'Меня зовут Жуков, живу в Москве.', 'Жуков'],
    ['windows-1250', '; charset=us-ascii', 'Nazywam się Wiśniewska, mieszkam w Łodzi.', 'Wiśniewska'],
    ['windows-1253', '; charset=utf-8', 'Ονομάζομαι Παπαδόπουλος και μένω εδώ.', 'Παπαδόπουλος'],
    ['shift_jis', '', '山田太郎さんの電話番号はひみつです。', '山田太郎'],
    ['windows-1252', '', 'Ich heiße Müller und wohne in Köln.', 'Müller'],
  ])('a text in %s that says of no set, or a wrong one, is read%s', async (set, said, body, name) => {
    const source = [Buffer.from(`${head}Content-Type: text/plain${said}\r\n\r\n`), iconv.encode(`${body}\r\n`, set)]
    const { mail } = await clean(Buffer.concat(source), name)
    expect(mail.text).toBe(`${body.replace(name, '[X]')}\n`)
  })

  test('a text that says of no set is read in it, whatever byte the set lacks', async () => {
    const body = iconv.encode('Меня зовут Жуков, живу в Москве.\r\n'.repeat(3), 'windows-1251')
    const source = Buffer.concat([Buffer.from(`${head}\r\n`), body, Buffer.from('\x98\r\n', 'latin1')])
    expect((await clean(source, 'Жуков')).mail.text).toContain('зовут [X], живу')
  })

  test('Japanese that says of no character set is read', async () => {
    const { text } = await clean(`${head}\r\n\x1b$BEl5~\x1b(B and Zya\r\n`, '東京')
    expect(text).toContain('charset="utf-8"')
    expect(text).toMatch(/\r\n\[X\] and Zya\r\n$/)
  })

  test.each([
    ['a sign for what could not be read', 'utf-8', 'Zya \xef\xbf\xbd \xc3\xa9', '[X] \ufffd é'],
    ['a byte that is none of its set', 'utf-8', 'Zya \xe9 \xc3\xa9', '[X] é é'],
    ['a byte beyond ASCII', 'us-ascii', 'Zya \x93', '[X] “'],
    ['UTF-8 in a set that nobody knows', 'x-unknown', 'Zya \xc3\xa9', '[X] é'],
    ['a sign of Windows in a set without it', 'iso-8859-1', 'Zya \x93\x80', '[X] “€'],
    ['another set that is a part of one', 'iso-8859-9', 'Zya \x93\xf0', '[X] “ğ'],
  ])('a body keeps %s', async (_, charset, body, expected) => {
    const { mail } = await clean(`${head}Content-Type: text/plain; charset=${charset}\r\n\r\n${body}\r\n`)
    expect(mail.text?.trim()).toBe(expected)
  })

  const file = 'begin 644 Zyfile.txt\r\n#6GEA\r\n`\r\nend\r\n'
  const yenc = '=ybegin line=128 size=9 name=Zy.bin\r\n\x84\xa3Zya\x8b=}\x2a\r\n=yend size=9 crc32=ded29f4f\r\n'
  const binhex = `(This file must be converted with BinHex 4.0)\r\n\r\n:$f*TEQKPH#jdH3${'a'.repeat(40)}\r\n!N!3"e3!!!3!!!!:\r\n`
  test.each([
    ['in uuencode', `Dear Zya B\r\n${file}bye\r\n`, 'Dear [X]\r\nbye\r\n', 1],
    ['in uuencode twice', `${file}\r\n${file}`, '\r\n', 2],
    ['in uuencode, cut off', `Dear Zya B\r\n${file.slice(0, -5)}`, 'Dear [X]\r\n', 1],
    ['that is none', 'begin 644 times\r\nwith Zya B\r\nend\r\n', 'begin 644 times\r\nwith [X]\r\nend\r\n', 0],
    ['in yEnc', `Dear Zya B\r\n${yenc}bye\r\n`, 'Dear [X]\r\nbye\r\n', 1],
    ['in yEnc that is cut off', `Dear Zya B\r\n${yenc.slice(0, -9)}`, 'Dear [X]\r\n', 1],
    ['in BinHex', `Dear Zya B\r\n${binhex}bye\r\n`, 'Dear [X]\r\nbye\r\n', 1],
    [
      'of which only the note is there',
      'Zya B\r\n(This file must be converted with BinHex 4.0)\r\n',
      '[X]\r\n(This file must be converted with BinHex 4.0)\r\n',
      0,
    ],
  ])('a file %s', async (_, body, expected, count) => {
    const { text, report } = await clean(`${head}\r\n${body}`)
    expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe(expected)
    expect(report.dropped).toEqual(count > 0 ? [{ what: 'attachments', count }] : [])
  })

  test('what stands around the parts of a message is counted', async () => {
    const parts = '--b\r\n\r\nseen\r\n--b--\r\n'
    const type = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'
    const around = await clean(`${head}${type}A message in Zy parts\r\n${parts}Zyend\r\n`)
    expect(around.text).not.toContain('Zy')
    expect(around.report.dropped).toEqual([{ what: 'preambles and epilogues', count: 2 }])
    expect((await clean(`${head}${type}\r\n${parts}\r\n`)).report.dropped).toEqual([])
  })

  test('a part of a digest that says no type is a message', async () => {
    const inner = 'Received: by zz\r\nSubject: Zya\r\nContent-Transfer-Encoding: base64\r\n\r\nRGVhciBaeWEgQgo=\r\n'
    const parts = `--b\r\n\r\n${inner}\r\n--b--\r\n`
    const { text, report } = await clean(`${head}Content-Type: multipart/digest; boundary=b\r\n\r\n${parts}`)
    expect(text).toMatch(/\r\n\r\nSubject: \[X\]\r\n[\s\S]*\r\n\r\nRGVhciBbWF0K\r\n/)
    expect(report.dropped).toEqual([{ what: 'transport headers', count: 1 }])
  })

  test('keys and signatures of OpenPGP are left out', async () => {
    const key = '-----BEGIN PGP PUBLIC KEY BLOCK-----\r\n\r\nWnlhIEI=\r\n-----END PGP PUBLIC KEY BLOCK-----\r\n'
    const parts = `--b\r\n\r\nseen\r\n--b\r\nContent-Type: application/pgp-keys\r\n\r\n${key}\r\n--b--\r\n`
    const { text, report } = await clean(`${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`)
    expect(text).not.toContain('WnlhIEI=')
    expect(report.dropped).toEqual([{ what: 'attachments', count: 1 }])
  })

  const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
  const returned = `Received: from zymachine\r\nFrom: ${encoded('Zya B')} <x@y.example>\r\nSubject: ${encoded('Zyb')}\r\n`
  test.each([
    ['in plain text', '', returned],
    ['in quoted-printable', 'Content-Transfer-Encoding: quoted-printable\r\n', returned.replaceAll('=', '=3D')],
    ['in base64', 'Content-Transfer-Encoding: base64\r\n', Buffer.from(returned).toString('base64')],
  ])('the header of a message that was returned is read as one, %s', async (_, encoding, body) => {
    const parts = `--b\r\n\r\nseen\r\n--b\r\nContent-Type: text/rfc822-headers\r\n${encoding}\r\n${body}\r\n--b--\r\n`
    const { mail, report } = await clean(`${head}Content-Type: multipart/report; boundary=b\r\n\r\n${parts}`)
    const text = [mail.text, ...mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer))].join('\n')
    expect(text).toContain('From: "[X]" <x@y.example>')
    expect(text).toContain('Subject: [X]')
    expect(text).not.toMatch(/Received|utf-8/)
    expect(report.dropped).toEqual([{ what: 'transport headers', count: 1 }])
  })

  const piece = `Content-Type: message/partial; id="a"; number=2; total=3\r\n\r\n${Buffer.from('xx Zya B').toString('base64').slice(1)}`
  test('a piece of a message is refused, since it may begin within an encoded line', async () => {
    await expect(clean(`${head}${piece}`)).rejects.toMatchObject({
      type: 'unsupported_format',
      message: expect.stringContaining('piece'),
    })
  })
  test('and left out and reported beside others', async () => {
    const parts = `--b\r\n\r\nDear Zya B\r\n--b\r\n${piece}\r\n--b--\r\n`
    const { text, mail, report } = await clean(`${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`)
    expect(mail.text).toBe('Dear [X]\n')
    expect(text).not.toContain('partial')
    expect(report.dropped).toEqual([{ what: 'attachments', count: 1 }])
  })
})

describe('parts', () => {
  const mixed = (boundary: string, ...parts: string[]) =>
    `${head}Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n${parts.map(part => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`

  test('have boundaries that tell nothing and stand in no part', async () => {
    const { text, mail } = await clean(mixed('Zyboundary', 'Content-Type: text/plain\r\n\r\n=_part_0 hello'))
    expect(text).not.toContain('Zy')
    expect(mail.text).toBe('=_part_0 hello\n')
  })

  test('in an encoding that nobody knows are left out', async () => {
    const { text, report } = await clean(mixed('b', '\r\nhello', 'Content-Transfer-Encoding: x-secret\r\n\r\nZya'))
    expect(text).not.toContain('Zya')
    expect(report.dropped).toEqual([{ what: 'attachments', count: 1 }])
  })

  test('behind one that is left out are verified as the parts that they become', async () => {
    const secret = 'Content-Transfer-Encoding: x-secret\r\n\r\nZya'
    const inner = `Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n${secret}\r\n--c\r\n\r\nZyc here\r\n--c--\r\n`
    const { text, report } = await clean(mixed('b', secret, '\r\nhello Zyb', inner))
    expect(text).not.toContain('Zy')
    expect(text).toContain('here')
    expect(report.dropped).toEqual([{ what: 'attachments', count: 2 }])
  })

  test('keep no word beside what fields of the format may say', async () => {
    const { text } = await clean(
      `${head.replace('1.0', '1.0 (Zyprogram)')}Importance: Zyhigh\r\nX-Priority: 1 (Highest)\r\nContent-Transfer-Encoding: 7bit (Zyremark)\r\n\r\nhello`,
    )
    expect(text).not.toContain('Zy')
    expect(text).toContain('MIME-Version: 1.0\r\nX-Priority: 1 (Highest)\r\nContent-Transfer-Encoding: 7bit\r\n')
  })
})

const program = process.env.OPENSSL ?? 'openssl'
const openssl = spawnSync(program, ['version']).status === 0
if (!openssl) console.log('skipped: openssl, which signs messages, is not here')

describe.skipIf(!openssl)('S/MIME', () => {
  const folder = mkdtempSync(join(tmpdir(), 'smime-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const run = (...args: string[]) => execFileSync(program, args, { cwd: folder, stdio: 'pipe' })
  const make = (...way: string[]) => {
    run(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'k',
      '-out',
      'c',
      '-subj',
      '/CN=Zysigner',
      '-days',
      '2',
    )
    writeFileSync(join(folder, 'in'), 'Content-Type: text/plain; charset=utf-8\r\n\r\nDear Zya B,\r\nhello\r\n')
    const from = ['-from', 'a@example.com', '-to', 'b@example.com', '-subject', 'c']
    run('cms', ...way, '-in', 'in', '-out', 'out', ...from)
    return readFileSync(join(folder, 'out'))
  }

  test.each([
    ['a wrapped signature', ['-sign', '-nodetach', '-signer', 'c', '-inkey', 'k']],
    ['one in pieces', ['-sign', '-nodetach', '-stream', '-signer', 'c', '-inkey', 'k']],
    ['one beside the text', ['-sign', '-signer', 'c', '-inkey', 'k']],
  ])('%s is read and goes', async (_, way) => {
    const { mail, text, report } = await clean(make(...way))
    expect(mail.text?.trim()).toBe('Dear [X],\nhello')
    expect(mail.from?.address).toBe('a@example.com')
    expect(text).not.toMatch(/Zy|pkcs7-mime/)
    expect(report.dropped.length).toBeGreaterThan(0)
  })

  test('an encrypted message is refused as one', async () => {
    const encrypted = make('-encrypt', '-recip', 'c')
    await expect(clean(encrypted)).rejects.toMatchObject({ type: 'encrypted_file' })
  })
})

describe('attachments in an older encoding whose telling letters are nearly all replaced', () => {
  const attached = (name: string, content: Buffer) =>
    `${head}Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\n\r\nsee\r\n--B\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}\r\n--B--\r\n`
  const words = ['Уважаемый', 'Иван Петрович Сидоров', 'приглашаем вас на приём', 'Мария Петрова']
  test.each([
    ['a.txt', `${words.join(', ')}. ещё\n`],
    ['a.csv', `id;name\n${words.map((word, index) => `${index};${word}\n`).join('')}9;ещё\n`],
    ['a.json', JSON.stringify({ words, more: 'ещё' })],
    ['a.md', `# ${words[1]}\n\n${words[3]} ещё\n`],
    ['a.ics', `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:${words[1]} ещё\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`],
  ])('%s keeps it, in a message in a message too', async (name, text) => {
    const source = attached(name, iconv.encode(text, 'windows-1251'))
    const expected = words.reduce((all, word) => all.replace(word, '[X]'), text)
    const contentOf = (mail: Awaited<ReturnType<typeof PostalMime.parse>>) =>
      Buffer.from(mail.attachments[0]!.content as ArrayBuffer)
    const { mail } = await clean(source, words.join('|'))
    expect(iconv.decode(contentOf(mail), 'windows-1251')).toBe(expected)
    const outer = await clean(attached('inner.eml', Buffer.from(source)), words.join('|'))
    const inner = await PostalMime.parse(contentOf(outer.mail))
    expect(iconv.decode(contentOf(inner), 'windows-1251')).toBe(expected)
  })
})
