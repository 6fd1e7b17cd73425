import { invalid } from '../aws/errors.ts'
import { reservedWords } from './reserved.ts'
import { type Item, readItem, type Value } from './value.ts'

/** A place in an item: attribute names and list positions, outermost first. */
export type Path = (string | number)[]

/** The names and values that a request's expressions stand in for, and which of them were used. */
export interface Scope {
  name(placeholder: string): string
  value(placeholder: string): Value
  /** Refuses names and values that no expression used; called when all of them are parsed. */
  finish(): void
}

/** Opens the placeholders of a request; an empty object is refused like AWS does. */
export function openScope(
  names: Readonly<Record<string, string>> = {},
  values: Readonly<Record<string, unknown>> | undefined,
): Scope {
  const items: Item = values ? readItem(values) : {}
  const unused = new Set([...Object.keys(names), ...Object.keys(items)])
  for (const name of unused)
    if (!/^[#:][\p{L}\p{N}_]+$/u.test(name)) throw invalid(`Syntax error; invalid placeholder: ${name}`)
  return {
    name(placeholder) {
      if (!Object.hasOwn(names, placeholder))
        throw invalid(
          `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
        )
      unused.delete(placeholder)
      return names[placeholder]!
    },
    value(placeholder) {
      if (!Object.hasOwn(items, placeholder))
        throw invalid(
          `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
        )
      unused.delete(placeholder)
      return items[placeholder]!
    },
    finish() {
      if (unused.size)
        throw invalid(
          `Value unused in expressions: keys: {${[...unused].join(', ')}} of ExpressionAttributeNames or ExpressionAttributeValues`,
        )
    },
  }
}

/** The words of an expression, read one after the other. */
export interface Lexer {
  /** The next word without taking it; undefined at the end. */
  peek(ahead?: number): string | undefined
  next(): string
  /** Takes the next word if it is this one (keywords in any case). */
  take(word: string): boolean
  expect(word: string): void
  path(): Path
  end(): void
  scope: Scope
}

const token = /\s+|([A-Za-z_][A-Za-z0-9_]*|[#:][\p{L}\p{N}_]+|\d+|<>|<=|>=|[=<>(),.[\]+-])/uy
const MAX_EXPRESSION = 4096

function words(expression: string): string[] {
  if (expression.trim() === '') throw invalid('The expression can not be empty;')
  if (Buffer.byteLength(expression) > MAX_EXPRESSION)
    throw invalid('Expression size has exceeded the maximum allowed size')
  const found: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < expression.length) {
    const at = token.lastIndex
    const match = token.exec(expression)
    if (!match) throw invalid(`Syntax error; token: "${expression[at]}"`)
    if (match[1]) found.push(match[1])
  }
  return found
}

/** Reads an expression of at most 4 KB. */
export function openLexer(expression: string, scope: Scope): Lexer {
  const list = words(expression)
  let at = 0
  const lexer: Lexer = {
    scope,
    peek: (ahead = 0) => list[at + ahead],
    next() {
      const word = list[at++]
      if (word === undefined) throw invalid('Syntax error; token: <EOF>')
      return word
    },
    take(word) {
      if (list[at]?.toUpperCase() !== word) return false
      at++
      return true
    },
    expect(word) {
      if (!lexer.take(word)) throw invalid(`Syntax error; token: ${list[at] ?? '<EOF>'}, expected: ${word}`)
    },
    path() {
      const path: Path = [part(lexer)]
      for (;;) {
        if (lexer.take('.')) path.push(part(lexer))
        else if (lexer.take('[')) {
          const position = lexer.next()
          if (!/^\d{1,6}$/.test(position)) throw invalid(`Syntax error; token: ${position}`)
          lexer.expect(']')
          path.push(Number(position))
        } else break
      }
      if (path.length > 32) throw invalid('The document path has too many nesting elements')
      return path
    },
    end() {
      if (at < list.length) throw invalid(`Syntax error; token: ${list[at]}`)
    },
  }
  return lexer
}

function part(lexer: Lexer): string {
  const word = lexer.next()
  if (word.startsWith('#')) return lexer.scope.name(word)
  if (!/^[A-Za-z_]/.test(word)) throw invalid(`Syntax error; token: ${word}`)
  if (reservedWords.has(word.toUpperCase()))
    throw invalid(`Attribute name is a reserved keyword; reserved keyword: ${word}`)
  return word
}
