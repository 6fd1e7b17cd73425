import { gunzipSync } from 'node:zlib'
import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import type { FormatContext, Input, Segment } from '../format.ts'
import { isUsualFont } from '../office/font-names.ts'
import type { TextNode } from '../text/text-nodes.ts'
import { readEmf } from './emf.ts'
import { nodesOf } from './lines.ts'
import { type Metafile, UnknownRecord } from './metafile.ts'
import { readWmf } from './wmf.ts'

/** The kinds of metafiles. */
export type Kind = 'emf' | 'wmf'

/** A metafile with its texts. */
export type ParsedMetafile = Metafile & { packed: boolean; nodes: TextNode[] }

/** Parses a metafile, packed or not; throws `corrupt_file` or `unsupported_format`. */
export async function parse(kind: Kind, input: Input, context: FormatContext): Promise<ParsedMetafile> {
  const bytes = Buffer.from(await readAll(input, context.limits.bytes))
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    const file = packed ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes
    const metafile = kind === 'emf' ? readEmf(file) : readWmf(file)
    return { ...metafile, packed, nodes: allNodes(metafile) }
  } catch (error) {
    if (error instanceof EngineError) throw error
    if (error instanceof UnknownRecord)
      throw new EngineError('unsupported_format', 'The metafile shows something that is not read; save as PNG')
    // Whatever goes wrong reading numbers is about the bytes.
    throw new EngineError('corrupt_file', 'The metafile cannot be read')
  }
}

/** Bytes of the largest metafile that is unpacked. */
const maxBytes = 256 * 1024 * 1024

/** The texts that a metafile draws, and the names of its fonts that may tell something. */
function allNodes({ records }: Metafile): TextNode[] {
  const texts = records.flatMap(({ run }, record) => (run ? [{ record, run }] : []))
  const fonts = records.flatMap(({ font = '' }, record): TextNode[] => {
    if (font === '' || isUsualFont(font)) return []
    const segment: Segment = { text: font, place: { kind: 'name' }, visible: false, wording: 'code' }
    return [{ segment, runs: [{ text: font, start: record, end: record + 1, encode: text => text }] }]
  })
  return [...nodesOf(texts), ...fonts]
}
