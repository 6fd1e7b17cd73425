import type { AST } from '@eslint-community/regexpp'
import { visitRegExpAST } from '@eslint-community/regexpp'
import { isValidator } from '../validator-names.ts'
import { validators } from '../validators.ts'
import { linearForm, wideClasses } from './linear.ts'
import { measure } from './measure.ts'
import { flagLetters, type Parsed, PatternSyntaxError, parsePattern } from './syntax.ts'
import { createWatchdog } from './watchdog.ts'

/** What is wrong with a pattern rule. `position` is a UTF-16 offset in the pattern. */
export type PatternProblem = {
  type: 'regex_syntax' | 'regex_too_long' | 'regex_empty_match' | 'regex_too_complex' | 'validator_unknown'
  msg: string
  position?: number
}

/** Most characters of a pattern. */
const longestPattern = 1000
/** Most different classes of characters that take a pass over all of Unicode each. */
const maxWideClasses = 16
/** Deepest nesting of groups. */
const deepest = 50
/**
 * Characters of a probe, and the milliseconds that a pattern without a linear form may take on it: enough for quadratic
 * time, which many a harmless pattern takes on a long run of digits, and far too little for more.
 */
const probeLength = 2048
const probeBudget = 250

/** One character that each element of the pattern matches, at most twenty of them. */
function sampleCharacters({ tree, flags }: Parsed): string[] {
  const samples = new Set<string>()
  const letters = `${flagLetters(flags)}u`
  const candidates = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).concat('\n', 'é', '好')
  const sample = ({ raw }: AST.CharacterClass | AST.CharacterSet) => {
    const alone = new RegExp(`^(?:${raw})$`, letters)
    for (const candidate of candidates) {
      if (samples.size >= 20) return
      if (alone.test(candidate)) {
        samples.add(candidate)
        return
      }
    }
  }
  visitRegExpAST(tree, {
    onCharacterEnter: ({ value }) => {
      if (samples.size < 20) samples.add(String.fromCodePoint(value))
    },
    onCharacterSetEnter: sample,
    onCharacterClassEnter: sample,
  })
  return [...samples]
}

/** Whether a backtracking engine copes with long runs of what the pattern itself is made of. */
function survivesProbes(parsed: Parsed): boolean {
  const regexp = new RegExp(parsed.source, `g${flagLetters(parsed.flags)}u`)
  const watchdog = createWatchdog()
  return sampleCharacters(parsed).every(character =>
    watchdog.run(probeBudget, () => {
      regexp.lastIndex = 0
      regexp.exec(`${character.repeat(probeLength)}\u0000`)
    }),
  )
}

/**
 * Judges a pattern when a rule is saved: syntax, length, that it never matches the empty text, that it can be run in
 * bounded time. `linear` says whether it also has a form that takes linear time whatever the text; without one a text
 * on which it backtracks for too long fails the asset.
 */
export function checkPattern({
  pattern,
  flags = '',
  validator,
}: {
  pattern: string
  flags?: string
  validator?: string
}): { ok: true; linear: boolean } | { ok: false; problems: PatternProblem[] } {
  const problems: PatternProblem[] = []
  if (validator !== undefined && !isValidator(validator)) {
    problems.push({ type: 'validator_unknown', msg: `Must be one of ${Object.keys(validators).join(', ')}` })
  }
  if (pattern.length > longestPattern) {
    problems.push({ type: 'regex_too_long', msg: `The pattern has more than ${longestPattern} characters` })
    return { ok: false, problems }
  }
  let parsed: Parsed
  try {
    parsed = parsePattern(pattern, flags)
    new RegExp(parsed.source, `${flagLetters(parsed.flags)}u`)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof PatternSyntaxError)) throw error
    const position = error instanceof PatternSyntaxError ? error.position : 0
    const reason = error instanceof PatternSyntaxError ? error.message : 'The pattern is not a regular expression'
    return { ok: false, problems: [...problems, { type: 'regex_syntax', msg: reason, position }] }
  }
  const { min, depth } = measure(parsed.tree)
  if (min === 0) problems.push({ type: 'regex_empty_match', msg: 'The pattern matches the empty text' })
  if (depth > deepest) {
    problems.push({ type: 'regex_too_complex', msg: `The pattern nests groups more than ${deepest} deep` })
  }
  if (wideClasses(parsed) > maxWideClasses) {
    const msg = `The pattern has more than ${maxWideClasses} different classes of Unicode characters`
    problems.push({ type: 'regex_too_complex', msg })
  }
  if (problems.length > 0) return { ok: false, problems }

  const linear = linearForm(parsed)
  if ('regexp' in linear) return { ok: true, linear: true }
  if (linear.tooLarge || !survivesProbes(parsed)) {
    const msg = linear.tooLarge
      ? `The pattern is too complex: ${linear.reason}`
      : `The pattern may take exponential time and can't be run in linear time because of ${linear.reason}`
    return { ok: false, problems: [{ type: 'regex_too_complex', msg }] }
  }
  return { ok: true, linear: false }
}
