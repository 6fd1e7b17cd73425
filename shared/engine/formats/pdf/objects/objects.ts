import { deflateSync, inflateSync } from 'node:zlib'
import {
  decodePDFRawStream,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib'

/** What a reference leads to, or the object itself; broken and circular chains lead nowhere. */
export const resolve = (context: { lookup(ref: PDFRef): PDFObject | undefined }, object: PDFObject | undefined) => {
  let found = object
  for (let hops = 0; found instanceof PDFRef; hops++) {
    if (hops > 32) return undefined
    found = context.lookup(found)
  }
  return found
}

const decoded = new WeakMap<PDFName, string>()

/** What a name says, without its slash: the library decodes it each time it is asked. */
export const nameText = (name: PDFName): string => {
  const known = decoded.get(name)
  if (known !== undefined) return known
  const written = name.asString()
  const text = written.includes('#') ? name.decodeText() : written.slice(1)
  decoded.set(name, text)
  return text
}

/** Names by what they say, as many as the format has and more: the library decodes a text each time it makes a name of it. */
const named = new Map<string, PDFName>()
const mostNamed = 2048

const nameOf = (text: string): PDFName => {
  const known = named.get(text)
  if (known) return known
  const name = PDFName.of(text)
  if (named.size < mostNamed) named.set(text, name)
  return name
}

/** The value of a key, with references followed. */
export const value = (dict: PDFDict | undefined, key: string): PDFObject | undefined =>
  dict && resolve(dict.context, dict.get(nameOf(key)))

/** The dictionary behind a key; that of a stream counts. */
export const dictAt = (dict: PDFDict | undefined, key: string): PDFDict | undefined => asDict(value(dict, key))

/** A dictionary, or that of a stream. */
export const asDict = (object: PDFObject | undefined): PDFDict | undefined =>
  object instanceof PDFDict ? object : object instanceof PDFStream ? object.dict : undefined

/** The number behind a key. */
export const numberAt = (dict: PDFDict | undefined, key: string): number | undefined => {
  const found = value(dict, key)
  return found instanceof PDFNumber ? found.asNumber() : undefined
}

/** The name behind a key, without its slash. */
export const nameAt = (dict: PDFDict | undefined, key: string): string | undefined => {
  const found = value(dict, key)
  return found instanceof PDFName ? nameText(found) : undefined
}

/** The array behind a key, its elements resolved. */
export const arrayAt = (dict: PDFDict | undefined, key: string): (PDFObject | undefined)[] | undefined => {
  const found = value(dict, key)
  return dict && found instanceof PDFArray ? found.asArray().map(item => resolve(dict.context, item)) : undefined
}

/** The numbers behind a key; what isn't a number counts as 0. */
export const numbersAt = (dict: PDFDict | undefined, key: string): number[] | undefined =>
  arrayAt(dict, key)?.map(item => (item instanceof PDFNumber ? item.asNumber() : 0))

const parameters = PDFName.of('DecodeParms')

/** Bytes of decoded streams that are kept for each document: several passes read the same ones. */
const mostKept = 8 * 1024 * 1024

type Kept = { room: number; bytes: WeakMap<PDFRawStream, Uint8Array> }

const keptOf = new WeakMap<PDFContext, Kept>()

/** The decoded bytes of a stream, not to be changed; undefined for pictures and for what can't be decoded. */
export const decode = (stream: PDFObject | undefined): Uint8Array | undefined => {
  if (!(stream instanceof PDFRawStream)) return stream instanceof PDFStream ? stream.getContents() : undefined
  const { context } = stream.dict
  const kept = keptOf.get(context) ?? { room: mostKept, bytes: new WeakMap() }
  keptOf.set(context, kept)
  const known = kept.bytes.get(stream)
  if (known) return known
  const bytes = decodeAnew(stream)
  if (bytes && bytes.length <= kept.room) {
    kept.room -= bytes.length
    kept.bytes.set(stream, bytes)
  }
  return bytes
}

const decodeAnew = (stream: PDFRawStream): Uint8Array | undefined => {
  try {
    const { dict, contents } = stream
    if (nameAt(dict, 'Filter') === 'FlateDecode' && !dict.has(parameters)) return inflateSync(contents)
  } catch {
    // Damaged data, of which the library reads what it can.
  }
  try {
    return decodePDFRawStream(stream).decode()
  } catch {
    // A filter that the writer does not know (pictures) or damaged data: the caller decides what that means.
    return undefined
  }
}

/** Whether a stream's data are whole: of damaged ones readers make out more or less than the library does. */
export const isWhole = ({ dict, contents }: PDFRawStream): boolean => {
  const [first = value(dict, 'Filter')] = arrayAt(dict, 'Filter') ?? []
  if (!(first instanceof PDFName) || nameText(first) !== 'FlateDecode') return true
  try {
    inflateSync(contents)
    return true
  } catch {
    return false
  }
}

/** A new stream of these bytes, compressed, with the other entries of `like`. */
export const compressed = (context: PDFContext, bytes: Uint8Array, like?: PDFDict): PDFRawStream => {
  const dict = like ? like.clone(context) : context.obj({})
  for (const key of ['DecodeParms', 'DP', 'F', 'FFilter', 'FDecodeParms', 'DL']) dict.delete(PDFName.of(key))
  const packed = deflateSync(bytes)
  dict.set(PDFName.of('Filter'), PDFName.of('FlateDecode'))
  dict.set(PDFName.of('Length'), PDFNumber.of(packed.length))
  return PDFRawStream.of(dict, packed)
}
