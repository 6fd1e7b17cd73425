import { invalid } from '../aws/errors.ts'
import { type Lexer, openLexer, type Path, type Scope } from './lexer.ts'
import { valueAt } from './path.ts'
import {
  as,
  compareValues,
  equalValues,
  type Item,
  setElements,
  type TypeName,
  typeNames,
  typeOf,
  type Value,
} from './value.ts'

/** What a comparison compares: a place, a given value, or the size of what stands at a place. */
export type Operand = { path: Path } | { value: Value } | { sizeOf: Path }

type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>='
type Check = 'attribute_exists' | 'attribute_not_exists' | 'attribute_type' | 'begins_with' | 'contains'

/** A condition, parsed. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { compare: Comparator; left: Operand; right: Operand }
  | { between: Operand; low: Operand; high: Operand }
  | { in: Operand; list: Operand[] }
  | { check: Check; path: Path; argument?: Operand }

const comparators = new Set(['=', '<>', '<', '<=', '>', '>='])
const checks = new Set(['attribute_exists', 'attribute_not_exists', 'attribute_type', 'begins_with', 'contains'])
const MAX_OPERATORS = 300

/** Reads a condition, filter or key condition. */
export function parseCondition(expression: string, scope: Scope): Condition {
  const lexer = openLexer(expression, scope)
  const budget = { left: MAX_OPERATORS }
  const condition = parseOr(lexer, budget)
  lexer.end()
  return condition
}

interface Budget {
  left: number
}

function spend(budget: Budget): void {
  if (--budget.left < 0) throw invalid(`The expression contains too many operators; maximum: ${MAX_OPERATORS}`)
}

function parseOr(lexer: Lexer, budget: Budget): Condition {
  const any = [parseAnd(lexer, budget)]
  while (lexer.take('OR')) {
    spend(budget)
    any.push(parseAnd(lexer, budget))
  }
  return any.length === 1 ? any[0]! : { any }
}

function parseAnd(lexer: Lexer, budget: Budget): Condition {
  const all = [parseNot(lexer, budget)]
  while (lexer.take('AND')) {
    spend(budget)
    all.push(parseNot(lexer, budget))
  }
  return all.length === 1 ? all[0]! : { all }
}

function parseNot(lexer: Lexer, budget: Budget): Condition {
  if (!lexer.take('NOT')) return parseTerm(lexer, budget)
  spend(budget)
  return { not: parseNot(lexer, budget) }
}

function parseTerm(lexer: Lexer, budget: Budget): Condition {
  if (lexer.peek() === '(') {
    spend(budget)
    lexer.next()
    const redundant = lexer.peek() === '('
    const inner = parseOr(lexer, budget)
    lexer.expect(')')
    if (redundant && !('all' in inner || 'any' in inner || 'not' in inner))
      throw invalid('The expression has redundant parentheses;')
    return inner
  }
  const name = lexer.peek()
  if (name && lexer.peek(1) === '(' && name !== 'size') return parseCheck(lexer)
  const left = parseOperand(lexer)
  spend(budget)
  if (lexer.take('BETWEEN')) {
    const low = parseOperand(lexer)
    lexer.expect('AND')
    const high = parseOperand(lexer)
    if ('value' in low && 'value' in high && (compareValues(low.value, high.value) ?? 1) > 0)
      throw invalid(
        'The BETWEEN operator requires upper bound to be greater than or equal to lower bound, of the same type',
      )
    return { between: left, low, high }
  }
  if (lexer.take('IN')) {
    lexer.expect('(')
    const list = [parseOperand(lexer)]
    while (lexer.take(',')) list.push(parseOperand(lexer))
    lexer.expect(')')
    if (list.length > 100) throw invalid('The IN operator has more than 100 operands')
    return { in: left, list }
  }
  const compare = lexer.next()
  if (!comparators.has(compare)) throw invalid(`Syntax error; token: ${compare}`)
  const right = parseOperand(lexer)
  if ('path' in left) refuseSame(left.path, right)
  return { compare: compare as Comparator, left, right }
}

function refuseSame(path: Path, other: Operand): void {
  if ('path' in other && JSON.stringify(path) === JSON.stringify(other.path))
    throw invalid('The first operand must be distinct from the remaining operands for this operator or function')
}

function parseCheck(lexer: Lexer): Condition {
  const name = lexer.next()
  if (!checks.has(name)) throw invalid(`Invalid function name; function: ${name}`)
  const check = name as Check
  lexer.expect('(')
  const path = lexer.path()
  let argument: Operand | undefined
  if (!check.startsWith('attribute_') || check === 'attribute_type') {
    lexer.expect(',')
    argument = parseOperand(lexer)
    refuseSame(path, argument)
  }
  lexer.expect(')')
  if (check === 'attribute_type') {
    const type = argument && 'value' in argument ? as(argument.value, 'S') : undefined
    if (!typeNames.includes(type as TypeName))
      throw invalid('Invalid attribute type name found; valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}')
  }
  if (check === 'begins_with' && argument && 'value' in argument && !('S' in argument.value || 'B' in argument.value))
    throw invalid('Incorrect operand type for operator or function; operator or function: begins_with')
  return { check, path, argument }
}

