import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeZip } from './package.ts'

const mebibyte = 1024 * 1024

/** A compound file (OLE 2) as Office writes encrypted documents: content of some MiB, then the names of its streams. */
const compoundFile = (stream: string, mebibytes: number, directory?: number): Buffer => {
  const content = mebibytes * mebibyte
  const file = Buffer.alloc(512 + content + 512)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file)
  file.writeUInt16LE(9, 30)
  file.writeUInt32LE(directory ?? content / 512, 48)
  file.fill(Buffer.from('8b1f6c03d5a97e', 'hex'), 512, 512 + content)
  Buffer.from(`Root Entry\0${stream}`, 'utf16le').copy(file, 512 + content)
  return file
}

const types = { name: '[Content_Types].xml', content: '<Types/>' }
/** Bits of an entry's flags: protected by a password, and that in the stronger way of newer programs. */
const [weak, strong] = [0x1, 0x41]
const lockedEntry = (name: string, flags: number) => makeZip([types, { name, content: 'x'.repeat(1000), flags }])

/** An OpenDocument file whose list of parts says how one of them is encrypted. */
const lockedOdf = (kind: string, how: string) =>
  makeZip([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${kind}`, store: true },
    { name: 'content.xml', content: Buffer.from('8b1f6c03d5a97e', 'hex') },
    {
      name: 'META-INF/manifest.xml',
      content: `<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="content.xml" m:media-type="text/xml" m:size="9000">${how}</m:file-entry></m:manifest>`,
    },
  ])
const password =
  '<m:encryption-data m:checksum-type="SHA1/1K" m:checksum="x"><m:algorithm m:algorithm-name="Blowfish CFB"/></m:encryption-data>'
const key = '<m:encrypted-key><m:encryption-method m:PGPAlgorithm="x"/></m:encrypted-key>'

/** Files that nobody can read without a password, and how each must end. */
const files: [what: string, name: string, make: () => Uint8Array, outcome: string][] = [
  ['an encrypted document', 'a.docx', () => compoundFile('EncryptedPackage', 1), 'encrypted_file'],
  ['a large encrypted workbook', 'a.xlsx', () => compoundFile('EncryptedPackage', 90), 'encrypted_file'],
  ['a presentation that only says how', 'a.pptx', () => compoundFile('EncryptionInfo', 1), 'encrypted_file'],
  ['a large workbook of old', 'a.xlsx', () => compoundFile('Workbook', 8), 'unsupported_format'],
  ['a directory beyond the end', 'a.docx', () => compoundFile('x', 1, 2 ** 32 - 2), 'unsupported_format'],
  ['entries of a document', 'a.docx', () => lockedEntry('word/document.xml', weak), 'encrypted_file'],
  ['entries of a workbook', 'a.xlsx', () => lockedEntry('xl/workbook.xml', weak), 'encrypted_file'],
  ['entries of a presentation', 'a.pptx', () => lockedEntry('ppt/presentation.xml', strong), 'encrypted_file'],
  ['an OpenDocument text', 'a.odt', () => lockedOdf('text', password), 'encrypted_file'],
  ['an OpenDocument spreadsheet', 'a.ods', () => lockedOdf('spreadsheet', password), 'encrypted_file'],
  ['an OpenDocument presentation', 'a.odp', () => lockedOdf('presentation', key), 'encrypted_file'],
]

type Outcome = { path: string; outcome: string; seconds: number; mebibytes: number }

describe('files under a password are refused by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'locked-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const paths = files.map(([, name], n) => join(folder, `${n}-${name}`))
  const outcomes = new Map<string, Outcome>()

  beforeAll(async () => {
    for (const [n, [, , make]] of files.entries()) writeFileSync(paths[n]!, make())
    const child = join(import.meta.dirname, 'hostile-child.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [child, ...paths], { timeout: 120_000 })
    for (const line of stdout.split('\n').filter(text => text !== '')) {
      const outcome = JSON.parse(line) as Outcome
      outcomes.set(outcome.path, outcome)
    }
  })

  test.each(files.map(([what, , , wanted], n) => ({ what, wanted, path: paths[n]! })))(
    '$what: $wanted',
    ({ path, wanted }) => {
      const { outcome, seconds, mebibytes } = outcomes.get(path)!
      expect(outcome).toBe(wanted)
      expect(seconds).toBeLessThan(5)
      expect(mebibytes).toBeLessThan(512)
    },
  )
})
