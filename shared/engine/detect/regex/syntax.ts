import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp'
import { spreadModifiers } from './modifiers.ts'

/** Flags that a rule may set; `u` and `g` are always on. */
export type PatternFlags = { ignoreCase: boolean; multiline: boolean; dotAll: boolean }

/** A pattern as a tree, with what its use needs to know. */
export type Parsed = { source: string; flags: PatternFlags; tree: AST.Pattern }

/** Why a pattern is not a regular expression, and at which UTF-16 offset. */
export class PatternSyntaxError extends Error {
  override readonly name = 'PatternSyntaxError'
  readonly position: number

  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}

const parser = new RegExpParser({ ecmaVersion: 2025 })

/**
 * Parses a pattern in ECMAScript `u` syntax. `flags` may hold `i`, `m` and `s`; the same flags may stand at the
 * beginning of the pattern as `(?im)`, which other dialects have and ECMAScript has not. Groups with flags are spread.
 */
export function parsePattern(pattern: string, flags = ''): Parsed {
  const leading = /^\(\?([ims]+)\)/.exec(pattern)
  const source = leading ? pattern.slice(leading[0].length) : pattern
  const all = flags + (leading?.[1] ?? '')
  try {
    const parse = (text: string) => parser.parsePattern(text, 0, text.length, { unicode: true })
    const written = parse(source)
    const spread = spreadModifiers(written)
    const tree = spread === source ? written : parse(spread)
    return {
      source: spread,
      flags: { ignoreCase: all.includes('i'), multiline: all.includes('m'), dotAll: all.includes('s') },
      tree,
    }
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error
    const offset = leading?.[0].length ?? 0
    throw new PatternSyntaxError(error.message.replace(/^.*\/[a-z]*: /s, ''), error.index + offset)
  }
}

/** The flags as letters, for `new RegExp`. */
export const flagLetters = ({ ignoreCase, multiline, dotAll }: PatternFlags) =>
  `${ignoreCase ? 'i' : ''}${multiline ? 'm' : ''}${dotAll ? 's' : ''}`

/** The flags in force inside of a group that changes them, such as `(?i:...)`. */
export function within(flags: PatternFlags, group: AST.Group): PatternFlags {
  const { modifiers } = group
  if (!modifiers) return flags
  return {
    ignoreCase: (flags.ignoreCase || modifiers.add.ignoreCase) && !modifiers.remove?.ignoreCase,
    multiline: (flags.multiline || modifiers.add.multiline) && !modifiers.remove?.multiline,
    dotAll: (flags.dotAll || modifiers.add.dotAll) && !modifiers.remove?.dotAll,
  }
}
