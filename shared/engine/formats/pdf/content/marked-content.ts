import { type PDFDict, PDFName } from '@cantoo/pdf-lib'
import { dictAt, numberAt } from '../objects/objects.ts'
import type { Operand, Operation, Splice } from './tokens.ts'

type Mark = { touched: boolean; change: Splice | undefined; number?: number }

/** Properties of marked content that repeat its text in other words. */
export const spoken = ['ActualText', 'Alt', 'E']

/**
 * Follows the marked content of a stream. Where a glyph goes, the replacement texts of all the content around it go
 * too, for they say the same in letters.
 */
export const markedContent = (resources: PDFDict | undefined, splices: Splice[]) => {
  const open: Mark[] = []
  const touched = new Set<number>()
  const close = (mark: Mark | undefined): void => {
    if (!mark?.touched) return
    if (mark.change) splices.push(mark.change)
    if (mark.number !== undefined) touched.add(mark.number)
  }
  return {
    /** A glyph has gone from the content that is open now. */
    touch: (): void => {
      for (const mark of open) mark.touched = true
    },
    /** Takes in an operation; false when it does not mark content. */
    take: ({ operator, operands }: Operation): boolean => {
      if (operator === 'BMC') open.push({ touched: false, change: undefined })
      else if (operator === 'BDC') open.push({ touched: false, ...markOf(operands[1], resources) })
      else if (operator === 'EMC') close(open.pop())
      else return false
      return true
    },
    /** Ends what is still open; the numbers that tie to the structure what a glyph has gone from. */
    end: (): ReadonlySet<number> => {
      while (open.length > 0) close(open.pop())
      return touched
    },
  }
}

const markOf = (list: Operand | undefined, resources: PDFDict | undefined): Omit<Mark, 'touched'> => ({
  change: silence(list, resources),
  number: numberOf(list, resources),
})

/** The number that ties marked content to the structure. */
const numberOf = (list: Operand | undefined, resources: PDFDict | undefined): number | undefined => {
  if (list?.kind === 'name') return numberAt(dictAt(dictAt(resources, 'Properties'), list.value), 'MCID')
  if (list?.kind !== 'dict') return undefined
  const id = list.items[list.items.findIndex(item => item.kind === 'name' && item.value === 'MCID') + 1]
  return id?.kind === 'number' ? id.value : undefined
}

/** The change that leaves of a property list nothing but the number that ties it to the structure. */
export const silence = (list: Operand | undefined, resources: PDFDict | undefined): Splice | undefined => {
  if (!list) return undefined
  if (list.kind === 'dict') {
    if (!list.items.some(item => item.kind === 'name' && spoken.includes(item.value))) return undefined
  } else if (list.kind === 'name') {
    const named = dictAt(dictAt(resources, 'Properties'), list.value)
    if (!named || !spoken.some(key => named.has(PDFName.of(key)))) return undefined
  } else return undefined
  const number = numberOf(list, resources)
  const bytes = Buffer.from(number === undefined ? '<<>>' : `<</MCID ${number}>>`)
  return { start: list.start, end: list.end, bytes }
}
