import type { KeyObject } from 'node:crypto'
import type { PlannedRule } from '../plan.ts'
import { fillTemplate, isNumbered, keyedHash, mask, numberKey, pseudonym, type Target } from './forms.ts'
import { createGeneraliser } from './generalise.ts'
import { suppressed } from './suppress.ts'

/** Keys of a job: `hash` for the form of that name, `pseudonym` for pseudonyms and for numbering. */
export type Secrets = { hash: KeyObject; pseudonym: KeyObject }

/** Gives each distinct key of a job its number, 1 for the first; the same key always gets the same number. */
export type Numbering = { number(keys: string[]): Promise<number[]> }

/** Renders what stands in place of each target, in the same order. */
export type Replacer = (targets: readonly Target[]) => Promise<string[]>

/** Values that are kept so that repeated ones need no second hash; beyond that the memory is emptied. */
const remembered = 50_000

function memory<Value>(make: (target: Target) => Value) {
  const known = new Map<string, Value>()
  return (target: Target): Value => {
    const key = `${target.rule}\u0000${target.label}\u0000${target.value}`
    let value = known.get(key)
    if (value === undefined) {
      value = make(target)
      if (known.size >= remembered) known.clear()
      known.set(key, value)
    }
    return value
  }
}

/** Makes the replacer of one asset. */
export function createReplacer(rules: readonly PlannedRule[], secrets: Secrets, numbering: Numbering): Replacer {
  const numbers = new Map<string, number>()
  const keyOf = memory(({ rule, value }) => numberKey({ rule: rules[rule]!.ruleId, value }, secrets.pseudonym))
  const hashOf = memory(({ value }) => keyedHash(value, secrets.hash))
  const generalisers = rules.map(({ replacement }) =>
    'generalise' in replacement ? createGeneraliser(replacement.generalise) : undefined,
  )
  const nameOf = memory(({ value, label }) => pseudonym(value, label, secrets.pseudonym))

  const numberAll = async (targets: readonly Target[]) => {
    const keys = new Set(targets.filter(({ rule }) => isNumbered(rules[rule]!.replacement)).map(keyOf))
    if (keys.size === 0) return
    if (numbers.size >= remembered) numbers.clear()
    const fresh = [...keys].filter(key => !numbers.has(key))
    const given = fresh.length > 0 ? await numbering.number(fresh) : []
    fresh.forEach((key, index) => {
      numbers.set(key, given[index]!)
    })
  }

  const render = (target: Target): string => {
    const { replacement, name } = rules[target.rule]!
    if ('text' in replacement) {
      const n = isNumbered(replacement) ? numbers.get(keyOf(target)) : undefined
      return fillTemplate(replacement.text, { label: target.label, rule: name, n })
    }
    if ('mask' in replacement) return mask(target, replacement.mask)
    if ('hash' in replacement) return hashOf(target)
    if ('pseudonym' in replacement) return nameOf(target)
    if ('suppress' in replacement) return suppressed
    if ('generalise' in replacement) return generalisers[target.rule]!(target.value)
    return ''
  }

  return async targets => {
    await numberAll(targets)
    return targets.map(render)
  }
}
