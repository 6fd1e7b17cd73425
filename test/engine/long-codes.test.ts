import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** A file in base64, longer than an expression can go back through letter by letter. */
const file = `JVBERi0x${'Ab9z'.repeat(3_000_000)}`
const addressed = `data:application/pdf;base64,${file}`
const drawing = `data:image/svg+xml;base64,${file}`
const script = `data:text/plain;base64,${file}`
const mail = (parts: string) =>
  `From: a@b.example\nSubject: Zyla\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\n${parts}\n--x--\n`
const attached = (code: string) =>
  `Hello\n--x\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n${code}`

const files: [string, string, string][] = [
  ['bare', 'a.html', `<p>Zyla ${file}</p>`],
  ['bare', 'a.xml', `<a><b>Zyla</b><c>${file}</c><d e="${file}"/></a>`],
  ['bare', 'a.csv', `a,b\nZyla,${file}\n`],
  ['bare', 'a.txt', `Zyla ${file}\n`],
  ['bare', 'a.md', `Zyla ${file}\n`],
  ['bare', 'a.json', JSON.stringify({ a: 'Zyla', b: file })],
  ['bare', 'a.ndjson', `${JSON.stringify({ a: 'Zyla', b: file })}\n${JSON.stringify({ a: '', b: '' })}\n`],
  ['bare', 'a.eml', mail(file)],
  ['on one line', 'a.eml', mail(attached(file))],
  [
    'bare',
    'a.ics',
    `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Zyla\nATTACH;ENCODING=BASE64;VALUE=BINARY:${file}\nEND:VEVENT\nEND:VCALENDAR\n`,
  ],
  ['bare', 'a.vcf', `BEGIN:VCARD\nVERSION:3.0\nFN:Zyla\nPHOTO;ENCODING=b:${file}\nEND:VCARD\n`],
  ['bare', 'a.rtf', `{\\rtf1 Zyla ${file}}`],
  ...[addressed, drawing].flatMap((address): [string, string, string][] => {
    const kind = `as ${address.slice(0, 24)}…`
    return [
      [kind, 'a.html', `<p>Zyla <img src="${address}"><a href="${address}">b</a></p>`],
      [kind, 'a.svg', `<svg xmlns="http://www.w3.org/2000/svg"><text>Zyla</text><image href="${address}"/></svg>`],
      [kind, 'a.xml', `<a><b>Zyla</b><c>${address}</c><d e="${address}"/></a>`],
      [kind, 'a.txt', `Zyla ${address}\n`],
      [kind, 'a.md', `Zyla ![b](${address})\n`],
      [kind, 'a.json', JSON.stringify({ a: 'Zyla', b: address })],
      [kind, 'a.vcf', `BEGIN:VCARD\nVERSION:4.0\nFN:Zyla\nPHOTO:${address}\nEND:VCARD\n`],
    ]
  }),
  ['as a text', 'a.html', `<p>Zyla <a href="${script}">b</a></p>`],
]

test('files of 12 MB in base64 within others are read, also where V8 optimises no expression', {
  timeout: 300_000,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'long-codes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const paths = files.map(([, name, source], index) => {
    const path = join(folder, `${index}-${name}`)
    writeFileSync(path, source)
    return path
  })
  // V8 does so in a process that has compiled many of them.
  const words = ['--no-regexp-optimization', join(import.meta.dirname, 'formats/hostile-child.ts'), ...paths]
  const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 280_000 })
  const outcomes = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { outcome: string; found: number })
  const read = files.map(([kind, name], index) => [kind, name, outcomes[index]?.outcome, outcomes[index]?.found])
  expect(read).toEqual(files.map(([kind, name]) => [kind, name, 'clean', 1]))
})
