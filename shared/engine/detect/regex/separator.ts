import type { AST } from '@eslint-community/regexpp'
import { flagLetters, type Parsed, type PatternFlags, within } from './syntax.ts'

/** Stands between texts that are searched as one string: no word character, no white space, without a case. */
export const separator = '\u001f'

const lineEnds = '\\n\\r\\u2028\\u2029'

/** Whether an element of one character matches the fence. */
function matchesFence(raw: string, flags: PatternFlags): boolean {
  return new RegExp(`^(?:${raw})$`, `${flagLetters(flags)}u`).test(separator)
}

/** The same element, but unable to match the fence. */
function fencedElement(node: AST.Character | AST.CharacterSet | AST.CharacterClass, flags: PatternFlags): string {
  if (!matchesFence(node.raw, flags)) return node.raw
  if (node.type === 'CharacterSet' && node.kind === 'any') return flags.dotAll ? '[^\\x1f]' : `[^${lineEnds}\\x1f]`
  if (node.type === 'CharacterSet' && node.kind !== 'property') return `[^${node.raw.toLowerCase()}\\x1f]`
  if (node.type === 'CharacterClass' && node.negate) return `${node.raw.slice(0, -1)}\\x1f]`
  return /^\[(?:\\s\\S|\\S\\s|\\d\\D|\\D\\d|\\w\\W|\\W\\w|\^)\]$/.test(node.raw)
    ? '[^\\x1f]'
    : `(?:(?!\\x1f)${node.raw})`
}

/**
 * Rewrites a pattern so that it finds in texts joined by the fence exactly what it finds in each of them alone: nothing
 * in it can match the fence, and the beginning and the end of a text are where a fence is or nothing. (`\b` needs no
 * change, for the fence is no word character; a back-reference repeats what never held a fence.)
 */
export function withSeparators({ tree, flags }: Parsed): string {
  const alternatives = (list: AST.Alternative[], now: PatternFlags): string =>
    list.map(({ elements }) => elements.map(element => emit(element, now)).join('')).join('|')

  const emit = (node: AST.Element, now: PatternFlags): string => {
    switch (node.type) {
      case 'Group': {
        const inside = within(now, node)
        const opening = node.modifiers ? `(?${node.modifiers.raw}:` : '(?:'
        return `${opening}${alternatives(node.alternatives, inside)})`
      }
      case 'CapturingGroup':
        return `(${node.name === null ? '' : `?<${node.name}>`}${alternatives(node.alternatives, now)})`
      case 'Quantifier':
        return emit(node.element, now) + node.raw.slice(node.element.raw.length)
      case 'Assertion': {
        if (node.kind === 'lookahead' || node.kind === 'lookbehind') {
          const sign = `${node.kind === 'lookbehind' ? '<' : ''}${node.negate ? '!' : '='}`
          return `(?${sign}${alternatives(node.alternatives, now)})`
        }
        if (node.kind === 'word') return node.raw
        const inner = now.multiline ? `[^${lineEnds}\\x1f]` : '[^\\x1f]'
        return node.kind === 'start' ? `(?<!${inner})` : `(?!${inner})`
      }
      case 'Backreference':
        return node.raw
      default:
        return fencedElement(node as AST.Character | AST.CharacterSet | AST.CharacterClass, now)
    }
  }
  return alternatives(tree.alternatives, flags)
}
