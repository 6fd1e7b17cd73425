import type { RegexDetection } from '../../plan.ts'
import type { Span } from '../span.ts'

/** Score from which a match counts, and of one without a word near it, unless a rule says otherwise. */
const defaults = { threshold: 0.5, score: 1 }

const edge = String.raw`[\p{L}\p{M}\p{N}]`

/** Any of some words as whole words, in any case, whatever blanks stand in them. */
function anyOf(words: readonly string[]): RegExp {
  const quoted = words.map(word =>
    word
      .trim()
      .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
      .replace(/\s+/g, '\\s+'),
  )
  return new RegExp(`(?<!${edge})(?:${quoted.join('|')})(?!${edge})`, 'iu')
}

/** Whether a rule weighs its matches by the words near them. */
export const isWeighed = ({ context, score }: RegexDetection): boolean => context !== undefined || score !== undefined

/**
 * Gives each match of a pattern the score of the first of the rule's contexts that has a word near it, or else the rule's
 * own; undefined where that is less than what counts. The context is looked for in the same text only.
 */
export function weigher(detection: RegexDetection): (text: string, span: Span) => Span | undefined {
  const { score = defaults.score, confidenceThreshold = defaults.threshold, context = [], validator } = detection
  const prepared = context.map(({ words, ...one }) => ({ ...one, words: anyOf(words) }))
  return (text, span) => {
    const near = prepared.map(one => {
      const before = text.slice(Math.max(0, span.start - one.before), span.start)
      const after = text.slice(span.end, span.end + one.after)
      return { score: one.score, word: (one.words.exec(before) ?? one.words.exec(after))?.[0] }
    })
    const decides = near.find(({ word }) => word !== undefined)
    const weighed = decides?.score ?? score
    if (weighed < confidenceThreshold) return undefined
    const by = validator === undefined ? ({ by: 'regex' } as const) : ({ by: 'checksum', pattern: validator } as const)
    return { ...span, score: weighed, ...(decides && { reason: { ...by, context: decides.word!.toLowerCase() } }) }
  }
}
