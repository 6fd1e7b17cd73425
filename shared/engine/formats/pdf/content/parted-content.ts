import { type PDFDocument, PDFName, type PDFPage } from '@cantoo/pdf-lib'
import { compressed, decode } from '../objects/objects.ts'
import { contentOf, joined, streamsOf } from './content.ts'
import { type Operand, tokenise } from './tokens.ts'

/** What a page's content is cut within: the text of an operand, or a comment. */
type Within = 'string' | 'comment'

const [opening, closing, backslash, percent] = Buffer.from('()\\%') as unknown as [number, number, number, number]

/** The data of pictures between operators, in which anything may stand. */
const inlineImage = /(?:^|[\s)\]>])ID\s/

/** Whether a part of a page's content may end within a string or a comment; where it says no none does. */
const mayEndWithin = (part: Uint8Array): boolean => {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.length)
  const comment = bytes.lastIndexOf(percent)
  if (comment > Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13))) return true
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]
    if (code === backslash && depth > 0) at++
    else if (code === opening) depth++
    else if (code === closing && depth > 0) depth--
  }
  return depth > 0 || inlineImage.test(bytes.toString('latin1'))
}

const strings = (operands: readonly Operand[]): Operand[] =>
  operands.flatMap(operand =>
    operand.kind === 'string'
      ? [operand]
      : operand.kind === 'array' || operand.kind === 'dict'
        ? strings(operand.items)
        : [],
  )

/** For each place between two parts of a page's content, what it cuts through; empty where none cuts through anything. */
const cutsOf = (parts: readonly Uint8Array[]): (Within | undefined)[] => {
  if (!parts.slice(0, -1).some(mayEndWithin)) return []
  let end = -1
  const places = parts.slice(0, -1).map(({ length }) => (end += length + 1))
  const source = joined(parts)
  const cuts: (Within | undefined)[] = places.map(() => undefined)
  const mark = (stretches: readonly { start: number; end: number }[], within: Within) => {
    for (const stretch of stretches)
      places.forEach((place, i) => {
        if (stretch.start < place && place < stretch.end) cuts[i] = within
      })
  }
  const tokens = tokenise(source)
  for (let operation = tokens.next(); operation; operation = tokens.next())
    mark(
      strings(operation.operands).filter(({ start }) => source[start] === opening),
      'string',
    )
  mark(tokens.comments(), 'comment')
  return cuts.some(cut => cut) ? cuts : []
}

const partsOf = (page: PDFPage): Uint8Array[] => {
  const streams = streamsOf(page)
  return streams.length > 1 ? streams.map(stream => decode(stream) ?? new Uint8Array(0)) : []
}

/**
 * The pages, from 0, whose content is cut within a string or a comment, where it may not be: some readers let it go on as if
 * there were no cut, others take a blank or the end of a line for it.
 */
export const partedPages = (document: PDFDocument): Set<number> =>
  new Set(document.getPages().flatMap((page, index) => (cutsOf(partsOf(page)).length > 0 ? [index] : [])))

/** Makes the content of pages one stream each, as the first reader reads it: all others read the same then. */
export const joinParts = (document: PDFDocument, pages: ReadonlySet<number>): void => {
  for (const index of pages) setContent(document, index, contentOf)
}

/** The same as readers read it that take nothing for a cut within a string, and the end of a line for one within a comment. */
export const joinOtherwise = (document: PDFDocument, pages: ReadonlySet<number>): void => {
  for (const index of pages)
    setContent(document, index, page => {
      const parts = partsOf(page)
      const between = cutsOf(parts).map(cut => Buffer.from(cut === 'string' ? '' : cut === 'comment' ? '\n' : ' '))
      return Buffer.concat(parts.flatMap((part, i) => [part, between[i] ?? new Uint8Array(0)]))
    })
}

const setContent = (document: PDFDocument, index: number, content: (page: PDFPage) => Uint8Array): void => {
  const page = document.getPages()[index]
  const { context } = document
  if (page) page.node.set(PDFName.of('Contents'), context.register(compressed(context, content(page))))
}
