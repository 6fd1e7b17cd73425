import { existsSync, readFileSync } from 'node:fs'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { eml } from '../../../shared/engine/formats/eml/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, readZip } from './package.ts'
import { formatSuite } from './suite.ts'

const corpus = '../shared/corpus'
const head = 'From: a@example.com\r\nTo: b@example.com\r\nSubject: c\r\nMIME-Version: 1.0\r\n'
const file = (path: string) => () => readFileSync(`${corpus}/${path}`)

formatSuite(eml, {
  name: 'mail.eml',
  make: texts =>
    Buffer.from(
      `${head}Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(texts.join('\r\n')).toString('base64')}\r\n`,
    ),
  show: async bytes => ((await PostalMime.parse(Buffer.from(bytes))).text ?? '').split('\n'),
  untouched: 'bytes',
  files: existsSync(corpus) ? [{ name: 'canary.eml', bytes: file('synthetic/canary.eml') }] : [],
  refused: [
    {
      name: 'no boundary',
      bytes: () => Buffer.from(`${head}Content-Type: multipart/mixed\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nx`),
      type: 'corrupt_file',
    },
    {
      name: 'an encrypted message',
      bytes: () => Buffer.from(`${head}Content-Type: application/pkcs7-mime\r\n\r\nx`),
      type: 'encrypted_file',
    },
    {
      name: 'a file of no known format alone',
      bytes: () => Buffer.from(`${head}Content-Type: application/x-unknown\r\n\r\n\x7fELF`),
      type: 'unsupported_format',
    },
  ],
})

async function clean(source: string | Buffer) {
  const input = bufferInput('x.eml', Buffer.from(source as string, 'latin1'))
  const { output, report } = await anonymise(call({ input, rules: [regexRule('X', '\\b[Zz]y\\w*')] }))
  const bytes = Buffer.from(await output.read(0, output.size))
  return { text: bytes.toString('latin1'), mail: await PostalMime.parse(bytes), report }
}
const fieldsOf = (text: string) => text.slice(0, text.indexOf('\r\n\r\n') + 2)

