import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { registry } from '../../../shared/engine/formats/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { deck, runs, tree } from '../formats/hiding-samples.ts'
import { makeDocx, makeOdf, readZip } from '../formats/package.ts'

const email = 'margaret.johnson@example.org'
const secret = /margaret|johnson|example\.org/

async function clean(name: string, content: string | Uint8Array): Promise<string> {
  const bytes = Buffer.from(content as string)
  const { type } = registry.of(bytes, name)
  const rules = [regexRule('mail', '[\\w.+-]+@[\\w-]+\\.\\w+')]
  const { output } = await anonymise(call({ input: bufferInput(name, bytes), rules, assetType: type }))
  const out = Buffer.from(await output.read(0, output.size))
  return out.subarray(0, 2).toString() === 'PK' ? [...readZip(out).values()].join('\n') : out.toString()
}

/** What an output says in base64 to somebody who takes its lines for one text. */
function said(out: string): string {
  const lines = out.match(/[\w+/-]{18,}={0,2}|[\w+/-]+={1,2}/g) ?? []
  const joined = [lines.join(''), lines.filter(line => line.length > 18).join('')]
  return joined.flatMap(code => [0, 1, 2, 3].map(at => Buffer.from(code.slice(at), 'base64').toString())).join('\n')
}

const rtf = (text: string) => `{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}x\\par ${text}Bye\\par}`
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const row = (text: string) => `<w:tr><w:tc>${paragraph(text)}</w:tc></w:tr>`
const all = (lines: string[], write: (line: string, index: number) => string) => lines.map(write).join('')

