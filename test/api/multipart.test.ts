import { describe, expect, test } from 'vitest'
import { ProblemError } from '../../shared/api/problems.ts'
import { parseMultipart } from '../../shared/http/multipart.ts'

const file = (name: string, content: string) =>
  `Content-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${content}`
const field = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
const form = (boundary: string, parts: string[]) =>
  Buffer.from(`${parts.map(part => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`)

describe('a multipart form', () => {
  test.each([
    ['multipart/form-data; boundary=plain', 'plain'],
    ['multipart/form-data; boundary="quoted boundary"', 'quoted boundary'],
    ['multipart/form-data;boundary=no-space', 'no-space'],
    ["multipart/form-data; boundary=a_b.c+d'e", "a_b.c+d'e"],
    ['multipart/form-data; charset=utf-8; boundary="x=y"', 'x=y'],
  ])('is read with %s', async (contentType, boundary) => {
    const parts = [field('name', 'Letters'), file('a.txt', 'A'), file('b.txt', 'B'), file('a.txt', 'C')]
    const { fields, files } = await parseMultipart(contentType, form(boundary, parts))
    expect({ ...fields }).toEqual({ name: 'Letters' })
    expect(files.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
      ['a.txt', 'A'],
      ['b.txt', 'B'],
      ['a.txt', 'C'],
    ])
  })

  test.each([
    ['Übung – 好.txt', 'Übung – 好.txt'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\\\Users\\\\ada\\\\letter.txt', 'letter.txt'],
    ['..', 'unnamed'],
    ['a\u0001b.txt', 'ab.txt'],
  ])('gives the file %s the name %s', async (sent, kept) => {
    const { files } = await parseMultipart('multipart/form-data; boundary=x', form('x', [file(sent, 'text')]))
    expect(files.map(({ name }) => name)).toEqual([kept])
  })

  test('gives a file whose type no header can hold the type of bytes', async () => {
    const part = 'Content-Disposition: form-data; name="files"; filename="a"\r\nContent-Type: text/\u00e9\r\n\r\nA'
    const { files } = await parseMultipart('multipart/form-data; boundary=x', form('x', [part]))
    expect(files[0]!.contentType).toBe('application/octet-stream')
  })

  test('keeps every byte of a file', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * 7) % 256))
    const [head, tail] = form('x', [file('a.bin', 'HERE')])
      .toString('latin1')
      .split('HERE')
    const body = Buffer.concat([Buffer.from(head!, 'latin1'), bytes, Buffer.from(tail!, 'latin1')])
    expect((await parseMultipart('multipart/form-data; boundary=x', body)).files[0]!.bytes.equals(bytes)).toBe(true)
  })

  test.each([
    ['cut short', 'multipart/form-data; boundary=x', form('x', [file('a.txt', 'A')]).subarray(0, 60)],
    ['without a boundary', 'multipart/form-data', form('x', [file('a.txt', 'A')])],
    ['with another boundary', 'multipart/form-data; boundary=y', form('x', [file('a.txt', 'A')])],
    ['with a field twice', 'multipart/form-data; boundary=x', form('x', [field('name', 'a'), field('name', 'b')])],
    ['with 21 files', 'multipart/form-data; boundary=x', form('x', Array(21).fill(file('a.txt', 'A')))],
    [
      'with files under another name',
      'multipart/form-data; boundary=x',
      form('x', [file('a.txt', 'A').replace('"files"', '"other"')]),
    ],
  ])('is refused %s', async (_, contentType, body) => {
    await expect(parseMultipart(contentType, body)).rejects.toBeInstanceOf(ProblemError)
  })
})
