import { type PDFContext, PDFDict, PDFName, PDFNumber, PDFRawStream, PDFRef } from '@cantoo/pdf-lib'
import { stripJpeg } from '../../image/sanitise.ts'
import { anonymousFont, anonymousProfile } from '../fonts/font-programs.ts'
import { stripJpx } from '../pictures/jpx.ts'
import { arrayAt, compressed, decode, isWhole, nameAt, numberAt } from './objects.ts'

const picture: Record<string, (bytes: Uint8Array) => Uint8Array | undefined> = {
  DCTDecode: stripJpeg,
  DCT: stripJpeg,
  JPXDecode: stripJpx,
}

/** The names of a stream's filters, in the order in which they are taken off. */
const filtersOf = (dict: PDFDict): string[] =>
  nameAt(dict, 'Filter') === undefined
    ? (arrayAt(dict, 'Filter') ?? []).map(filter => (filter instanceof PDFName ? filter.decodeText() : ''))
    : [nameAt(dict, 'Filter') as string]

/** The coded picture of a stream, all filters but its own taken off. */
const codedPicture = (stream: PDFRawStream, filters: string[]): Uint8Array | undefined => {
  if (filters.length === 1) return stream.contents
  const dict = stream.dict.clone(stream.dict.context)
  dict.set(PDFName.of('Filter'), dict.context.obj(filters.slice(0, -1)))
  return decode(PDFRawStream.of(dict, stream.contents))
}

const cleanPicture = (stream: PDFRawStream): PDFRawStream | undefined => {
  const filters = filtersOf(stream.dict)
  const last = filters.at(-1) ?? ''
  const coded = picture[last] && codedPicture(stream, filters)
  const bytes = coded && picture[last]?.(coded)
  if (!bytes) return undefined
  const { dict } = stream
  dict.set(PDFName.of('Filter'), PDFName.of(last))
  dict.set(PDFName.of('Length'), PDFNumber.of(bytes.length))
  if (filters.length > 1) dict.delete(PDFName.of('DecodeParms'))
  return PDFRawStream.of(dict, bytes)
}

const fontKeys = ['FontFile', 'FontFile2', 'FontFile3'].map(key => PDFName.of(key))

/** Takes out what pictures, fonts and colour profiles hold beyond what shows. Returns how many did, by kind. */
export const cleanStreams = (context: PDFContext): Map<string, number> => {
  const cleaned = new Map<string, number>()
  const fonts = new Set<string>()
  const objects = context.enumerateIndirectObjects()
  for (const [, object] of objects) {
    if (!(object instanceof PDFDict)) continue
    for (const key of fontKeys) {
      const font = object.get(key)
      if (font instanceof PDFRef) fonts.add(font.toString())
    }
  }
  const change = (what: string, ref: PDFRef, stream: PDFRawStream | undefined) => {
    if (!stream) return
    context.assign(ref, stream)
    cleaned.set(what, (cleaned.get(what) ?? 0) + 1)
  }
  for (const [ref, object] of objects) {
    if (!(object instanceof PDFRawStream)) continue
    change('metadata of pictures', ref, cleanPicture(object))
    const isFont = fonts.has(ref.toString())
    const isProfile = !isFont && numberAt(object.dict, 'N') !== undefined && nameAt(object.dict, 'Type') === undefined
    const bytes = (isFont || isProfile) && isWhole(object) ? decode(object) : undefined
    const plain = bytes && (isFont ? anonymousFont(bytes) : anonymousProfile(bytes))
    if (plain)
      change(isFont ? 'notices in fonts' : 'notices in colour profiles', ref, compressed(context, plain, object.dict))
  }
  return cleaned
}
