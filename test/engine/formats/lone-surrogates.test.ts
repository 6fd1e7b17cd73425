import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

const calendar = (line: string) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${line}\r\nEND:VCALENDAR\r\n`
const mail = (subject: string, text: string) => `From: a@b.example\r\nSubject: ${subject}\r\n\r\n${text}\r\n`

/** Half a character, as each format spells one, beside a name and in one; and what is left of that. */
const files: [name: string, content: string, expected: RegExp][] = [
  ['a.txt', 'Zyo \\udc00 \\ud83d Zyo', /^\[N\] \\udc00 \\ud83d \[N\]$/],
  ['a.md', 'Zyo &#xDC00; \\udc00', /^\[N\] &#xDC00; \\udc00$/],
  [
    'a.html',
    '<p>Zyo &#xD800; \\udc00<style>a::after{content:"\\dc00 Zyo"}</style>',
    /^<p>\[N\] &#65533; \\udc00<style>a::after\{content:"\\dc00 \\5b N\\5d "\}<\/style>$/,
  ],
  ['a.json', '{"a":"Zyo \\udc00 \\ud83d","b\\udc00":1}', /^\{"a":"\[N\] \\udc00 \\ud83d","b\\udc00":1\}$/i],
  ['a.ndjson', '{"a":"Zyo \\udc00"}\n{"a":"\\ud83d Zyo"}\n', /\[N\] \\udc00"\}\n\{"a":"\\ud83d \[N\]/i],
  ['a.csv', 'a,b\nZyo,\\udc00\n', /^a,b\n\[N\],\\udc00\n$/],
  ['a.xml', '<r a="\\udc00">Zyo \\udc00</r>', /^<r a="\\udc00">\[N\] \\udc00<\/r>$/],
  ['a.rtf', '{\\rtf1\\ansi Zyo \\u-9216? \\u56320? x}', /^\{\\rtf1\\ansi \[N\] \\u-9216\? \\u56320\? x\}$/],
  ['a.ics', calendar('SUMMARY:Zyo \\udc00'), /SUMMARY:\[N\] \\udc00/],
  ['a.eml', mail('=?utf-16?B?3AA=?= Zyo', 'Zyo \\udc00'), /Subject: .*\[N\].*\[N\] \\udc00/s],
]

test.each(files)('half a character is no reason to fail: %s %j', async (name, content, expected) => {
  const rules = [regexRule('N', 'Zyo')]
  const assetType = /csv|ndjson/.test(name) ? 'TABLE' : 'DOCUMENT'
  const { output } = await anonymise(call({ input: bufferInput(name, Buffer.from(content)), rules, assetType }))
  const text = Buffer.from(await output.read(0, output.size)).toString()
  expect(text).not.toContain('Zyo')
  expect(text).toMatch(expected)
})

test.each([
  ['UTF-16', 'a.txt', Buffer.from('\ufeffZyo \udc00 Zyo', 'utf16le')],
  ['a reference of XML', 'a.xml', Buffer.from('<r>Zyo &#xDC00;</r>')],
])('half a character that there can not be is refused by name: %s', async (_, name, content) => {
  const job = anonymise(call({ input: bufferInput(name, content), rules: [regexRule('N', 'Zyo')] }))
  await expect(job).rejects.toMatchObject({ type: 'corrupt_file' })
})
