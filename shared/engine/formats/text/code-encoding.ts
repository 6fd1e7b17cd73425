import { isUtf8 } from 'node:buffer'
import { beginUtf8 } from './first-bytes.ts'

/** What texts in base64 are in: UTF-16 is what PowerShell writes. */
export type CodeEncoding = 'utf8' | 'utf16le'

export const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/

/**
 * UTF-16 in an alphabet of Europe or the Near East: of other bytes hardly any are by chance, while of any two bytes many are a
 * character of Chinese.
 */
const wide = /^\ufeff?[\t\n\r\x20-\x7e\xa0-\u06ff]+$/

/** What a text is in by its first bytes, the last character of which may be cut; nothing where they are those of no text. */
export function encodingOf(bytes: Buffer): CodeEncoding | undefined {
  if (beginUtf8(bytes) && !controls.test(bytes.toString('latin1'))) return 'utf8'
  return wide.test(bytes.toString('utf16le')) ? 'utf16le' : undefined
}

/** Whether bytes are all of a text. */
export function isText(bytes: Buffer, encoding: CodeEncoding): boolean {
  if (encoding === 'utf8') return isUtf8(bytes) && !controls.test(bytes.toString('latin1'))
  const text = bytes.toString(encoding)
  return bytes.length % 2 === 0 && text.isWellFormed() && !controls.test(text)
}

export const alphabetOf = (code: string) => (/[-_]/.test(code) ? 'base64url' : 'base64')

/** Bytes that tell what a text is in. */
const telling = 16

/** What bytes say; nothing where they are no text. */
export function textOf(bytes: Buffer): string | undefined {
  const encoding = encodingOf(bytes.subarray(0, telling))
  return encoding && isText(bytes, encoding) ? bytes.toString(encoding) : undefined
}
