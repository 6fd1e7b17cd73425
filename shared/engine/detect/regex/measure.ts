import type { AST } from '@eslint-community/regexpp'

/** How far a pattern reaches and what it is made of. Lengths in UTF-16 units; `Infinity` where there is no bound. */
export type Measure = {
  /** Shortest and longest match. */
  min: number
  max: number
  /** How far beyond the end of a match look-aheads see. */
  ahead: number
  /** How far before its beginning look-behinds see. */
  behind: number
  /** Deepest nesting of groups. */
  depth: number
  lookahead: boolean
  backreference: boolean
  /** A look-behind that captures, or looks ahead inside of itself. */
  oddLookbehind: boolean
}

const none: Measure = {
  min: 0,
  max: 0,
  ahead: 0,
  behind: 0,
  depth: 0,
  lookahead: false,
  backreference: false,
  oddLookbehind: false,
}

// One assertion looks at one character: whether it is a word character, or a line end.
const edge: Measure = { ...none, ahead: 1, behind: 1 }
const one: Measure = { ...none, min: 1, max: 2 }

const traits = (a: Measure, b: Measure) => ({
  ahead: Math.max(a.ahead, b.ahead),
  behind: Math.max(a.behind, b.behind),
  depth: Math.max(a.depth, b.depth),
  lookahead: a.lookahead || b.lookahead,
  backreference: a.backreference || b.backreference,
  oddLookbehind: a.oddLookbehind || b.oddLookbehind,
})

const times = (length: number, count: number) => (length === 0 || count === 0 ? 0 : length * count)

function ofAlternatives(alternatives: AST.Alternative[]): Measure {
  return alternatives
    .map(({ elements }) =>
      elements.map(measure).reduce((a, b) => ({ ...traits(a, b), min: a.min + b.min, max: a.max + b.max }), none),
    )
    .reduce((a, b) => ({ ...traits(a, b), min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }))
}

/** Measures a pattern or one element of it. */
export function measure(node: AST.Pattern | AST.Element): Measure {
  switch (node.type) {
    case 'Pattern':
      return ofAlternatives(node.alternatives)
    case 'Group':
    case 'CapturingGroup': {
      const inner = ofAlternatives(node.alternatives)
      return { ...inner, depth: inner.depth + 1 }
    }
    case 'Quantifier': {
      const inner = measure(node.element)
      return { ...inner, min: times(inner.min, node.min), max: times(inner.max, node.max) }
    }
    case 'Assertion': {
      if (node.kind !== 'lookahead' && node.kind !== 'lookbehind') return edge
      const inner = ofAlternatives(node.alternatives)
      const look = { ...inner, min: 0, max: 0, depth: inner.depth + 1 }
      if (node.kind === 'lookahead') return { ...look, ahead: inner.max + inner.ahead, lookahead: true }
      return {
        ...look,
        behind: inner.max + inner.behind,
        oddLookbehind: inner.oddLookbehind || inner.lookahead || /\((?!\?(?:[:=!]|<[=!]))/.test(node.raw),
      }
    }
    case 'Backreference':
      return { ...none, max: Number.POSITIVE_INFINITY, backreference: true }
    default:
      return node.type === 'Character' ? { ...one, max: node.value > 0xffff ? 2 : 1 } : one
  }
}
