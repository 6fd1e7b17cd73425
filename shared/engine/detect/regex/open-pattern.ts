import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import type { Parsed } from './syntax.ts'

/** The end of the text, whatever the flags. */
const lookAhead = '(?![\\s\\S])'

const either = (choices: (string | undefined)[]): string | undefined => {
  const some = choices.filter(choice => choice !== undefined)
  return some.length === 0 ? undefined : `(?:${some.join('|')})`
}

/** What may be left open when the text ends inside of an element; nothing when it takes no text. */
function openElement(node: AST.Element, textEnd: string): string | undefined {
  switch (node.type) {
    case 'Group': {
      const open = openAlternatives(node.alternatives, textEnd)
      return open && node.modifiers ? `(?${node.modifiers.raw}:${open})` : open
    }
    case 'CapturingGroup':
      return openAlternatives(node.alternatives, textEnd)
    case 'Quantifier': {
      const open = node.max === 0 ? undefined : openElement(node.element, textEnd)
      if (open === undefined || node.max === 1) return open
      return `(?:${node.element.raw}){0,${node.max === Number.POSITIVE_INFINITY ? '' : node.max - 1}}${open}`
    }
    case 'Assertion':
      return node.kind === 'lookahead' ? openAlternatives(node.alternatives, textEnd) : undefined
    case 'Backreference':
      return `[\\s\\S]*${textEnd}`
    default:
      return textEnd
  }
}

function openAlternatives(alternatives: readonly AST.Alternative[], textEnd: string): string | undefined {
  const openFrom = (elements: readonly AST.Element[], index: number): string | undefined => {
    const element = elements[index]
    if (!element) return undefined
    const rest = openFrom(elements, index + 1)
    return either([openElement(element, textEnd), rest && element.raw + rest])
  }
  return either(alternatives.map(({ elements }) => openFrom(elements, 0)))
}

/**
 * A pattern for the beginnings of matches that reach the end of the text: where it matches, the original might find more
 * if the text went on; where it doesn't, what follows the text makes no difference. Groups keep no names in it. `textEnd` is how
 * the end of the text is written.
 */
export function openPattern({ tree }: Parsed, textEnd = lookAhead): string {
  const open = openAlternatives(tree.alternatives, textEnd) ?? '(?!)'
  // A part may stand there several times, and a name only once.
  return open.replace(/\(\?<(?![=!])[^>]+>/g, '(').replace(/\\k<[^>]+>/g, '[\\s\\S]*')
}

/**
 * A pattern for a character that stands in no match: none goes on over it, and no look-ahead of one does. Nothing where that
 * can't be told from the pattern.
 */
export function barrierPattern({ tree }: Parsed): string | undefined {
  const taken = new Set<string>()
  let isTold = true
  const take = ({ raw, parent }: AST.Character | AST.CharacterSet | AST.CharacterClass) => {
    if (parent.type === 'Alternative' || parent.type === 'Quantifier') taken.add(raw)
  }
  visitRegExpAST(tree, {
    onCharacterEnter: take,
    onCharacterSetEnter: take,
    onCharacterClassEnter: take,
    onBackreferenceEnter: () => {
      isTold = false
    },
    onModifiersEnter: () => {
      isTold = false
    },
  })
  return isTold ? `(?!${[...taken].join('|')})[\\s\\S]` : undefined
}
