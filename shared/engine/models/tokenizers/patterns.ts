import { flagLetters, parsePattern } from '../../detect/regex/syntax.ts'

/** A global pattern for `matchAll`. */
export type TextPattern = RegExp

/** The pattern of a `tokenizer.json`: a literal text or a regular expression in a syntax that JavaScript shares. */
export function patternOf(config: { String: string } | { Regex: string }): TextPattern {
  const source = 'String' in config ? config.String.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') : config.Regex
  // White space as Unicode has it: `\s` of JavaScript differs in two characters.
  const parsed = parsePattern(source.replace(/\\s/g, '\\p{White_Space}').replaceAll('\\-', '-'))
  return new RegExp(parsed.source, `g${flagLetters(parsed.flags)}u`)
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Ranges of the user-perceived characters of a text. */
export function* graphemes(text: string): Generator<[start: number, end: number]> {
  for (const run of text.matchAll(/[\x20-\x7e]+(?![^\x20-\x7e])|.+?(?=[\x20-\x7e]{2}|$)/gs)) {
    if (/^[\x20-\x7e]*$/.test(run[0])) {
      for (let i = 0; i < run[0].length; i++) yield [run.index + i, run.index + i + 1]
    } else {
      for (const { index, segment } of segmenter.segment(run[0])) {
        yield [run.index + index, run.index + index + segment.length]
      }
    }
  }
}
