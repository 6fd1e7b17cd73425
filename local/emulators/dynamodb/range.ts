import { invalid } from '../aws/errors.ts'
import { type Condition, type Operand, parseCondition } from './condition.ts'
import { afterPrefix, type KeySchema, type KeyTypes, sortable } from './key.ts'
import type { Scope } from './lexer.ts'
import { typeOf, type Value } from './value.ts'

/** The rows that a key condition selects: one partition and, of its sort keys, those within the bounds. */
export interface KeyRange {
  hash: Buffer
  low?: Buffer
  lowOpen?: boolean
  high?: Buffer
  highOpen?: boolean
}

const unsupported = () => invalid('Query key condition not supported')

function nameOf(operand: Operand): string {
  if (!('path' in operand) || operand.path.length !== 1) throw unsupported()
  return operand.path[0] as string
}

function givenValue(operand: Operand | undefined): Value {
  if (!operand || !('value' in operand)) throw unsupported()
  return operand.value
}

function bounds(condition: Condition): Omit<KeyRange, 'hash'> & { name: string; values: Value[] } {
  if ('between' in condition) {
    const [low, high] = [givenValue(condition.low), givenValue(condition.high)]
    return { name: nameOf(condition.between), values: [low, high], low: sortable(low), high: sortable(high) }
  }
  if ('check' in condition && condition.check === 'begins_with') {
    const value = givenValue(condition.argument)
    const low = sortable(value)
    return { name: nameOf({ path: condition.path }), values: [value], low, high: afterPrefix(low), highOpen: true }
  }
  if (!('compare' in condition) || condition.compare === '<>') throw unsupported()
  const turned = 'value' in condition.left
  const value = givenValue(turned ? condition.left : condition.right)
  const name = nameOf(turned ? condition.right : condition.left)
  const compare = turned ? condition.compare.replace(/[<>]/, sign => (sign === '<' ? '>' : '<')) : condition.compare
  const bytes = sortable(value)
  const low = compare.startsWith('<') ? {} : { low: bytes, lowOpen: compare === '>' }
  const high = compare.startsWith('>') ? {} : { high: bytes, highOpen: compare === '<' }
  return { name, values: [value], ...low, ...high }
}

/** Reads a key condition against the keys of the table or index that it is for. */
export function parseKeyRange(expression: string, scope: Scope, keys: KeySchema, types: KeyTypes): KeyRange {
  const condition = parseCondition(expression, scope)
  const parts = 'all' in condition ? condition.all : [condition]
  if (parts.length > 2) throw invalid('Conditions can be of length 1 or 2 only')
  const all = parts.map(part => ({ ...bounds(part), exact: 'compare' in part && part.compare === '=' }))
  const hash = all.find(part => part.name === keys.hash)
  if (!hash) throw invalid(`Query condition missed key schema element: ${keys.hash}`)
  if (!hash.exact) throw unsupported()
  const range = all.find(part => part !== hash)
  if (range && range.name !== keys.range)
    throw invalid(`Query condition missed key schema element: ${keys.range ?? keys.hash}`)
  for (const part of all)
    if (part.values.some(value => typeOf(value) !== types[part.name]))
      throw invalid('One or more parameter values were invalid: Condition parameter type does not match schema type')
  if (hash.low!.length === 0)
    throw invalid('One or more parameter values are not valid. A key attribute cannot contain an empty value')
  return { hash: hash.low!, low: range?.low, lowOpen: range?.lowOpen, high: range?.high, highOpen: range?.highOpen }
}
