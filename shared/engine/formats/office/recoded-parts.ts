import { TextDecoder } from 'node:util'
import { EngineError } from '../../errors.ts'
import type { Zip } from '../zip/read.ts'

const isXml = (name: string): boolean => /\.(?:xml|rels|vml)$/i.test(name)

/** Bytes that a declaration of XML ends within. */
const headBytes = 256
const declaration = /^(<\?xml[^>]{0,200}?\sencoding\s*=\s*["'])([\w.:-]+)/

/** What a part is in that is not in UTF-8, by its first bytes or else by what it declares; nothing for what nobody knows. */
function decoderOf(head: Buffer): TextDecoder | undefined {
  const [first = 0x3c, second = 0x3f] = head
  const wide =
    first === 0xff || (first === 0x3c && second === 0) ? 'utf-16le' : first === 0xfe || first === 0 ? 'utf-16be' : ''
  const declared = declaration.exec(head.toString('latin1', 0, headBytes))?.[2] ?? ''
  const label = wide || declared
  if (label === '' || (wide === '' && /^utf/i.test(label))) return undefined
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    return undefined
  }
}

/** The content of a part in UTF-8, which it then declares. Throws `corrupt_file` where it isn't in what it declares. */
async function* recoded(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  const decode = (bytes?: Buffer): string => {
    try {
      return decoder!.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw new EngineError('corrupt_file', 'A part is not in the encoding that it declares')
    }
  }
  const begin = (bytes: Buffer): Buffer => {
    decoder = decoderOf(bytes)
    return decoder ? Buffer.from(decode(bytes).replace(declaration, '$1UTF-8')) : bytes
  }
  for await (const piece of pieces) {
    if (head === undefined) yield decoder ? Buffer.from(decode(piece)) : piece
    else {
      head = head.length === 0 ? piece : Buffer.concat([head, piece])
      if (head.length < headBytes) continue
      yield begin(head)
      head = undefined
    }
  }
  if (head !== undefined) yield begin(head)
  if (decoder) yield Buffer.from(decode())
}

const isOlder = (decoder: TextDecoder | undefined): boolean => decoder !== undefined && !/^utf/.test(decoder.encoding)

/**
 * An archive whose parts in XML are read in UTF-8 where they are in an older encoding, as not all programs that write them know that
 * they should not be; what is streamed in UTF-16 as well.
 */
export const inUtf8 = (zip: Zip): Zip => ({
  ...zip,
  async bytes(name) {
    const bytes = await zip.bytes(name)
    if (!isXml(name) || !isOlder(decoderOf(bytes))) return bytes
    const pieces: Buffer[] = []
    for await (const piece of recoded([bytes])) pieces.push(piece)
    return Buffer.concat(pieces)
  },
  stream: name => (isXml(name) ? recoded(zip.stream(name)) : zip.stream(name)),
})
