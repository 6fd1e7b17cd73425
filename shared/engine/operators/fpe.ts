import { isValidator, type ValidatorName } from '../detect/validator-names.ts'
import { EngineError } from '../errors.ts'
import { alphabets, charactersOf, leastLength } from '../tokens/alphabet.ts'
import { kindOf } from '../tokens/form.ts'
import type { createFpe, FpeCipher, FpeForm, Unfit } from '../tokens/fpe.ts'
import { type TokenKey, tokenKeyOf } from '../tokens/key.ts'
import type { Sealer } from '../tokens/seal.ts'
import { isCount, isObject, type Operator, problem, type ReplacementProblem, type Target } from './operator.ts'
import { checkKind, checkScope, unknownOption } from './options.ts'
import type { Scope } from './scope.ts'
import { suppressed } from './suppress.ts'

/** How values keep their form. */
export type FpeOptions = {
  /** Name of an alphabet, or its characters; digits by default. What separates them stays where it is. */
  alphabet?: string
  /** Letters and digits that stay as they are at the beginning and at the end. */
  keep?: { first?: number; last?: number }
  /** Name of the checksum that right values have before and after. */
  check?: string
  /** What is done about values that are too short, or have other letters or digits. */
  otherwise?: 'fail' | 'token' | 'suppress'
  scope?: Scope
  as?: string
}

/** Characters of the longest numbers that some checksums are for. */
const longest: Partial<Record<ValidatorName, number>> = {
  aadhaar: 12,
  aba: 9,
  bsn: 9,
  cnpj: 14,
  cpf: 11,
  imei: 15,
  isbn: 13,
  nhs: 10,
  nip: 10,
  pesel: 11,
  regon: 14,
  steuer_id: 11,
}

const ways = ['fail', 'token', 'suppress']

const reasons: Record<Unfit, string> = {
  'too short': 'A value is too short: fewer than a million others have its form',
  'other characters': 'A value has letters or digits that are not of the alphabet',
  'no valid value': 'No other value of the same form has right check digits',
}

function checkAlphabet(alphabet: unknown): ReplacementProblem[] {
  if (typeof alphabet !== 'string') return problem('Must be the name of an alphabet, or its characters', 'alphabet')
  if (Object.hasOwn(alphabets, alphabet)) return []
  const chars = Array.from(alphabet)
  if (chars.length < 2 || chars.length > 1000) return problem('Must have 2 to 1,000 characters', 'alphabet')
  return new Set(chars).size === chars.length ? [] : problem('Must not have a character twice', 'alphabet')
}

function checkKept(keep: unknown): ReplacementProblem[] {
  if (!isObject(keep)) return problem('Must be an object', 'keep')
  const [wrong] = Object.entries(keep).filter(
    ([name, count]) => !['first', 'last'].includes(name) || !isCount(count) || (count as number) > 100,
  )
  return wrong ? problem('Must be a number of characters, 0 to 100', 'keep', wrong[0]) : []
}

/** The form that options ask for. */
const formOf = ({ alphabet = 'digits', keep = {} }: FpeOptions): Omit<FpeForm, 'isValid'> => ({
  alphabet,
  first: keep.first ?? 0,
  last: keep.last ?? 0,
})

/** Loads the checksum that a form keeps right, if it keeps one: the rules of all numbers are large. */
async function loadCheck(form: FpeForm, { check }: FpeOptions): Promise<void> {
  if (check === undefined) return
  form.isValid = (await import('../detect/validators.ts')).validators[check as ValidatorName]
}

/** The kind that values are encrypted as: `as`, or what a model calls them. */
const kindFor = ({ as }: FpeOptions, label: string | undefined) => kindOf(as ?? label ?? '')

/** Encrypts and decrypts one by one what a replacement of these options makes of the values of a kind; `label` is a model's. */
export async function openFpe(
  options: FpeOptions,
  key: TokenKey,
  label: string | undefined,
): Promise<FpeCipher & { kind: string }> {
  const form: FpeForm = formOf(options)
  await loadCheck(form, options)
  const kind = kindFor(options, label)
  const { createFpe } = await import('../tokens/fpe.ts')
  return { kind, ...createFpe(key, options.scope ?? 'job', kind, form) }
}

/** Fewest characters that a value must have to be encrypted in this form, those that stay among them. */
const shortestOf = (options: FpeOptions): number => {
  const { alphabet, first, last } = formOf(options)
  return leastLength(charactersOf(alphabet).length) + first + last
}

/**
 * Format-preserving encryption (FF1): another number of the same length with its separators where they were. Nothing shows
 * that it was encrypted, and nothing shows whether it was decrypted by the right key.
 */
export const fpe: Operator<FpeOptions> = {
  validate(options) {
    const unknown = unknownOption(options, ['alphabet', 'keep', 'check', 'otherwise', 'scope', 'as'])
    if (unknown) return unknown
    const { alphabet = 'digits', keep = {}, check, otherwise = 'fail' } = options
    return [
      ...checkAlphabet(alphabet),
      ...checkKept(keep),
      ...(check === undefined || isValidator(check) ? [] : problem('No checksum of this name exists', 'check')),
      ...(ways.includes(otherwise) ? [] : problem(`Must be one of ${ways.join(', ')}`, 'otherwise')),
      ...checkScope(options),
      ...checkKind(options),
    ]
  },
  mistakes(options) {
    const most = longest[options.check as ValidatorName]
    if (most === undefined || most >= shortestOf(options)) return []
    return problem('Leaves fewer than a million values: keep less of them, or take another replacement', 'keep')
  },
  scope: ({ scope = 'job' }) => scope,
  isReversible: true,
  apply(options, { rule, secrets, isLabelled, remember }) {
    const { scope = 'job', otherwise = 'fail' } = options
    const key = tokenKeyOf(secrets.tokens, scope)
    const form: FpeForm = formOf(options)
    let create: typeof createFpe | undefined
    let sealer: Sealer | undefined
    const ciphers = new Map<string, FpeCipher>()
    const make = ({ text, label }: { text: string; label: string }) => {
      const kind = kindFor(options, isLabelled ? label : undefined)
      const cipher = ciphers.get(kind) ?? create!(key, scope, kind, form)
      ciphers.set(kind, cipher)
      const result = cipher.encrypt(text)
      if (typeof result === 'string') return result
      if (sealer) return sealer.seal(text, kind)
      if (otherwise === 'suppress') return suppressed
      throw new EngineError('limit_exceeded', `The rule ${rule} keeps the form of values. ${reasons[result.unfit]}`)
    }
    const known = remember(make)
    const render = (target: Target) => (target.text === target.value ? known(target) : make(target))
    const prepare = async () => {
      await loadCheck(form, options)
      // The ciphers make their tables when they are loaded, and whoever only checks workflows does without.
      create ??= (await import('../tokens/fpe.ts')).createFpe
      if (otherwise === 'token') sealer ??= (await import('../tokens/seal.ts')).createSealer(key, scope)
    }
    return Object.assign(render, { prepare })
  },
}
