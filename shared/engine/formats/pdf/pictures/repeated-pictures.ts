import { type PDFDict, type PDFDocument, PDFRawStream } from '@cantoo/pdf-lib'
import { joined, resourcesOf, streamsOf } from '../content/content.ts'
import { tokenise } from '../content/tokens.ts'
import { decode, dictAt, nameAt, numberAt, value } from '../objects/objects.ts'
import { endless } from './raster.ts'

/** Pixels of a picture that is large: a page of a scanner of 600 dots per inch has half as many more. */
const large = 2 ** 24

/** Pixels that all pictures of a page may have, each as often as it is drawn: the reader takes some seconds for them. */
const mostPixels = 2 ** 31

/** The largest number that stands behind a name in the bytes of a file. */
const largestOf = (file: Buffer, name: string): number => {
  let largest = 0
  for (let at = file.indexOf(name); at >= 0; at = file.indexOf(name, at + name.length)) {
    const [, digits] = /^\s{1,8}(\d{1,10})/.exec(file.toString('latin1', at + name.length, at + name.length + 20)) ?? []
    largest = Math.max(largest, Number(digits ?? 0))
  }
  return largest
}

/** Whether a PDF may hold a large picture, which is a stream, so that its size can be read in the bytes of the file. */
export const mayHoldLargePictures = (bytes: Uint8Array): boolean => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return largestOf(file, '/Width') * largestOf(file, '/Height') >= large
}

const pixelsOf = (dict: PDFDict): number => {
  const own = (numberAt(dict, 'Width') ?? 0) * (numberAt(dict, 'Height') ?? 0)
  const masks = ['SMask', 'Mask'].map(key => value(dict, key)).filter(mask => mask instanceof PDFRawStream)
  return masks.reduce(
    (sum, mask) => sum + (numberAt(mask.dict, 'Width') ?? 0) * (numberAt(mask.dict, 'Height') ?? 0),
    own,
  )
}

/** Forms within forms; no reader goes as deep. */
const deepest = 100

/** In place of the pixels of a form that is being read: one that draws itself does so as deep as the reader goes. */
const isOpen = -1

/** Throws `limit_exceeded` where a page draws large pictures so often that nobody could wait for it. */
export const refuseRepeatedPictures = (document: PDFDocument): void => {
  const forms = new Map<PDFRawStream, number>()
  const drawn = (content: Uint8Array, resources: PDFDict | undefined, depth = 0): number => {
    if (depth > deepest) throw endless()
    let pixels = 0
    const tokens = tokenise(content)
    for (let operation = tokens.next(); operation; operation = tokens.next()) {
      const [operand] = operation.operands
      if (operation.operator !== 'Do' || operand?.kind !== 'name') continue
      const object = value(dictAt(resources, 'XObject'), operand.value)
      if (object instanceof PDFRawStream)
        pixels += nameAt(object.dict, 'Subtype') === 'Form' ? inForm(object, resources, depth) : pixelsOf(object.dict)
    }
    return pixels
  }
  const inForm = (form: PDFRawStream, around: PDFDict | undefined, depth: number): number => {
    const known = forms.get(form)
    if (known === isOpen) return Number.POSITIVE_INFINITY
    if (known !== undefined) return known
    forms.set(form, isOpen)
    const pixels = drawn(decode(form) ?? new Uint8Array(0), dictAt(form.dict, 'Resources') ?? around, depth + 1)
    forms.set(form, pixels)
    return pixels
  }
  for (const page of document.getPages()) {
    const parts = streamsOf(page).map(stream => decode(stream) ?? new Uint8Array(0))
    if (drawn(joined(parts), resourcesOf(page)) > mostPixels) throw endless()
  }
}
