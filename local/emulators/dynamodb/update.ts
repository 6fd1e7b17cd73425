import { invalid } from '../aws/errors.ts'
import { type Lexer, openLexer, type Path, type Scope } from './lexer.ts'
import { addDecimals, formatDecimal, negate, parseDecimal } from './number.ts'
import { refuseOverlaps, valueAt } from './path.ts'
import { as, type Item, setAttribute, setElements, typeOf, type Value } from './value.ts'

type Source =
  | { value: Value }
  | { path: Path }
  | { ifNotExists: Path; otherwise: Source }
  | { append: [Source, Source] }
  | { sign: 1 | -1; left: Source; right: Source }

interface Section {
  SET: { path: Path; source: Source }[]
  REMOVE: { path: Path }[]
  ADD: { path: Path; value: Value }[]
  DELETE: { path: Path; value: Value }[]
}

/** An update, parsed; `paths` are the places that it changes. */
export interface Update extends Section {
  paths: Path[]
}

/** Reads an update expression. */
export function parseUpdate(expression: string, scope: Scope): Update {
  const lexer = openLexer(expression, scope)
  const sections: Section = { SET: [], REMOVE: [], ADD: [], DELETE: [] }
  const seen = new Set<string>()
  while (lexer.peek() !== undefined) {
    const word = lexer.next()
    const section = word.toUpperCase()
    if (!Object.hasOwn(sections, section)) throw invalid(`Syntax error; token: ${word}`)
    if (seen.has(section)) throw invalid(`The "${section}" section can only be used once in an update expression;`)
    seen.add(section)
    do parseClause(lexer, section as keyof Section, sections)
    while (lexer.take(','))
  }
  const paths = Object.values(sections).flatMap(clauses => clauses.map((clause: { path: Path }) => clause.path))
  refuseOverlaps(paths)
  return { ...sections, paths }
}

function parseClause(lexer: Lexer, section: keyof Section, sections: Section): void {
  const path = lexer.path()
  if (section === 'REMOVE') sections.REMOVE.push({ path })
  else if (section === 'SET') {
    lexer.expect('=')
    sections.SET.push({ path, source: parseSum(lexer, parseSource(lexer)) })
  } else {
    const value = lexer.scope.value(lexer.next())
    if (!setElements(value) && !(section === 'ADD' && 'N' in value))
      throw invalid(
        `Incorrect operand type for operator or function; operator: ${section}, operand type: ${typeOf(value)}`,
      )
    sections[section].push({ path, value })
  }
}

