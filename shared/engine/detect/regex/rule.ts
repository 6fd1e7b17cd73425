import type { RE2JS } from 're2js'
import { EngineError } from '../../errors.ts'
import type { RegexDetection } from '../../plan.ts'
import { isValidator } from '../validator-names.ts'
import type { Validators } from '../validators.ts'
import { isAsciiPattern } from './ascii.ts'
import type { Sought } from './find-code.ts'
import { linearForm } from './linear.ts'
import { hasMatcher } from './match-code.ts'
import { type Measure, measure } from './measure.ts'
import { barrierPattern, openPattern } from './open-pattern.ts'
import { type Prefilter, prefilterOf } from './prefilter.ts'
import { withSeparators } from './separator.ts'
import { type Beginnings, type ByteBeginning, rareBeginnings } from './sweep.ts'
import { flagLetters, type Parsed, parsePattern } from './syntax.ts'

/** A pattern compiled for its uses: searching, trying at one place, and finding the group `redact` in a match. */
type Compiled = { search: RegExp; sticky: RegExp; narrow?: RegExp }

/** A pattern made ready to run, whichever rule it is of. */
type Pattern = {
  measure: Measure
  /** For one text, and for many that are joined by fences. */
  plain: Compiled
  fenced: Compiled
  prefilter?: Prefilter
  /** What matches begin with, where that rules out nearly all places; made at first use. */
  beginning(): ByteBeginning | undefined
  /** Whether it finds the same in the bytes of a UTF-8 text as in the text. */
  ascii: boolean
  /** What is to be found by code in such bytes, where there can be one; made at first use. */
  sought(): Sought | undefined
  /** Matches a character that no match can hold, where there are such; made at first use. */
  barrier(): RegExp | undefined
  /** Matches where a match may begin that needs more text than there is; made at first use. */
  open(): RegExp
  /** The same in linear time; nothing when there is no such form. */
  linearOpen(): RE2JS | undefined
  /** The same in linear time; nothing when there is no such form. */
  linear(): RE2JS | undefined
}

/** A pattern rule made ready to run; `rule` is its index in the plan. */
export type RegexRule = Pattern & { rule: number; label: string; accepts?: (text: string) => boolean }

function compile(source: string, letters: string, narrow: boolean): Compiled {
  return {
    search: new RegExp(source, `g${letters}u`),
    sticky: new RegExp(source, `${letters}uy`),
    narrow: narrow ? new RegExp(source, `d${letters}uy`) : undefined,
  }
}

function soughtOf(
  parsed: Parsed,
  prefilter: Prefilter | undefined,
  beginningsOf: () => Beginnings | undefined,
): Sought | undefined {
  const { min: shortest } = measure(parsed.tree)
  if (shortest === 0 || !hasMatcher(parsed)) return undefined
  if (prefilter?.kind === 'run') return { parsed, trigger: { run: prefilter }, shortest }
  const beginnings = beginningsOf()
  return beginnings && { parsed, trigger: { beginnings }, shortest }
}

function prepare(parsed: Parsed, flags: RegexDetection['flags']): Pattern {
  const letters = flagLetters(parsed.flags)
  const plain = compile(parsed.source, letters, /\(\?<redact>/.test(parsed.source))
  const source = withSeparators(parsed)
  let linear: { regexp?: RE2JS } | undefined
  let barrier: RegExp | null | undefined
  let beginnings: { rare?: Beginnings } | undefined
  let open: RegExp | undefined
  let linearOpen: { regexp?: RE2JS } | undefined
  const formOf = (pattern: Parsed) => {
    const form = linearForm(pattern)
    return 'regexp' in form ? form : {}
  }
  const prefilter = prefilterOf(parsed)
  const ascii = isAsciiPattern(parsed)
  let sought: { pattern?: Sought } | undefined
  const rare = () => {
    beginnings ??= { rare: rareBeginnings(parsed) }
    return beginnings.rare
  }
  return {
    measure: measure(parsed.tree),
    plain,
    fenced: source === parsed.source ? plain : compile(source, letters, plain.narrow !== undefined),
    prefilter,
    beginning: () => rare()?.bytes,
    ascii,
    sought() {
      // What is found by code is looked at without the watchdog, and so not searched for a group.
      sought ??= { pattern: ascii && !plain.narrow ? soughtOf(parsed, prefilter, rare) : undefined }
      return sought.pattern
    },
    barrier() {
      if (barrier === undefined) {
        const source = barrierPattern(parsed)
        barrier = source === undefined ? null : new RegExp(source, `${letters}u`)
      }
      return barrier ?? undefined
    },
    open() {
      open ??= new RegExp(openPattern(parsed), `g${letters}u`)
      return open
    },
    linearOpen() {
      linearOpen ??= formOf(parsePattern(openPattern(parsed, '(?-m:$)'), flags))
      return linearOpen.regexp
    },
    linear() {
      linear ??= formOf(parsed)
      return linear.regexp
    },
  }
}

/** Patterns that this thread has made ready, for the next assets of a job: each takes up to some milliseconds. */
const known = new Map<string, Pattern>()
const mostKnown = 200

function patternOf({ pattern, flags }: RegexDetection): Pattern {
  const key = JSON.stringify([pattern, flags])
  let ready = known.get(key)
  if (!ready) {
    ready = prepare(parsePattern(pattern, flags), flags)
    if (known.size >= mostKnown) known.clear()
    known.set(key, ready)
  }
  return ready
}

/**
 * Compiles a pattern rule; throws `invalid_workflow` when it can't be, naming the rule. `checks` must be given for one that
 * names a checksum.
 */
export function compileRule(
  detection: RegexDetection,
  rule: number,
  ruleId: string,
  name: string,
  checks?: Validators,
): RegexRule {
  const invalid = (reason: string) =>
    new EngineError('invalid_workflow', `Rule «${name}»: ${reason}`, ['rules', ruleId])
  let pattern: Pattern
  try {
    pattern = patternOf(detection)
  } catch {
    throw invalid('the pattern is not a regular expression')
  }
  if (pattern.measure.min === 0) throw invalid('the pattern matches the empty text')
  const { validator } = detection
  if (validator !== undefined && !isValidator(validator)) throw invalid('there is no such checksum')
  return { ...pattern, rule, label: name, accepts: validator === undefined ? undefined : checks![validator] }
}
