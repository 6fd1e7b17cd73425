import { EngineError } from '../errors.ts'
import { interchange, type Signature, signatures, strangers } from './signatures.ts'

const utf16 = (text: string) => Buffer.from(text, 'utf16le')

const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** Names of streams in a compound file (OLE 2) and what they say about it, surest first. */
const compoundStreams: [Buffer, 'encrypted_file' | 'unsupported_format', string][] = [
  [utf16('EncryptedPackage'), 'encrypted_file', 'The file is an encrypted Office document'],
  [utf16('EncryptionInfo'), 'encrypted_file', 'The file is an encrypted Office document'],
  [utf16('__substg1.0_'), 'unsupported_format', 'Outlook messages (.msg) are not supported; save the message as .eml'],
  [utf16('__properties_version1.0'), 'unsupported_format', 'Outlook messages (.msg) are not supported; save as .eml'],
  [utf16('WordDocument'), 'unsupported_format', 'Old Word documents (.doc) are not supported; save as .docx'],
  [utf16('Workbook'), 'unsupported_format', 'Old Excel workbooks (.xls) are not supported; save as .xlsx'],
  [utf16('PowerPoint Document'), 'unsupported_format', 'Old presentations (.ppt) are not supported; save as .pptx'],
]

/** Where the directory of a compound file begins, which large ones have behind their content; undefined for others. */
export function compoundDirectory(head: Uint8Array): number | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < 512 || !bytes.subarray(0, 8).equals(compound)) return undefined
  const sector = 2 ** Math.min(12, bytes.readUInt16LE(30))
  return (bytes.readUInt32LE(48) + 1) * sector
}

/**
 * Why a file with these first bytes is refused whatever its name, or nothing. `directory`: what stands at
 * {@link compoundDirectory}.
 */
export function refusal(head: Uint8Array, directory: Uint8Array = new Uint8Array()): EngineError | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.subarray(0, 8).equals(compound)) {
    const listed = Buffer.from(directory.buffer, directory.byteOffset, directory.byteLength)
    const known = compoundStreams.find(([name]) => bytes.includes(name) || listed.includes(name))
    if (known) return new EngineError(known[1], known[2])
    return new EngineError(
      'unsupported_format',
      'Old binary Office files are not supported; save in the current format',
    )
  }
  const start = beginning(bytes)
  if (start.startsWith('-----BEGIN PGP MESSAGE-----'))
    return new EngineError('encrypted_file', 'The file is an encrypted PGP message')
  const text = start.replace(/^(?:\xef\xbb\xbf|\s)+/, '')
  const advice = adviceOf(start, signatures) ?? interchange.find(([pattern]) => pattern.test(text))?.[1]
  return advice === undefined ? undefined : new EngineError('unsupported_format', advice)
}

/** Why a file that no format takes is refused, by what it is where that can be told. */
export function unknown(head: Uint8Array): EngineError {
  return new EngineError('unsupported_format', adviceOf(beginning(head), strangers))
}

const beginning = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 512)).toString('latin1')

const adviceOf = (start: string, all: readonly Signature[]): string | undefined =>
  all.find(({ bytes, at = 0, when }) => start.startsWith(bytes, at) && when?.test(start) !== false)?.advice
