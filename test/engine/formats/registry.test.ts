import { expect, test } from 'vitest'
import { describe as describeFile, formatOf, formats } from '../../../shared/engine/formats/index.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const compound = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(stream, 'utf16le')])

test('every format has its own identifier and extensions', () => {
  for (const key of ['id', 'extensions'] as const) {
    const all = formats.flatMap(format => format[key])
    expect(new Set(all).size).toBe(all.length)
  }
})

test.each([
  ['a table by its name', 'a,b\n1,2\n', 't.csv', 'csv'],
  ['the same as a document by its name', 'a,b\n1,2\n3,4\n5,6\n', 'note.txt', 'txt'],
  ['a table without a telling name', 'a;b;c\n1;2;3\n4;5;6\n7;8;9\n', 'upload', 'csv'],
  ['a table with tabs without a telling name', 'a\tb\n1\t2\n3\t4\n5\t6\n', 'upload', 'tsv'],
  ['prose without a name', 'Dear Ann, thank you for your letter, and so on.\n', 'upload', 'txt'],
  ['Markdown by its name', '# Title\n', 'README.md', 'md'],
  ['a chat whose lines begin with dates in brackets', '[09/04/2024, 10:12] Ann: hello\n', 'chat.txt', 'txt'],
  ['a log whose lines begin with dates in brackets', '[2024-04-09 10:13:22] INFO started\n', 'upload', 'txt'],
  ['a list of references', '[1] Smith, A. 2020\n[2] Berg, B. 2021\n', 'notes.txt', 'txt'],
  ['notes that begin with a link', '[[Ann Berg]] called.\n', 'note.md', 'md'],
  ['a list of tasks', '[] call Ann\n', 'tasks.txt', 'txt'],
  ['a quoted aside', '["Hello", said Ann]\n', 'upload', 'txt'],
  ['JSON without a telling name', '[1, -2.5e3, true, {"a": [null, "b"]}]\n', 'upload', 'json'],
  ['long JSON without a telling name', `{"a": "${'long text '.repeat(1000)}"}`, 'upload', 'json'],
  ['JSON that is cut within a number', `[${'12345678,'.repeat(1000)}1]`, 'upload', 'json'],
  ['a page that begins as XML', '<?xml version="1.0"?><link rel="a" /><title>b</title></head>\n', 'page.html', 'html'],
  ['the same under the name of XML', '<?xml version="1.0"?><title>b</title>\n', 'page.xml', 'xml'],
  ['a text under the name of a picture', 'just text\n', 'photo.jpg', 'txt'],
])('%s', (_, text, name, format) => {
  expect(formatOf(Buffer.from(text), name).id).toBe(format)
})

test.each<[string, Buffer, string, string?]>([
  ['an empty file', Buffer.alloc(0), 'corrupt_file'],
  ['an encrypted workbook', compound('EncryptedPackage'), 'encrypted_file'],
  ['an Outlook message', compound('__substg1.0_'), 'unsupported_format', '.msg'],
  ['an old document', compound('WordDocument'), 'unsupported_format', '.doc'],
  ['an old workbook', compound('Workbook'), 'unsupported_format', '.xls'],
  ['an old presentation', compound('PowerPoint Document'), 'unsupported_format', '.ppt'],
  ['an archive', latin1('7z\xbc\xaf\x27\x1c....'), 'unsupported_format', '7z'],
  ['an encrypted message', latin1('-----BEGIN PGP MESSAGE-----\n'), 'encrypted_file'],
  ['a program', latin1('\x7fELF\x02\x01\x01\x00\x00'), 'unsupported_format'],
  ['random bytes', latin1('\x00\x01\x02\x03\xfa\xfb\x00\x00'), 'unsupported_format'],
])('refuses %s whatever its name', (_, bytes, type, hint = '') => {
  expect(() => formatOf(bytes, 'table.csv')).toThrow(
    expect.objectContaining({ type, message: expect.stringContaining(hint) }),
  )
  expect(describeFile(bytes, 'table.csv').format).toBeUndefined()
})

test('describes what is uploaded for its record', () => {
  expect(describeFile(Buffer.from('a,b\n1,2\n'), 't.csv')).toEqual({
    format: 'csv',
    type: 'TABLE',
    mediaType: 'text/csv',
  })
})
