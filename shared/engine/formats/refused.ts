import { EngineError } from '../errors.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
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

/** First bytes of what is never anonymised. */
const signatures: [Buffer, number, string][] = [
  [latin1('7z\xbc\xaf\x27\x1c'), 0, 'Archives (7z) are not supported; upload the files in it'],
  [latin1('Rar!\x1a\x07'), 0, 'Archives (rar) are not supported; upload the files in it'],
  [latin1('\x1f\x8b'), 0, 'Compressed files (gzip) are not supported; upload the file in it'],
  [latin1('BZh'), 0, 'Compressed files (bzip2) are not supported; upload the file in it'],
  [latin1('\xfd7zXZ\x00'), 0, 'Compressed files (xz) are not supported; upload the file in it'],
  [latin1('\x28\xb5\x2f\xfd'), 0, 'Compressed files (zstd) are not supported; upload the file in it'],
  [latin1('ustar'), 257, 'Archives (tar) are not supported; upload the files in it'],
  [latin1('\x7fELF'), 0, 'Programs are not supported'],
  [latin1('SQLite format 3\x00'), 0, 'Database files (SQLite) are not supported; export the tables as CSV'],
  [latin1('-----BEGIN PGP MESSAGE-----'), 0, ''],
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
      'Old binary Office files are not supported; save in the present format',
    )
  }
  const found = signatures.find(([magic, at]) => bytes.subarray(at, at + magic.length).equals(magic))
  if (!found) return undefined
  return found[2]
    ? new EngineError('unsupported_format', found[2])
    : new EngineError('encrypted_file', 'The file is an encrypted PGP message')
}
