import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { parseMail } from '../../../shared/engine/formats/eml/mail-parser.ts'

const lines = (count: number, what: string, eol: string) =>
  Array.from({ length: count }, (_, n) => `${what} ${n} ${'é'.repeat(n % 3)}`).join(eol)

/** A message with several bodies, each sent in its own way. */
function message(count: number, eol: string): Buffer {
  const parts = [
    `Content-Type: text/plain; charset=utf-8${eol}${eol}${lines(count, 'text', eol)}`,
    `Content-Type: application/octet-stream${eol}Content-Transfer-Encoding: binary${eol}${eol}${lines(count, 'file', eol)}${eol}`,
    `Content-Type: text/plain${eol}Content-Transfer-Encoding: quoted-printable${eol}${eol}${lines(count, 'a=C3=A9=', eol)}`,
    `Content-Type: image/png${eol}Content-Transfer-Encoding: base64${eol}${eol}${lines(count, 'aGVsbG8=', eol)}`,
    `Content-Type: message/rfc822${eol}${eol}Subject: b${eol}${eol}${lines(count, 'inner', eol)}`,
  ]
  const head = `Subject: a${eol}Content-Type: multipart/mixed; boundary=x${eol}${eol}`
  return Buffer.from(`${head}${parts.map(part => `--x${eol}${part}${eol}`).join('')}--x--${eol}`)
}

test.each([
  [10, '\r\n'],
  [999, '\n'],
  [1000, '\r\n'],
  [1001, '\n'],
  [9000, '\r\n'],
])('bodies of %i lines are read as the parser reads them by itself', async (count, eol) => {
  for (const options of [{}, { forceRfc822Attachments: true }]) {
    const source = message(count, eol)
    expect(await parseMail(source, options)).toEqual(await PostalMime.parse(source, options))
  }
})
