import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { codesIn } from '../../../shared/engine/detect/codes.ts'
import { registry } from '../../../shared/engine/formats/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

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

  test('very long ones and very many take time in proportion to their length', () => {
    const long = Buffer.from(`${email} `.repeat(100_000)).toString('base64')
    expect(all(long)).toEqual([])
    expect(all(`${random} `.repeat(50_000)).length).toBe(0)
    expect(all('/aaaaaaaaaaaaaaaaaaaaaaaaaaaa'.repeat(50_000)).length).toBe(0)
  })
})
