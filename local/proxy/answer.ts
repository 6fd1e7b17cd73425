import type { Restorer } from 'anonymisation-engine/placeholders'
import { type Json, rewriteAnswer } from './vocabulary.ts'

/** A whole answer with the values put back. What spells the placeholders letter by letter, or counts them, is left out. */
export function restoreAnswer(body: Json, restorer: Restorer): Json {
  return rewriteAnswer(withoutOffsets(body), (text, writing) => restorer.restore({ text, writing }).text)
}

/** Probabilities of single tokens spell placeholders, and places in the text are others once values are back. */
function withoutOffsets(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(withoutOffsets)
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'logprobs') return [key, null]
      if (key === 'annotations' || key === 'citations') return [key, Array.isArray(inner) ? [] : null]
      return [key, withoutOffsets(inner)]
    }),
  )
}
