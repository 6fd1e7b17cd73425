import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { codesIn } from '../../../shared/engine/detect/codes.ts'
import { linesWithEscapes } from '../../../shared/engine/detect/escapes.ts'
import { registry } from '../../../shared/engine/formats/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { mutant } from '../mutant.ts'

const email = 'margaret@example.org'
const coded = (text: string) => Buffer.from(text).toString('base64url')
const signature = coded('').padEnd(43, 'x_2-Qz')
const token = (content: object) => `${coded('{"alg":"HS256"}')}.${coded(JSON.stringify(content))}.${signature}`
const telling = token({ sub: '17', email, city: 'Zürich' })
const harmless = token({ sub: '17' })
const basic = Buffer.from(`${email}:secret`).toString('base64')
const random = '3q2-7wAB_z9uT4mV8kQpL0xYcE5hJ1sWdR6nGtFbUoI'

async function clean(name: string, content: string) {
  const bytes = Buffer.from(content)
  const { type } = registry.of(bytes, name)
  const rules = [regexRule('mail', '[\\w.+-]+@[\\w-]+\\.\\w+')]
  const { output } = await anonymise(call({ input: bufferInput(name, bytes), rules, assetType: type }))
  return Buffer.from(await output.read(0, output.size)).toString()
}

describe('a text in base64 that holds what a rule finds is replaced', () => {
  const files: [string, (code: string) => string][] = [
    ['a.txt', code => `Authorization: Bearer ${code}\n`],
    ['a.log', code => `10:00:00 INFO user=x token=${code} done\n`],
    ['a.json', code => JSON.stringify({ token: code, link: `https://x.example/?t=${code}&u=1` })],
    ['a.ndjson', code => `${JSON.stringify({ token: code })}\n{"token":"${code}"}\n`],
    ['a.csv', code => `id,token\n1,${code}\n2,"x ${code} y"\n`],
    ['a.html', code => `<p>${code}</p><a href="https://x.example/verify/${code}">x</a>`],
    ['a.xml', code => `<r><t at="${code}">${code}</t></r>`],
    ['a.md', code => `# Token\n\n${code}\n`],
    ['a.eml', code => `From: x <x@x>\nSubject: hello\n\nYour token: ${code}\n`.replace('x@x', '')],
  ]
  test.each(files)('in %s', async (name, content) => {
    for (const code of [telling, basic.replace(/=+$/, '')]) {
      const out = await clean(name, content(code))
      expect(out).not.toContain(code.slice(30, 50))
      expect(out).toContain('[mail]')
    }
    for (const code of [harmless, random]) expect(await clean(name, content(code))).toContain(code)
  })

  test('as a file within a file', async () => {
    const report = Buffer.from(`A long report. ${email} `.repeat(2000)).toString('base64')
    expect(await clean('a.json', JSON.stringify({ contentType: 'text/plain', data: report }))).toBe(
      '{"contentType":"text/plain","data":"[mail]"}',
    )
  })

  test('next to the value itself, and behind an escape', async () => {
    expect(await clean('a.txt', `${email}: Basic ${basic}, ${telling}.`)).toBe('[mail]: Basic [mail], [mail].')
    expect(await clean('a.txt', `a%3D${basic} \\n${basic}`)).toMatch(/^\S*\[mail\] \S*\[mail\]$/)
    expect(await clean('a.csv', `id,tag\n1,<b title='${basic}'>x</b>\n`)).toBe("id,tag\n1,<b title='[mail]'>x</b>\n")
  })

  test('in a table both ways of reading its cells do the same', async () => {
    const rows = `id,token\n1,${telling}\n2,${basic}\n3,${harmless}\n`
    const rules = [regexRule('mail', '[\\w.+-]+@[\\w-]+\\.\\w+', { replacement: { pseudonym: {} } })]
    const outputs = await Promise.all(
      [rules, [...rules, regexRule('none', 'n(?<!n)x', { columns: ['id'] })]].map(async all => {
        const input = bufferInput('a.csv', Buffer.from(rows))
        const { output } = await anonymise(call({ input, rules: all, assetType: 'TABLE' }))
        return Buffer.from(await output.read(0, output.size)).toString()
      }),
    )
    expect(outputs[0]).toBe(outputs[1])
    expect(outputs[0]).not.toContain(telling.slice(30, 50))
  })
})

