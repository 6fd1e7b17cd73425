import { type Attachment, decodeWords } from 'postal-mime'
import { parseMail } from './mail-parser.ts'
import type { Entity } from './mime.ts'

/** What another reader of mail finds in a message. */
export type RereadMail = {
  /** What each field that people read says, by its name, in order. */
  fields: { name: string; text: string }[]
  /** The text of the message, its fields, and names of files in it; HTML is another format's business. */
  texts: string[]
  /** What is attached, decoded. */
  files: Uint8Array[]
}

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)

/** Whether people write a field, or programs, in words of the format. */
const isWritten = ({ name }: { name: string }) =>
  !/^(?:content-(?:type|transfer-encoding|disposition)|mime-version)$/.test(name)

/** Reads a message by a parser of mail that shares nothing with the one that reads it for the rules. */
export async function rereadMail(message: Uint8Array): Promise<RereadMail> {
  const mail = await parseMail(message, { forceRfc822Attachments: true })
  const fields = mail.headers.map(({ key, value }) => ({ name: key, text: decodeWords(value) }))
  const named = mail.attachments.flatMap(({ filename, description, contentId }) => [filename, description, contentId])
  return {
    fields,
    texts: [mail.text, ...fields.filter(isWritten).map(({ text }) => text), ...named].filter(
      text => typeof text === 'string',
    ),
    files: mail.attachments.map(bytesOf),
  }
}

/** The bytes of a part without its transfer encoding, as that parser takes it off; it leaves a body that has none as it is. */
export async function decodedAgain({ encoding, body }: Entity): Promise<Uint8Array> {
  if (/^(?:7bit|8bit|binary)$/.test(encoding)) return Buffer.from(body, 'latin1')
  const header = `Content-Type: application/octet-stream\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`
  const { attachments } = await parseMail(Buffer.from(header + body, 'latin1'))
  return attachments[0] ? bytesOf(attachments[0]) : new Uint8Array()
}

/** What two readers of a field agree on, whatever they make of quotes, blanks and marks. */
export function sameWords(one: string, other: string): boolean {
  const words = (text: string, pattern: RegExp) => (text.match(pattern) ?? []).join('')
  if (words(one, /[\p{L}\p{N}]/gu) === words(other, /[\p{L}\p{N}]/gu)) return true
  // Bytes beyond ASCII that say of no character set are read in various ways.
  return other.includes('\ufffd') && words(one, /[a-z0-9]/gi) === words(other, /[a-z0-9]/gi)
}

const isBlank = (byte: number | undefined) => byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13)

/** Whether two readings of a body are the same but for blanks and ends of lines. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(one, other) === 0) return true
  let [at, beside] = [0, 0]
  for (;;) {
    while (isBlank(one[at])) at++
    while (isBlank(other[beside])) beside++
    if (at >= one.length || beside >= other.length) return at >= one.length && beside >= other.length
    if (one[at++] !== other[beside++]) return false
  }
}
