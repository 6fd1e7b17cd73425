import type { PDFDocument } from '@cantoo/pdf-lib'
import { arrayAt, asDict, dictAt, nameAt } from './objects.ts'

/** How many layers of a document its pages don't show until a reader switches them on. */
export const switchedOff = (document: PDFDocument): number => {
  const properties = dictAt(document.catalog, 'OCProperties')
  const view = dictAt(properties, 'D')
  const [on, off] = ['ON', 'OFF'].map(key => new Set(arrayAt(view, key))) as [Set<unknown>, Set<unknown>]
  const layers = new Set(arrayAt(properties, 'OCGs'))
  return [...layers].filter(layer => {
    const state = nameAt(dictAt(dictAt(asDict(layer), 'Usage'), 'View'), 'ViewState')
    if (state !== undefined) return state === 'OFF'
    return off.has(layer) || (nameAt(view, 'BaseState') === 'OFF' && !on.has(layer))
  }).length
}