describe('a text in base64 on several lines is read as one', () => {
  /** Base64 in lines of some width that end in some way. */
  const wrap = (code: string, width: number, end: string) =>
    code.replace(new RegExp(`.{${width}}(?=.)`, 'g'), line => line + end)
  const files: [string, (lines: (end: string) => string) => string][] = [
    ['a.xml', lines => `<r><d>\n${lines('\n')}\n</d></r>`],
    ['indented.xml', lines => `<r>\n  <d>\n    ${lines('\n    ')}\n  </d>\n</r>`],
    ['escaped.xml', lines => `<r><d a="${lines('&#10;')}">${lines('&#13;\n')}</d><!-- ${lines('\n')} --></r>`],
    ['a.json', lines => JSON.stringify({ a: lines('\n'), b: lines('\r\n') })],
    ['a.ndjson', lines => `${JSON.stringify({ a: lines('\n') })}\n${JSON.stringify({ a: lines('\r\n') })}\n`],
    ['a.csv', lines => `id,token\n1,"${lines('\n')}"\n2,x\n`],
    ['crlf.csv', lines => `id,token\r\n1,"${lines('\r\n')}"\r\n2,x\r\n`],
    ['pem.txt', lines => `Hello\n\n-----BEGIN DATA-----\n${lines('\n')}\n-----END DATA-----\n\nBye\n`],
    ['field.txt', lines => `Authorization: Basic ${lines('\r\n\t')}\r\nHost: x\r\n`],
    ['a.py', lines => `key = "${lines('\\n')}"\n`],
    ['a.md', lines => `# Token\n\n\`\`\`\n${lines('\n')}\n\`\`\`\n\n> ${lines('\n> ')}\n\nBye\n`],
    ['a.yaml', lines => `data:\n  token: |\n    ${lines('\n    ')}\n  other: 1\n`],
    ['a.html', lines => `<p>\n${lines('\n')}\n</p><pre>${lines('\n')}</pre>`],
    [
      'hidden.html',
      lines => `<p title="${lines('\n')}">x<!-- ${lines('\n')} --></p><script>a = "${lines('\\n')}"</script>`,
    ],
    ['a.eml', lines => `From: x <x>\nSubject: hello\n\n> ${lines('\n> ')}\n`],
    [
      'a.ics',
      lines => `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDESCRIPTION:${lines('\\n')}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    ],
  ]
  const encodings: [string, (text: string) => string, 'utf8' | 'utf16le'][] = [
    ['base64', text => Buffer.from(text).toString('base64'), 'utf8'],
    ['base64url', text => Buffer.from(text).toString('base64url'), 'utf8'],
    ['UTF-16 in base64', text => Buffer.from(text, 'utf16le').toString('base64'), 'utf16le'],
  ]
  /** What an output says in base64, as another program reads it that joins all lines. */
  const said = (out: string, encoding: 'utf8' | 'utf16le') => {
    const joined = out.replace(/\\r|\\n|&#1[03];|>|\s/g, '')
    const starts = [...joined.matchAll(/[\w+/=-]{12,}/g)].flatMap(([code]) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map(at => code.slice(at)),
    )
    return starts.map(code => Buffer.from(code, 'base64').toString(encoding)).join('\n')
  }
  const texts = Array.from({ length: 12 }, (_, k) => {
    const before = `The user of this account is ${'ab cd, '.repeat(k / 2)}${'.'.repeat(k % 4)}`
    return `${before} ${email} in Zürich.${' And so it goes on and on.'.repeat(3)}`
  })
  describe.each(encodings)('%s', (_, encode, encoding) => {
    test.each(files)('in %s', async (name, content) => {
      for (const [index, text] of texts.entries()) {
        const code = encode(text)
        const out = await clean(
          name,
          content(end => wrap(code, [64, 76, 70][index % 3]!, end)),
        )
        expect(
          said(
            content(end => wrap(code, 64, end)),
            encoding,
          ),
        ).toContain(email)
        expect(said(out, encoding)).not.toMatch(/margaret|example/)
        expect(out.includes('[mail]') || said(out, encoding).includes('[mail]')).toBe(true)
      }
    })
  })

  test('and only as far as it is one, where lines go on as if all were', async () => {
    const text = `The user of this account is ${email}, who.`
    const code = Buffer.from(text.padEnd(48, '.')).toString('base64')
    expect(await clean('a.txt', `${code}\nRegards\n`)).toBe('[mail]\nRegards\n')
    const other = Buffer.from(`${'The next text stands alone, and says of '.padEnd(47, '.')}!`).toString('base64')
    expect(await clean('a.txt', `${code}==\n${other}\n`)).toBe(`[mail]\n${other}\n`)
    const short = ['anna@example.org', 'ines@example.org'].map(mail => Buffer.from(mail).toString('base64url'))
    expect(await clean('a.txt', short.join('\n'))).toBe('[mail]\n[mail]')
  })

  test('in a script it is written anew in lines', async () => {
    const code = Buffer.from(texts[3]!).toString('base64')
    const out = await clean('a.html', `<p>x</p><script>a = \`${wrap(code, 64, '\n')}\`</script>`)
    const lines = /`([^`]*)`/.exec(out)![1]!
    expect(Buffer.from(lines, 'base64').toString()).toBe(texts[3]!.replace(email, '[mail]'))
    expect(lines.split('\n').map(line => line.length)).toEqual([64, 64, 52])
  })

  test('a long one is found in the pieces of a long text', async () => {
    const text = `${'And so it goes on and on, '.repeat(20_000)}${email} ${'and on, '.repeat(500)}`
    const code = wrap(Buffer.from(text).toString('base64'), 76, '\n')
    expect(said(await clean('a.txt', `x\n${code}\n`), 'utf8')).not.toMatch(/margaret|example/)
  })

  test('one that is overlooked is refused', async () => {
    const blind = await mutant({
      file: 'formats/text/wrapped-codes.ts',
      from: 'if (last <= end) return undefined',
      to: 'return undefined',
    })
    for (const [name, content] of files) {
      const { type } = registry.of(Buffer.from(content(end => end)), name)
      for (const [, encode] of encodings) {
        const input = (end: string) => wrap(encode(texts[2]!), 64, end)
        const bytes = Buffer.from(content(end => `${input(end)}= ${email} `))
        const rules = [regexRule('mail', '[\\w.+-]+@[\\w-]+\\.\\w+')]
        const run = blind.anonymise(call({ input: bufferInput(name, bytes), rules, assetType: type }))
        await expect(run, name).rejects.toMatchObject({ type: 'leak_detected' })
      }
    }
  })
})

describe('codes', () => {
  const all = (text: string) => {
    const next = codesIn(text)
    const found = []
    for (let code = next(0); code; code = next(code.end)) found.push(text.slice(code.start, code.end))
    return found
  }

  test('are found in order, whatever stands around', () => {
    expect(all(`/x/${basic} ${telling}, ${random} é${basic}`)).toEqual([basic, telling, basic])
    expect(all('responsibilities 123e4567-e89b-12d3-a456-426614174000 /usr/share/applications/defaults')).toEqual([])
  })

  test('that go on over lines are not cut where lines are read one by one', () => {
    const code = Buffer.from(`The user is ${email}, who goes on and on.`).toString('base64').replace(/.{40}/, '$&\n')
    const [line, ...more] = linesWithEscapes(`Hello\n${code}\nBye`)
    expect(more).toEqual([])
    expect(line!.text).toBe(`The user is ${email}, who goes on and on.`)
  })

  test('very long ones and very many take time in proportion to their length', () => {
    const long = Buffer.from(`${email} `.repeat(100_000)).toString('base64')
    expect(all(long)).toEqual([])
    expect(all(`${random} `.repeat(50_000)).length).toBe(0)
    expect(all('/aaaaaaaaaaaaaaaaaaaaaaaaaaaa'.repeat(50_000)).length).toBe(0)
    for (const bytes of ['aa ', 'is ', '61 ', '61 62-', 'aa bb cc dd ee ff-', '=', '=?u?q?', '=C3', '=\n'])
      expect(all(bytes.repeat(400_000)).length).toBeLessThan(2)
    // Letters in quoted-printable, and behind them what is none.
    for (const [is, isNone] of [
      ['=C3=A4', '=A4'],
      ['=E2=82=AC', '=E0=80=80'],
      ['=ED=9F=BF', '=ED=A0=80'],
      ['=F0=9F=98=80', '=F4=90=80=80'],
    ] as const) {
      expect(all(`${is.repeat(100_000)}${isNone}`).join('') === is.repeat(100_000)).toBe(true)
      expect(all(`${is}${isNone}`.repeat(100_000)).length).toBe(100_000)
    }
    // Lines that go on with one another, but for bytes that are none of a text.
    const line = 'YWFh'.repeat(5) + 'AQEB'.repeat(10)
    expect(all(`${line}/w==`.concat('\n', `${line}////\n`.repeat(20_000))).length).toBe(0)
  })
})
