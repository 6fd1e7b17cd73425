import { EngineError } from '../errors.ts'
import type { PlannedRule } from '../plan.ts'
import { isNumbered, type OperatorName, operatorOf, validateReplacement } from './index.ts'
import { keyedDigest } from './keyed-digest.ts'
import type { OperatorContext, Target } from './operator.ts'
import type { Secrets } from './scope.ts'

/** Gives each distinct key of a job its number, 1 for the first; the same key always gets the same number. */
export type Numbering = { number(keys: string[]): Promise<number[]> }

/** Renders the replacement of each target, in the same order. `warnings` are about all that it has rendered. */
export type Replacer = { (targets: readonly Target[]): Promise<string[]>; warnings?(): string[] }

/** Values that are kept so that repeated ones need no second hash; beyond that the memory is emptied. */
const remembered = 50_000

/** Remembers what was made for a target's rule, label and value. */
function memory(): OperatorContext['remember'] {
  const known = new Map<string, string>()
  return make => target => {
    const key = `${target.rule}\u0000${target.label}\u0000${target.value}`
    let text = known.get(key)
    if (text === undefined) {
      text = make(target)
      if (known.size >= remembered) known.clear()
      known.set(key, text)
    }
    return text
  }
}

/** Gives the distinct values of rules their numbers. */
function createNumbers(rules: readonly PlannedRule[], { pseudonym }: Secrets, numbering: Numbering) {
  const numbered = rules.map(({ replacement }) => isNumbered(replacement))
  const numbers = new Map<string, number>()
  const keyOf = memory()(({ rule, value }) =>
    keyedDigest(value, pseudonym, `number\u0000${rules[rule]!.ruleId}\u0000`).toString('base64url'),
  )
  return {
    /** Asks for the numbers of all targets that need one. */
    async ask(targets: readonly Target[]) {
      if (!numbered.includes(true)) return
      const keys = new Set(targets.filter(({ rule }) => numbered[rule]).map(keyOf))
      if (keys.size === 0) return
      if (numbers.size >= remembered) numbers.clear()
      const fresh = [...keys].filter(key => !numbers.has(key))
      const given = fresh.length > 0 ? await numbering.number(fresh) : []
      fresh.forEach((key, index) => {
        numbers.set(key, given[index]!)
      })
    },
    of: (target: Target) => numbers.get(keyOf(target))!,
  }
}

function renderAll(renderers: readonly ((target: Target) => string)[], targets: readonly Target[]): string[] {
  const texts: string[] = new Array(targets.length)
  for (let index = 0; index < targets.length; index++) texts[index] = renderers[targets[index]!.rule]!(targets[index]!)
  return texts
}

function requireValid({ ruleId, replacement }: PlannedRule) {
  const [wrong] = validateReplacement(replacement)
  if (!wrong) return
  const loc = ['rules', ruleId, 'replacement', ...wrong.loc]
  throw new EngineError('invalid_workflow', `The replacement of a rule cannot be applied: ${wrong.msg}`, loc)
}

/**
 * Makes the replacer of one asset. Of its values `found` are known, and of those of its job a `filter`. Throws
 * `invalid_workflow` where a replacement can't be applied.
 */
export function createReplacer(
  rules: readonly PlannedRule[],
  secrets: Secrets,
  numbering: Numbering,
  { found = [], filter }: { found?: readonly string[]; filter?: Uint8Array } = {},
): Replacer {
  rules.forEach(requireValid)
  const numbers = createNumbers(rules, secrets, numbering)
  /** One memory for each operator, however many rules use it. */
  const memories = new Map<OperatorName, OperatorContext['remember']>()
  const renderers = rules.map(({ name: rule, detection, replacement }) => {
    const { name, operator, options } = operatorOf(replacement)
    const remember = memories.get(name) ?? memory()
    memories.set(name, remember)
    const isLabelled = detection.type === 'AIMODEL'
    return operator.apply(options, { rule, secrets, isLabelled, found, filter, numberOf: numbers.of, remember })
  })
  const loading = [...renderers.entries()].filter(([, { prepare }]) => prepare)
  const replacer = async (targets: readonly Target[]) => {
    await numbers.ask(targets)
    for (const [rule, { prepare }] of loading) {
      const labels = new Set<string>()
      for (const target of targets) if (target.rule === rule) labels.add(target.label)
      if (labels.size > 0) await prepare!(labels)
    }
    return renderAll(renderers, targets)
  }
  const warnings = () => [...new Set(renderers.flatMap(({ warning }) => warning?.() ?? []))]
  return Object.assign(replacer, { warnings })
}
