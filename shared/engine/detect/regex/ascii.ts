import type { AST } from '@eslint-community/regexpp'
import { unitsOf } from './prefilter.ts'
import type { Parsed, PatternFlags } from './syntax.ts'

function elementIsAscii(node: AST.Element, flags: PatternFlags): boolean {
  switch (node.type) {
    case 'Group':
      return !node.modifiers && alternativesAreAscii(node.alternatives, flags)
    case 'CapturingGroup':
      return alternativesAreAscii(node.alternatives, flags)
    case 'Quantifier':
      return elementIsAscii(node.element, flags)
    case 'Assertion':
      if (node.kind === 'lookahead' || node.kind === 'lookbehind') return alternativesAreAscii(node.alternatives, flags)
      // Under `m` U+2028 and U+2029 end lines, and under `i` two letters beyond ASCII are word characters.
      return node.kind === 'word' ? !flags.ignoreCase : !flags.multiline
    case 'Backreference':
      return true
    default: {
      const units = unitsOf(node, flags)
      return units !== undefined && units.indexOf(1, 0x80) < 0
    }
  }
}

const alternativesAreAscii = (alternatives: readonly AST.Alternative[], flags: PatternFlags): boolean =>
  alternatives.every(({ elements }) => elements.every(element => elementIsAscii(element, flags)))

/**
 * Whether no part of a pattern can match or look at anything but ASCII characters in a way that depends on which: then
 * it finds in the bytes of a UTF-8 text, read one character a byte, exactly what it finds in the text.
 */
export const isAsciiPattern = ({ tree, flags }: Parsed) => alternativesAreAscii(tree.alternatives, flags)
