import type { InlineImage } from '../container/inline-images.ts'
import { isEmf, isWmf } from '../metafile/heads.ts'
import { blankPng } from '../ooxml/blank-image.ts'

/** What describes the size and place of a picture. */
const frame = (group: string): string =>
  (group.match(/\\pic(?:scale[xyd]|crop[lrtb]|[wh](?:goal)?)(?:-?\d{1,6})?(?![A-Za-z\d])/g) ?? []).join('')

/** A picture's frame around an empty picture. */
export function blankPicture(group: string): string {
  return `{\\pict${frame(group)}\\pngblip ${blankPng.toString('hex')}}`
}

/** The group of a picture with its bytes; undefined where it is of no kind that can be read. */
export function readPicture(source: string, start: number, end: number): InlineImage | undefined {
  const group = source.slice(start, end)
  const bytes = pictureBytes(group)
  const kind = kindOf(bytes, group)
  if (kind === undefined) return undefined
  const encode = (out: Uint8Array) => `{\\pict${frame(group)}${kind} ${Buffer.from(out).toString('hex')}}`
  return { start, end, bytes, encode, blank: blankPicture(group) }
}

/** The control word for a picture, by its content: metafiles say how they are scaled. */
function kindOf(bytes: Buffer, group: string): string | undefined {
  if (bytes[0] === 0x89) return '\\pngblip'
  if (bytes[0] === 0xff) return '\\jpegblip'
  if (isEmf(bytes)) return '\\emfblip'
  if (isWmf(bytes)) return /\\wmetafile\d{0,2}(?!\d)/.exec(group)?.[0]
  return undefined
}

/** Groups inside of groups of a picture; one with more is not read. */
const deepest = 8

const binaryAt = /\\bin(\d{1,9}) ?/

function pictureBytes(group: string): Buffer {
  const binary = binaryAt.exec(group)
  if (binary !== null) {
    const from = binary.index + binary[0].length
    return Buffer.from(group.slice(from, from + Number(binary[1])), 'latin1')
  }
  // Groups inside of it hold properties; what remains are control words and digits.
  let bare = group.slice(1, -1)
  for (let level = 0; level < deepest && bare.includes('{'); level++) bare = bare.replace(/\{[^{}]*\}/g, '')
  return Buffer.from(bare.replace(/\\[A-Za-z]+-?\d* ?|\\\*/g, '').replace(/[^0-9A-Fa-f]+/g, ''), 'hex')
}