/** Refuses a given value that an operator or function can't take, whatever the item holds. */
function needType(source: Source, type: 'N' | 'L', operator: string): Source {
  if ('value' in source && typeOf(source.value) !== type)
    throw invalid(
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${typeOf(source.value)}`,
    )
  return source
}

/** What may follow an operand: nothing, or a sign and a second operand. */
function parseSum(lexer: Lexer, left: Source): Source {
  const sign = lexer.take('+') ? 1 : lexer.take('-') ? -1 : 0
  if (sign === 0) return left
  const operator = sign === 1 ? '+' : '-'
  return { sign, left: needType(left, 'N', operator), right: needType(parseSource(lexer), 'N', operator) }
}

function parseSource(lexer: Lexer): Source {
  const word = lexer.peek()
  if (word === '(') {
    lexer.next()
    const source = parseSum(lexer, parseSource(lexer))
    lexer.expect(')')
    return source
  }
  if (word?.startsWith(':')) return { value: lexer.scope.value(lexer.next()) }
  if (lexer.peek(1) !== '(') return { path: lexer.path() }
  lexer.next()
  lexer.next()
  let source: Source
  if (word === 'if_not_exists') {
    const ifNotExists = lexer.path()
    lexer.expect(',')
    source = { ifNotExists, otherwise: parseSource(lexer) }
  } else if (word === 'list_append') {
    const first = needType(parseSource(lexer), 'L', word)
    lexer.expect(',')
    source = { append: [first, needType(parseSource(lexer), 'L', word)] }
  } else throw invalid(`Invalid function name; function: ${word}`)
  lexer.expect(')')
  return source
}

function evaluate(source: Source, item: Item): Value {
  if ('value' in source) return source.value
  if ('path' in source) {
    const value = valueAt(item, source.path)
    if (!value) throw invalid('The provided expression refers to an attribute that does not exist in the item')
    return value
  }
  if ('ifNotExists' in source) return valueAt(item, source.ifNotExists) ?? evaluate(source.otherwise, item)
  if ('append' in source) {
    const [first, second] = source.append.map(part => as(evaluate(part, item), 'L'))
    if (!first || !second) throw invalid('An operand in the update expression has an incorrect data type')
    return { L: [...first, ...second] }
  }
  const [left, right] = [evaluate(source.left, item), evaluate(source.right, item)]
  if (!('N' in left && 'N' in right)) throw invalid('An operand in the update expression has an incorrect data type')
  const second = parseDecimal(right.N)
  return { N: formatDecimal(addDecimals(parseDecimal(left.N), source.sign === 1 ? second : negate(second))) }
}

const badPath = () => invalid('The document path provided in the update expression is invalid for update')

function parentOf(item: Item, path: Path): Value {
  const parent: Value | undefined = path.length === 1 ? { M: item } : valueAt(item, path.slice(0, -1))
  const last = path.at(-1)
  if (!parent || (typeof last === 'string' ? !('M' in parent) : !('L' in parent))) throw badPath()
  return parent
}

function put(item: Item, path: Path, value: Value): void {
  const parent = parentOf(item, path)
  const last = path.at(-1)!
  if (typeof last === 'string') setAttribute(as(parent, 'M')!, last, value)
  else {
    const list = as(parent, 'L')!
    list[Math.min(last, list.length)] = value
  }
}

function combined(section: 'ADD' | 'DELETE', old: Value | undefined, value: Value): Value | undefined {
  if (!old) return section === 'ADD' ? value : undefined
  if (typeOf(old) !== typeOf(value)) throw invalid('An operand in the update expression has an incorrect data type')
  if ('N' in old && 'N' in value) return { N: formatDecimal(addDecimals(parseDecimal(old.N), parseDecimal(value.N))) }
  const [before, change] = [setElements(old)!, setElements(value)!]
  const elements =
    section === 'ADD' ? [...new Set([...before, ...change])] : before.filter(element => !change.includes(element))
  return elements.length ? ({ [typeOf(old)]: elements } as Value) : undefined
}

function removeAt(item: Item, path: Path): void {
  const parent = parentOf(item, path)
  const last = path.at(-1)!
  if (typeof last === 'string') delete as(parent, 'M')![last]
  else as(parent, 'L')!.splice(last, 1)
}

const position = ({ path }: { path: Path }) => (typeof path.at(-1) === 'number' ? (path.at(-1) as number) : -1)
const byPosition = (a: { path: Path }, b: { path: Path }) => position(a) - position(b)

/** The item after an update; the one given is left as it was. Everything is computed from the item before. */
export function applyUpdate(update: Update, before: Item): Item {
  const after = structuredClone(before)
  const values = update.SET.map(({ path, source }) => ({ path, value: structuredClone(evaluate(source, before)) }))
  for (const { path, value } of values.sort(byPosition)) put(after, path, value)
  for (const section of ['ADD', 'DELETE'] as const)
    for (const { path, value } of update[section]) {
      parentOf(before, path)
      const result = combined(section, valueAt(before, path), value)
      if (result) put(after, path, result)
      else if (valueAt(after, path)) removeAt(after, path)
    }
  // The last position first, so that taking one element out of a list doesn't move the next one.
  for (const { path } of update.REMOVE.toSorted(byPosition).reverse()) removeAt(after, path)
  return after
}
