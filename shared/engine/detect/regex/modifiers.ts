import type { AST } from '@eslint-community/regexpp'

/** Flags that groups around a place have set or taken away. */
type Changes = Readonly<Partial<Record<'i' | 'm' | 's', boolean>>>

const letters = [
  ['i', 'ignoreCase'],
  ['m', 'multiline'],
  ['s', 'dotAll'],
] as const

/**
 * A pattern that finds the same, in which no group that changes flags holds alternatives: `(?i:a|b)` becomes `(?:(?i:a)|(?i:b))`.
 * V8 (13.6, in Node.js 24) takes the former for `(?:a|b)` in what it compiles when it has compiled a great deal already, and
 * always with `--no-regexp-optimization`. So a rule would find less in a process that has run for long.
 */
export const spreadModifiers = (pattern: AST.Pattern): string =>
  holdsModifiers(pattern) ? alternativesOf(pattern, {}) : pattern.raw

const holdsModifiers = ({ raw }: AST.Node): boolean => /\(\?[ims-]+:/.test(raw)

const alternativesOf = ({ alternatives }: { alternatives: AST.Alternative[] }, changes: Changes): string =>
  alternatives.map(({ elements }) => elementsOf(elements, changes)).join('|')

function elementsOf(elements: readonly AST.Element[], changes: Changes): string {
  let [text, plain] = ['', '']
  const close = () => {
    text += plain && wrapped(plain, changes)
    plain = ''
  }
  for (const element of elements) {
    if (!needsSpreading(element)) {
      plain += element.raw
      continue
    }
    close()
    text += element.type === 'Quantifier' ? quantified(element, changes) : group(element as Grouping, changes)
  }
  close()
  return text
}

type Grouping = AST.Group | AST.CapturingGroup | AST.LookaroundAssertion

const isGrouping = (node: AST.Element): node is Grouping => 'alternatives' in node

/** Whether an element is or holds a group with alternatives or flags of its own. */
function needsSpreading(node: AST.Element): boolean {
  if (node.type === 'Quantifier') return needsSpreading(node.element)
  if (!isGrouping(node)) return false
  if (node.alternatives.length > 1 || (node.type === 'Group' && node.modifiers)) return true
  return node.alternatives.some(({ elements }) => elements.some(needsSpreading))
}

const quantified = ({ raw, element }: AST.Quantifier, changes: Changes): string =>
  group(element as Grouping, changes) + raw.slice(element.raw.length)

function group(node: Grouping, changes: Changes): string {
  const inner = node.type === 'Group' ? changed(changes, node.modifiers) : changes
  return `${openerOf(node)}${alternativesOf(node, inner)})`
}

function openerOf(node: Grouping): string {
  if (node.type === 'Group') return '(?:'
  if (node.type === 'CapturingGroup') return node.name === null ? '(' : `(?<${node.name}>`
  return `(?${node.kind === 'lookbehind' ? '<' : ''}${node.negate ? '!' : '='}`
}

function changed(changes: Changes, modifiers: AST.Modifiers | null): Changes {
  const all = { ...changes }
  for (const [letter, name] of letters) {
    if (modifiers?.add[name]) all[letter] = true
    if (modifiers?.remove?.[name]) all[letter] = false
  }
  return all
}

/** A part without alternatives, with the flags that hold in it. */
function wrapped(raw: string, changes: Changes): string {
  const those = (on: boolean) => letters.flatMap(([letter]) => (changes[letter] === on ? letter : [])).join('')
  const [added, removed] = [those(true), those(false)]
  if (!added && !removed) return raw
  return `(?${added}${removed && `-${removed}`}:${raw})`
}
