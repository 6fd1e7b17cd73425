import { type PDFDict, PDFName } from '@cantoo/pdf-lib'
import { dictAt, numberAt } from '../objects/objects.ts'
import type { Operand, Operation, Splice } from './tokens.ts'

type Mark = { touched: boolean; change: Splice | undefined }

/** Properties of marked content that repeat its text in other words. */
export const spoken = ['ActualText', 'Alt', 'E']

/**
 * Follows the marked content of a stream. Where a glyph goes, the replacement texts of all the content around it go
 * too, for they say the same in letters.
 */
export const markedContent = (resources: PDFDict | undefined, splices: Splice[]) => {
  const open: Mark[] = []
  return {
    /** A glyph has gone from the content that is open now. */
    touch: (): void => {
      for (const mark of open) mark.touched = true
    },
    /** Takes in an operation; false when it does not mark content. */
    take: ({ operator, operands }: Operation): boolean => {
      if (operator === 'BMC') open.push({ touched: false, change: undefined })
      else if (operator === 'BDC') open.push({ touched: false, change: silence(operands[1], resources) })
      else if (operator === 'EMC') {
        const mark = open.pop()
        if (mark?.touched && mark.change) splices.push(mark.change)
      } else return false
      return true
    },
  }
}

/** The change that leaves of a property list nothing but the number that ties it to the structure. */
export const silence = (list: Operand | undefined, resources: PDFDict | undefined): Splice | undefined => {
  if (!list) return undefined
  let number: number | undefined
  if (list.kind === 'dict') {
    const keys = list.items.map(item => (item.kind === 'name' ? item.value : ''))
    if (!keys.some(key => spoken.includes(key))) return undefined
    const id = list.items[keys.indexOf('MCID') + 1]
    if (keys.includes('MCID') && id?.kind === 'number') number = id.value
  } else if (list.kind === 'name') {
    const named = dictAt(dictAt(resources, 'Properties'), list.value)
    if (!named || !spoken.some(key => named.has(PDFName.of(key)))) return undefined
    number = numberAt(named, 'MCID')
  } else return undefined
  const bytes = Buffer.from(number === undefined ? '<<>>' : `<</MCID ${number}>>`)
  return { start: list.start, end: list.end, bytes }
}
