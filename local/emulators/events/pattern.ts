import { AwsError } from '../aws/errors.ts'

type Test = (value: unknown) => boolean

const invalid = (reason: string) =>
  new AwsError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`)

const operators: Record<string, (wanted: string) => Test> = {
  prefix: wanted => value => typeof value === 'string' && value.startsWith(wanted),
  suffix: wanted => value => typeof value === 'string' && value.endsWith(wanted),
  wildcard(wanted) {
    const expression = new RegExp(`^${wanted.split('*').map(RegExp.escape).join('.*')}$`, 's')
    return value => typeof value === 'string' && expression.test(value)
  },
}

/**
 * What an event pattern asks of an event: values, and texts by `prefix`, `suffix` and `wildcard`. Refuses what it does not know,
 * rather than to match too much.
 */
export function readPattern(text: string): Test {
  try {
    return fieldsOf(JSON.parse(text))
  } catch (error) {
    throw error instanceof SyntaxError ? invalid('Filter is not valid JSON') : error
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fieldsOf(pattern: unknown): Test {
  if (!isObject(pattern) || Object.keys(pattern).length === 0) throw invalid('Filter is not an object')
  const tests = Object.entries(pattern).map(([name, wanted]): Test => {
    const test = Array.isArray(wanted) ? anyOf(wanted) : fieldsOf(wanted)
    return event => test(isObject(event) && Object.hasOwn(event, name) ? event[name] : undefined)
  })
  return event => tests.every(test => test(event))
}

function anyOf(alternatives: unknown[]): Test {
  if (alternatives.length === 0) throw invalid('Empty arrays are not allowed')
  const tests = alternatives.map(alternative)
  return value => [value].flat().some(one => tests.some(test => test(one)))
}

function alternative(wanted: unknown): Test {
  if (Array.isArray(wanted)) throw invalid('An array may not stand in another')
  if (!isObject(wanted)) return value => value === wanted
  const [[name, operand] = [''], ...others] = Object.entries(wanted)
  if (others.length > 0 || !Object.hasOwn(operators, name) || typeof operand !== 'string')
    throw invalid(`Not supported here: ${Object.keys(wanted).join(', ')}`)
  return operators[name]!(operand)
}