describe('E-mail', () => {
  const fields: [string, string, string][] = [
    ['an encoded word', 'Subject: =?ISO-8859-1?Q?Zya_a=F1o?=', 'Subject: [X] =?UTF-8?B?YcOxbw==?='],
    ['a word cut over two encoded words', 'Subject: =?UTF-8?Q?Zy?= =?UTF-8?Q?ab?=', 'Subject: [X]'],
    ['a folded field', 'Subject: Zya\r\n b', 'Subject: [X] b'],
    ['an address', 'To: "Zya B" <zyc@example.com>', 'To: "[X] B" <[X]@example.com>'],
    ['a field without a hit keeps its bytes', 'Subject:   =?utf-8?q?a?=\r\n\tb', 'Subject:   =?utf-8?q?a?=\r\n\tb'],
    [
      'fields of the way of the message go',
      'Received: from zya\r\n by zyb\r\nX-Mailer: zyc\r\nDKIM-Signature: zyd\r\nMessage-ID: <zye@f>',
      '',
    ],
    ['the name of a file', 'Content-Type: text/plain; name="Zya.txt"', 'Content-Type: text/plain;\r\n\tname="[X].txt"'],
    [
      'an extended name over continuations',
      "Content-Disposition: attachment; filename*0*=UTF-8''Zy; filename*1*=a%20b",
      'Content-Disposition: attachment;\r\n\tfilename="[X] b"',
    ],
    [
      'parameters that nobody asked for go',
      'Content-Disposition: attachment; filename="a"; creation-date="zyb"',
      'Content-Disposition: attachment;\r\n\tfilename="a"',
    ],
  ]
  test.each(fields)('%s', async (_, field, expected) => {
    const { text } = await clean(`From: a@b\r\nDate: x\r\n${field}\r\n\r\nbody\r\n`)
    expect(fieldsOf(text)).toBe(`From: a@b\r\nDate: x\r\n${expected}${expected && '\r\n'}`)
  })

  test('a match over a soft line break of quoted-printable', async () => {
    const { mail } = await clean(
      `${head}Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nDear Zy=\r\nab Jos=E9,\r\n`,
    )
    expect(mail.text).toBe('Dear [X] José,\n')
  })

  test('a set of characters in which a byte means what those before it say', async () => {
    const shift = (hex: string) => `\x1b$B${Buffer.from(hex, 'hex').toString('latin1')}\x1b(B`
    const name = shift('454443664240 4f3a'.replace(' ', ''))
    const subject = `=?ISO-2022-JP?B?${Buffer.from(name, 'latin1').toString('base64')}?=`
    const source = `From: a@b\r\nSubject: ${subject}\r\nContent-Type: text/plain; charset=ISO-2022-JP\r\n\r\n${name} ${shift('4d4d')}\r\n`
    const rules = [regexRule('X', '\u592a\u90ce')]
    const { output } = await anonymise(call({ input: bufferInput('a.eml', Buffer.from(source, 'latin1')), rules }))
    const mail = await PostalMime.parse(await output.read(0, output.size))
    expect(mail.subject).toBe('\u7530\u4e2d[X]')
    expect(mail.text).toBe('\u7530\u4e2d[X] \u69d8\n')
  })

  test('bodies, attachments and messages inside of the message', async () => {
    const attached = makeDocx('<w:p><w:r><w:t>Zyattached</w:t></w:r></w:p>').toString('base64')
    const { mail, text } = await clean(
      [
        `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\nZypreamble`,
        `--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p title="Zya">Zyb`,
        `--b\r\nContent-Type: application/octet-stream; name="Zyc.docx"\r\nContent-Transfer-Encoding: base64\r\n\r\n${attached}`,
        `--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: zyd@example.com\r\nSubject: Zye\r\n\r\nZyf`,
        '--b--\r\nZyepilogue',
      ].join('\r\n'),
    )
    expect(text.toLowerCase()).not.toContain('zy')
    expect(mail.html).toContain('<p title="[X]">[X]')
    const [office] = mail.attachments
    expect(office!.filename).toBe('[X].docx')
    expect(
      readZip(new Uint8Array(office!.content as ArrayBuffer))
        .get('word/document.xml')!
        .toString(),
    ).toContain('<w:t>[X]</w:t>')
    expect(text).toContain('From: [X]@example.com\r\nSubject: [X]\r\n')
  })

  test('an attachment that nothing can read is left out and reported', async () => {
    const { text, report } = await clean(
      `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n--b\r\nContent-Type: application/x-a\r\n\r\n\x7fELFZya\r\n--b--\r\n`,
    )
    expect(text).not.toContain('Zya')
    expect(report.dropped).toEqual([{ what: 'attachments', count: 1 }])
  })

  test('a file that is refused alone does not pass as text', async () => {
    const hl7 = 'MSH|^~\\&|LAB|H\rPID|1||4711||Doe^Zya\r'
    const { text, report } = await clean(
      `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n--b\r\nContent-Type: text/plain; name=a.hl7\r\n\r\n${hl7}\r\n--b\r\nContent-Type: text/plain\r\n\r\n${hl7}\r\n--b--\r\n`,
    )
    expect(text).not.toContain('4711')
    expect(report.dropped).toEqual([{ what: 'attachments', count: 2 }])
  })

  test('what hides behind the end of base64 goes', async () => {
    const { text } = await clean(
      `${head}Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\naGVsbG8=\r\nWnlh\r\n`,
    )
    expect(text).not.toContain('Wnlh')
  })
})

test('a text that begins with what somebody copied of a mail is a text, and loses nothing', async () => {
  const copied = 'From: Ula Brend\nSent: Monday, 3 March 2031 10:15\nTo: Yona Abc\nSubject: Tea\n\nDear Yona,\n'
  const rules = [regexRule('X', 'Yona', { replacement: { text: '[X]' } })]
  const clean = async (name: string, text: string) => {
    const { output } = await anonymise(call({ input: bufferInput(name, Buffer.from(text)), rules }))
    return Buffer.from(await output.read(0, output.size)).toString()
  }
  expect(await clean('a.txt', copied)).toBe(copied.replaceAll('Yona', '[X]'))
  expect(await clean('a.txt', `Message-ID: <1@x.example>\n${copied}`)).not.toContain('Sent:')
  expect(await clean('a.eml', copied)).not.toContain('Sent:')
})

test('a text that begins like a message but has no blank line behind its header is a text', async () => {
  const input = bufferInput('copied.txt', Buffer.from(`${head}Hello Zya, see you.\r\n`))
  const { output } = await anonymise(call({ input, rules: [regexRule('X', '\\bZy\\w+')] }))
  const text = Buffer.from(await output.read(0, output.size)).toString()
  expect(text).toBe(`${head}Hello [X], see you.\r\n`)
})
