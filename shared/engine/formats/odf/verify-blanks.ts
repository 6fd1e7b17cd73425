import type { ParsedAttribute } from '../xml/verify-parser.ts'

/** The blanks that an element of a paragraph stands for, at most 1,000; none for other elements. */
export function blanksOf(element: string, attributes: readonly ParsedAttribute[]): string {
  if (element === 'text:tab') return '\t'
  if (element === 'text:line-break') return '\n'
  if (element !== 'text:s') return ''
  const count = Number(attributes.find(({ canonical }) => canonical === 'text:c')?.value ?? 1)
  return ' '.repeat(count >= 0 ? Math.min(count, 1000) : 1)
}

/** A text of a paragraph as programs show it: blanks in a row, of whatever kind, are one. */
export const collapsed = (text: string): string => text.replace(/[ \t\n\r]+/g, ' ')
