import { isCount, isObject, type Operator, problem } from './operator.ts'

let segmenter: Intl.Segmenter | undefined

/** Characters as people count them: a letter with its accents, a flag or a family is one. */
function characters(text: string): string[] {
  // Code points and characters are the same thing in ASCII, and splitting is much faster.
  if (/^[ -~]*$/.test(text)) return text.split('')
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Hides all characters but the first and last ones; of a part, or where nothing would be hidden, all of them. */
export const mask: Operator<{ char?: string; keepFirst?: number; keepLast?: number }> = {
  validate(options) {
    if (!isObject(options)) return problem('Must be an object')
    const { char = '*', keepFirst = 0, keepLast = 0 } = options
    if (typeof char !== 'string' || char === '') return problem('Must be a character', 'char')
    if (!isCount(keepFirst)) return problem('Must be a number of characters', 'keepFirst')
    return isCount(keepLast) ? [] : problem('Must be a number of characters', 'keepLast')
  },
  apply: ({ char = '*', keepFirst = 0, keepLast = 0 }) => {
    return ({ text, value }) => {
      const all = characters(text)
      if (text !== value || keepFirst + keepLast >= all.length) return char.repeat(all.length)
      const hidden = all.length - keepFirst - keepLast
      return all.slice(0, keepFirst).join('') + char.repeat(hidden) + all.slice(all.length - keepLast).join('')
    }
  },
}