function parseOperand(lexer: Lexer): Operand {
  const word = lexer.peek()
  if (word?.startsWith(':')) return { value: lexer.scope.value(lexer.next()) }
  if (word === 'size' && lexer.peek(1) === '(') {
    lexer.next()
    lexer.next()
    const sizeOf = lexer.path()
    lexer.expect(')')
    return { sizeOf }
  }
  return { path: lexer.path() }
}

function sizeOf(value: Value | undefined): Value | undefined {
  if (!value) return undefined
  const list = setElements(value) ?? as(value, 'L')
  if (list) return { N: String(list.length) }
  if ('S' in value) return { N: String(Buffer.byteLength(value.S)) }
  if ('B' in value) return { N: String(Buffer.from(value.B, 'base64').length) }
  if ('M' in value) return { N: String(Object.keys(value.M).length) }
  return undefined
}

const resolve = (operand: Operand, item: Item | undefined): Value | undefined =>
  'value' in operand
    ? operand.value
    : 'path' in operand
      ? valueAt(item, operand.path)
      : sizeOf(valueAt(item, operand.sizeOf))

const within = (value: Value | undefined, low: Value | undefined, high: Value | undefined) =>
  value !== undefined &&
  low !== undefined &&
  high !== undefined &&
  (compareValues(value, low) ?? -1) >= 0 &&
  (compareValues(value, high) ?? 1) <= 0

function compared(comparator: Comparator, left: Value | undefined, right: Value | undefined): boolean {
  if (!left || !right) return comparator === '<>'
  if (comparator === '=') return equalValues(left, right)
  if (comparator === '<>') return !equalValues(left, right)
  const order = compareValues(left, right)
  if (order === undefined) return false
  if (comparator === '<') return order < 0
  if (comparator === '<=') return order <= 0
  return comparator === '>' ? order > 0 : order >= 0
}

function contains(value: Value, argument: Value): boolean {
  const set = setElements(value)
  if (set) return typeOf(value) === `${typeOf(argument)}S` && set.includes(Object.values(argument)[0] as string)
  if ('L' in value) return value.L.some(element => equalValues(element, argument))
  if ('S' in value && 'S' in argument) return value.S.includes(argument.S)
  return 'B' in value && 'B' in argument && Buffer.from(value.B, 'base64').includes(Buffer.from(argument.B, 'base64'))
}

function beginsWith(value: Value, prefix: Value): boolean {
  if ('S' in value && 'S' in prefix) return value.S.startsWith(prefix.S)
  if (!('B' in value && 'B' in prefix)) return false
  const bytes = Buffer.from(prefix.B, 'base64')
  return Buffer.from(value.B, 'base64').subarray(0, bytes.length).equals(bytes)
}

/** Whether an item (undefined: there is none) meets a condition. */
export function conditionHolds(condition: Condition, item: Item | undefined): boolean {
  if ('all' in condition) return condition.all.every(inner => conditionHolds(inner, item))
  if ('any' in condition) return condition.any.some(inner => conditionHolds(inner, item))
  if ('not' in condition) return !conditionHolds(condition.not, item)
  if ('compare' in condition)
    return compared(condition.compare, resolve(condition.left, item), resolve(condition.right, item))
  if ('between' in condition)
    return within(resolve(condition.between, item), resolve(condition.low, item), resolve(condition.high, item))
  if ('in' in condition) {
    const value = resolve(condition.in, item)
    return condition.list.some(operand => compared('=', value, resolve(operand, item)))
  }
  const value = valueAt(item, condition.path)
  const argument = condition.argument && resolve(condition.argument, item)
  if (condition.check === 'attribute_exists') return value !== undefined
  if (condition.check === 'attribute_not_exists') return value === undefined
  if (!value || !argument) return false
  if (condition.check === 'attribute_type') return typeOf(value) === as(argument, 'S')
  return condition.check === 'contains' ? contains(value, argument) : beginsWith(value, argument)
}

/** Every place that a condition looks at. */
export function pathsOf(condition: Condition): Path[] {
  const of = (operand: Operand | undefined): Path[] =>
    !operand || 'value' in operand ? [] : ['path' in operand ? operand.path : operand.sizeOf]
  if ('all' in condition) return condition.all.flatMap(pathsOf)
  if ('any' in condition) return condition.any.flatMap(pathsOf)
  if ('not' in condition) return pathsOf(condition.not)
  if ('compare' in condition) return [...of(condition.left), ...of(condition.right)]
  if ('between' in condition) return [condition.between, condition.low, condition.high].flatMap(of)
  if ('in' in condition) return [condition.in, ...condition.list].flatMap(of)
  return [condition.path, ...of(condition.argument)]
}