/** Files that hold lines of base64 in places where somebody takes them for one text. */
const places: [string, string, (lines: string[]) => string | Uint8Array][] = [
  ['empty lines', 'a.txt', lines => `Hello\n\n${lines.join('\n\n')}\n\nBye\n`],
  ['lines with blanks behind them', 'a.txt', lines => `${lines.join(' \n')}\n`],
  ['a log', 'a.log', lines => all(lines, (line, index) => `2024-01-01 10:00:0${index} INFO [7] app ${line}\n`)],
  ['settings', 'a.ini', lines => `[a]\n${all(lines, (line, index) => `line${index}=${line}\n`)}`],
  ['comments', 'a.c', lines => all(lines, line => `// ${line}\n`)],
  ['a comment', 'a.java', lines => `/*\n${all(lines, line => ` * ${line}\n`)} */\n`],
  ['strings of Java', 'a.java', lines => `String s = ${lines.map(line => `"${line}\\n"`).join(' +\n    ')};\n`],
  ['strings of JavaScript', 'a.js', lines => `s = [\n${all(lines, line => `  '${line}',\n`)}].join('')\n`],
  ['strings of Python', 'a.py', lines => `s = (\n${all(lines, line => `    b'${line}'\n`)})\n`],
  ['strings of Visual Basic', 'a.vb', lines => `s = ${lines.map(line => `"${line}"`).join(' & _\n    ')}\n`],
  ['a string of a shell', 'a.sh', lines => `s="${lines.join('\\\n')}"\n`],
  ['a list of YAML', 'a.yaml', lines => `data:\n${all(lines, line => `  - "${line}"\n`)}other: 1\n`],
  ['an array of JSON', 'a.json', lines => JSON.stringify({ a: lines })],
  ['an array of lines of JSON', 'a.json', lines => JSON.stringify({ a: lines.map(line => `${line}\n`) })],
  ['an array in a string of JSON', 'a.json', lines => JSON.stringify({ a: JSON.stringify(lines) })],
  ['an array of a record', 'a.ndjson', lines => `${JSON.stringify({ a: lines })}\n${JSON.stringify({ a: ['x'] })}\n`],
  ['elements of XML', 'a.xml', lines => `<r>${all(lines, line => `<line>${line}</line>\n`)}</r>`],
  ['paragraphs of HTML', 'a.html', lines => `<body>${all(lines, line => `<p>${line}</p>\n`)}`],
  [
    'rows of HTML',
    'a.html',
    lines => `<body><table>${all(lines, (line, index) => `<tr><td>${index}<td>${line}`)}</table>`,
  ],
  ['paragraphs of Markdown', 'a.md', lines => `# T\n\n${lines.join('\n\n')}\n`],
  ['a list of Markdown', 'a.md', lines => `# T\n\n${all(lines, line => `- ${line}\n`)}`],
  ['a table of Markdown', 'a.md', lines => `| a |\n|---|\n${all(lines, line => `| ${line} |\n`)}`],
  [
    'fields of a calendar',
    'a.ics',
    lines =>
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${all(lines, line => `COMMENT:${line}\r\n`)}END:VEVENT\r\nEND:VCALENDAR\r\n`,
  ],
  ['paragraphs of RTF', 'a.rtf', lines => rtf(all(lines, line => `${line}\\par\n`))],
  ['rows of RTF', 'a.rtf', lines => rtf(all(lines, line => `\\trowd\\cellx5000\\intbl ${line}\\cell\\row\n`))],
  ['paragraphs of Word', 'a.docx', lines => makeDocx(paragraph('Hello') + all(lines, paragraph) + paragraph('Bye'))],
  ['rows of Word', 'a.docx', lines => makeDocx(`<w:tbl>${all(lines, row)}</w:tbl>`)],
  [
    'paragraphs of Writer',
    'a.odt',
    lines =>
      makeOdf(
        'text',
        all(lines, line => `<text:p>${line}</text:p>`),
      ),
  ],
  ['paragraphs of a slide', 'a.pptx', lines => deck(tree(`<p:sp><p:txBody>${all(lines, runs)}</p:txBody></p:sp>`))],
]

const linesOf = (text: string, width: number) =>
  Buffer.from(text)
    .toString('base64')
    .match(new RegExp(`.{1,${width}}`, 'g'))!

describe('lines of base64 in places of their own are read as one text', () => {
  test.each(places)('%s', async (_, name, content) => {
    for (const [width, more] of [
      [64, 4],
      [32, 1],
    ] as const) {
      const text = `The user of this account is ${'ab, '.repeat(more)}${email} in Bern. And so it goes on and on.`
      const lines = linesOf(text, width)
      // No line says all of it.
      expect(lines.some(line => Buffer.from(line, 'base64').toString().includes(email))).toBe(false)
      expect(said(lines.join('\n'))).toContain(email)
      const out = await clean(name, content(lines))
      expect(said(out)).not.toMatch(secret)
      expect(out).toContain('[mail]')
      const harmless = linesOf(text.replace(email, 'nobody at all, as far as we know'), width)
      expect(said(await clean(name, content(harmless)))).toContain('nobody at all')
    }
  })

  test('however many they are', async () => {
    const text = `${'And so it goes on and on, '.repeat(4000)}${email}.`
    const out = await clean('a.json', JSON.stringify({ a: linesOf(text, 76), b: 'x' }))
    expect(said(out)).not.toMatch(secret)
    expect(JSON.parse(out)).toMatchObject({ b: 'x' })
  })
})

describe('what is in other forms, or twice in one, is found', () => {
  const mail = `To ${email}, at noon.`
  const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')
  const spaced = (text: string, sign: string) =>
    Buffer.from(text)
      .toString('hex')
      .replace(/..(?=.)/g, `$&${sign}`)
  const forms: [string, string][] = [
    ['base64 twice', base64(base64(mail))],
    ['escapes in base64', base64(`a=${encodeURIComponent(mail)}`)],
    ['JSON in base64', base64(JSON.stringify({ a: mail.replace('@', '\\u0040') }))],
    ['what zlib packs, in base64', base64(deflateSync(mail))],
    ['Latin-1 in base64', base64(Buffer.from(`${mail} Zürich.`, 'latin1'))],
    ['a text and other bytes in base64', base64(Buffer.concat([Buffer.from(mail), Buffer.from([0, 1, 0xff])]))],
    ['hexadecimal', Buffer.from(mail).toString('hex')],
    ['hexadecimal of umlauts', Buffer.from(`Änne Öz ${mail}`).toString('hex')],
    ['hexadecimal of SQL', `0x${Buffer.from(mail).toString('hex').toUpperCase()}`],
    ['hexadecimal of PostgreSQL', `\\x${Buffer.from(mail).toString('hex')}`],
    ['hexadecimal of UTF-16', Buffer.from(mail, 'utf16le').toString('hex')],
    ['hexadecimal with blanks', spaced(mail, ' ')],
    ['hexadecimal with blanks behind a number', `12 ${spaced(mail, ' ')}`],
    ['hexadecimal with colons, in capitals', spaced(mail, ':').toUpperCase()],
    ['hexadecimal with hyphens', spaced(`Änne ${mail}`, '-')],
    ['hexadecimal of a dump', `0010  ${spaced(mail, ' ').replace(/((?:.. ){8})/g, '$1 ')}  |`],
    ['an address in an address', encodeURIComponent(encodeURIComponent(mail))],
    ['an address in an address in an address', encodeURIComponent(encodeURIComponent(encodeURIComponent(mail)))],
    ['entities of entities', 'To margaret.johnson&amp;#64;example.org'],
    ['strings of strings', 'To margaret.johnson\\\\u0040example.org'],
    ['strings of strings of strings', 'To margaret.johnson\\\\\\\\u0040example.org'],
  ]
  const files: [string, (code: string) => string][] = [
    ['a.txt', code => `x ${code} y\n`],
    ['a.csv', code => `id,a\n1,${JSON.stringify(code).replaceAll('\\\\', '\\')}\n2,x\n`],
    ['a.json', code => JSON.stringify({ a: code })],
    ['a.rtf', code => rtf(`${code.replaceAll('\\', '\\\\')}\\par `)],
    ['a.docx', code => makeDocx(paragraph(code.replaceAll('&', '&amp;'))).toString('latin1')],
  ]
  test.each(forms)('%s', async (_, code) => {
    for (const [name, content] of files) {
      const out = await clean(name, Buffer.from(content(code), name === 'a.docx' ? 'latin1' : 'utf8'))
      expect(out, name).not.toContain(code.slice(24, 36))
      expect(out, name).toMatch(/\[mail\]|%5Bmail%5D/)
    }
  })

  test('digits in hexadecimal, but for numbers that count up', async () => {
    const text = (written: string) =>
      `phone 123456, 0171 98\nSeries 31 32 33 34 35 36 and 1 31 32 33 34 35 36 37 38 39 40 41\n${written}\n`
    const input = bufferInput('a.txt', Buffer.from(text('30 31 37 31 20 39 38')))
    const rules = [regexRule('X', '123456|0171 98', { replacement: { text: '[X]' } })]
    const { output } = await anonymise(call({ input, rules, assetType: 'DOCUMENT' }))
    const left = Buffer.from(await output.read(0, output.size)).toString()
    expect(left).toBe(text('[X]').replace('123456, 0171 98', '[X], [X]'))
  })

  test('a short text in base64 that is padded', async () => {
    const short = [base64('a@b.exam'), base64('a@b.example')]
    for (const code of short)
      expect(await clean('a.csv', `id,a\n1,${code}\n2,"x=${code} y"\n`)).toBe('id,a\n1,[mail]\n2,"x=[mail] y"\n')
  })

  test.each([
    ['an encoded word', '=?utf-8?Q?J=C3=BCrgen_Zy=C3=A4?= <x>', '[X] <x>'],
    ['one in base64', `=?iso-8859-1?B?${base64(Buffer.from('Jürgen Zyä', 'latin1'))}?=`, '[X]'],
    ['two of one text', '=?utf-8?q?J=C3=BCrgen?= =?utf-8*de?q?_Zy=C3=A4?= b', '[X] b'],
    ['letters in quoted-printable', 'a J=C3=BCrgen Zy=C3=A4, b', 'a [X], b'],
    ['letters in quoted-printable, in small letters', 'a J=c3=bcrgen Zy=C3=a4, b', 'a [X], b'],
    ['a line in quoted-printable that is broken behind a blank', 'a J=C3=BCrgen =\nZy=C3=A4, b', 'a [X], b'],
    ['one in front of a blank', 'a J=C3=BCrgen=\n Zy=C3=A4, b', 'a [X], b'],
    ['one in front of a letter', 'a J=\n=C3=BCrgen =\nZy=C3=A4, b', 'a [X], b'],
    ['broken lines in quoted-printable', 'a J=C3=BCr=\ngen Zy=C3=\n=A4, b', 'a [X], b'],
  ])('as mail writes it: %s', async (_, written, left) => {
    const cell = (text: string) => `id,a\n1,"${text}"\n`
    const files: [string, (text: string) => string][] = [
      ['a.txt', text => `${text}\n`],
      ['a.csv', cell],
      ['a.json', text => JSON.stringify({ a: text })],
    ]
    for (const [name, content] of files) {
      const input = bufferInput(name, Buffer.from(content(written)))
      const rules = [regexRule('X', 'Jürgen Zyä', { replacement: { text: '[X]' } })]
      const { type } = registry.of(Buffer.from(content(written)), name)
      const { output } = await anonymise(call({ input, rules, assetType: type }))
      expect(Buffer.from(await output.read(0, output.size)).toString(), name).toBe(content(left))
    }
  })

  test('a packed text in a document', async () => {
    expect(await clean('a.docx', makeDocx(paragraph(base64(gzipSync(mail)))))).toContain('[mail]')
  })

  test('and what only looks like it stays', async () => {
    const text =
      'a=%2541 C:\\\\users\\\\new 5555666677778888 3a7bd3e2360a3d29eea436fcfb7e44c735d117c4 &amp;amp; eJwrYWFhYWFhYWFh ' +
      '61 40 62 2e 63 6 00:1a:2b:3c:4d:5e 61-40-62-2e-zz-63 identifier== abcdefghijkl= =\n'
    expect(await clean('a.txt', text)).toBe(text)
  })
})
