import { mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { describe as describeFile } from '../../../shared/engine/formats/index.ts'
import { openSecond } from '../../../shared/engine/formats/pdf/text/second-reader.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, makeOdf, makeZip } from './package.ts'
import { makePdf } from './pdf-samples.ts'

const filled = (text: string, at = 0) =>
  Buffer.concat([Buffer.alloc(at), Buffer.from(text, 'latin1'), Buffer.alloc(600)])

/** The program that runs this test, as far as its format is told by it. */
function program(): Buffer {
  const head = Buffer.alloc(4096)
  readSync(openSync(process.execPath, 'r'), head)
  return head
}

function database(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'refused-'))
  try {
    const db = new DatabaseSync(join(folder, 'a.db'))
    db.exec('CREATE TABLE a (b TEXT); INSERT INTO a VALUES (1)')
    db.close()
    return readFileSync(join(folder, 'a.db'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const portable = () => {
  const bytes = filled('MZ\x90\0\x03\0\0\0')
  bytes.write('PE\0\0', 0x80, 'latin1')
  bytes.writeUInt32LE(0x80, 0x3c)
  return bytes
}

const patient = 'PID|1||4711^^^H^MR||Doe^Jane^A||19700101|F\rOBX|1|TX|1||x\r'
const hl7 = `MSH|^~\\&|LAB|H|EHR|H|20260101||ORU^R01|1|P|2.5\r${patient}`
const mail = (n: number) =>
  `From a@b.example Thu Jan  1 00:00:0${n} 2026\nFrom: a@b.example\nTo: c@d.example\nDate: x\n\nBody ${n}\n\n`

const xml = '<?xml version="1.0" encoding="UTF-8"?>\r\n\r\n'
const files: [what: string, name: string, make: () => Uint8Array, says: RegExp][] = [
  ['HL7', 'a.hl7', () => Buffer.from(hl7), /HL7 version 2/],
  ['HL7 called text', 'a.txt', () => Buffer.from(`\ufeff\n${hl7}`), /HL7 version 2/],
  ['HL7 as it is sent', 'a.dat', () => Buffer.from(`\x0b${hl7}\x1c\r`), /HL7 version 2/],
  ['HL7 with other marks', 'a.hl7', () => Buffer.from(hl7.replaceAll('|', '#')), /HL7 version 2/],
  ['a file of HL7', 'a.hl7', () => Buffer.from(`FHS|^~\\&|LAB\rBHS|^~\\&|LAB\r${hl7}`), /HL7 version 2/],
  ['a batch of HL7', 'a.csv', () => Buffer.from(`BHS|^~\\&|LAB\r${hl7}`), /HL7 version 2/],
  ['X12', 'a.edi', () => Buffer.from(`ISA*00*${' '.repeat(10)}*00*${' '.repeat(10)}*ZZ*A~`), /X12/],
  ['EDIFACT', 'a.edi', () => Buffer.from("UNA:+.? 'UNB+UNOC:3+A+B'"), /EDIFACT/],
  ['a laboratory device', 'a.txt', () => Buffer.from('H|\\^&|||LAB\rP|1||4711||Doe^Jane\r'), /ASTM/],
  [
    'a Word document in XML',
    'a.xml',
    () => Buffer.from(`${xml}<?mso-application progid="Word.Document"?><pkg:package xmlns:pkg="p"/>`),
    /\.docx/,
  ],
  ['the same of 2003', 'a.xml', () => Buffer.from(`${xml}<w:wordDocument xmlns:w="w">`), /\.docx/],
  ['OpenDocument in XML', 'a.fodt', () => Buffer.from(`\ufeff${xml}<office:document xmlns:office="o">`), /\.odt/],
  ['a program of Windows', 'letter.pdf', portable, /Programs/],
  ['a program of this system', 'a', program, /Programs/],
  ['a program of macOS', 'a', () => filled('\xcf\xfa\xed\xfe'), /Programs/],
  ['a database', 'a.csv', database, /SQLite/],
  ['DICOM', 'a.dcm', () => filled('DICM', 128), /DICOM/],
  ['a zip', 'a.zip', () => makeZip([{ name: 'a.txt', content: 'x' }]), /zip/],
  ['a gzip', 'a.csv.gz', () => gzipSync('a,b\n'), /gzip/],
  ['a zstd', 'a.csv.zst', () => zstdCompressSync('a,b\n'), /zstd/],
  ['sound', 'a.mp3', () => filled('ID3\x03\0'), /Sound/],
  ['a video', 'a.mp4', () => filled('\0\0\0\x20ftypisom'), /Videos/],
  ['a picture of a telephone', 'a.heic', () => filled('\0\0\0\x18ftypheic'), /HEIC/],
  ['a picture of Photoshop', 'a.psd', () => filled('8BPS\0\x01'), /Photoshop/],
  ['PostScript', 'a.txt', () => Buffer.from('%!PS-Adobe-3.0\n(Jane Doe) show\n'), /PostScript/],
  ['Outlook data', 'a.pst', () => filled('!BDN'), /\.pst/],
  ['a mailbox', 'a.mbox', () => Buffer.from(mail(1) + mail(2)), /mbox/],
  [
    'a message of Apple Mail',
    'a.emlx',
    () => Buffer.from('42        \nFrom: Jane <j@x>\nSubject: hello\n\nDear Jane\n<?xml version="1.0"?>\n'),
    /emlx/,
  ],
  ['what nobody knows', 'a.bin', () => brotliCompressSync(Buffer.alloc(10_000, 7)), /no format/],
]

describe('files that are refused by name', () => {
  test.each(files)('%s', async (_, name, make, says) => {
    const input = bufferInput(name, make())
    const run = anonymise(call({ input, rules: [regexRule('X', 'Jane')] }))
    await expect(run).rejects.toMatchObject({ type: 'unsupported_format', message: expect.stringMatching(says) })
  })

  test('are documents of no known type when they are uploaded', () => {
    expect(describeFile(portable(), 'a.txt')).toEqual({ type: 'DOCUMENT', mediaType: 'application/octet-stream' })
    expect(describeFile(Buffer.from(hl7), 'a.txt').mediaType).toBe('application/octet-stream')
  })

  test.each([
    ['MZ is short for Mozambique', 'a.txt', 'txt'],
    ['ID3 tags are old', 'a.txt', 'txt'],
    ['MSH is an abbreviation', 'a.txt', 'txt'],
    ['BZh and ORC are words\n', 'a.txt', 'txt'],
    ['Obj;ORC\n1;2\n', 'a.csv', 'csv'],
    [mail(1), 'a.eml', 'eml'],
    [`${xml}<office xmlns="office:document">Jane</office>`, 'a.xml', 'xml'],
    ['{"resourceType":"Patient","name":[{"family":"Doe"}]}', 'a.json', 'json'],
  ])('%s is none of them', (text, name, format) => {
    expect(describeFile(Buffer.from(text), name).format).toBe(format)
  })
})

test('documents and pages that the second reader of PDFs gives up on are named', async () => {
  const named = { type: 'corrupt_file', message: 'The second reader of PDFs gave up on the document' }
  await expect(openSecond(Buffer.from('%PDF-1.7\nnothing that is one'))).rejects.toMatchObject(named)
  const reader = await openSecond(await makePdf(['Jane']))
  await expect(reader.read(1)).rejects.toMatchObject(named)
  await reader.close()
})

// Nothing reads such escapes, but verification sees through them.
test.each([
  ['line 3', 'a.html', Buffer.from('<p>Anna Berg</p>\n<script>\nb("A\\nna");b("Ann\\a Berg")</script>')],
  ['word/document.xml', 'a.docx', makeDocx('<w:p><w:r><w:t>Anna Berg Ann\\a Berg</w:t></w:r></w:p>')],
  ['content.xml', 'a.odt', makeOdf('text', '<text:p>Anna Berg Ann\\a Berg</text:p>')],
])('a value that is still in the bytes is refused with its place: %s', async (place, name, bytes) => {
  await expect(
    anonymise(call({ input: bufferInput(name, bytes), rules: [regexRule('X', 'Anna Berg')] })),
  ).rejects.toMatchObject({
    type: 'leak_detected',
    message: `A replaced value still stands in the file, encoded or outside of its texts (${place})`,
  })
})
