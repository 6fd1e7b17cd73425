import type { Definition, Properties } from './definition.ts'

/** A method of the API: a function that answers, or a fixed answer. */
type Target =
  | { functionId: string; timeout: number }
  /** A preflight: status and headers. */
  | { status: number; headers: Record<string, string> }

const integration = 'x-amazon-apigateway-integration'
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']

/** One level of paths: what comes next, by its text or as a parameter. */
type Level = {
  path: string
  methods: Map<string, Target>
  next: Map<string, Level>
  parameter?: { name: string; level: Level }
}

export type Route = { target: Target; resource: string; parameters: Record<string, string> | null }

/** Finds the method for a path, the segments still percent-encoded; text beats a parameter, as in API Gateway. */
export type Router = (method: string, segments: string[]) => Route | undefined

/** The routes of the document that a REST API is made from. */
export function readRoutes({ paths }: Definition): Router {
  const root: Level = { path: '/', methods: new Map(), next: new Map() }
  for (const [path, operations] of Object.entries(paths)) {
    const level = path.split('/').filter(Boolean).reduce(below, root)
    for (const method of methods) {
      const operation = operations[method.toLowerCase()]
      if (operation) level.methods.set(method, targetOf(`${method} ${path}`, operation[integration]))
    }
  }

  return (method, segments) => {
    let level = root
    const parameters: Record<string, string> = {}
    for (const segment of segments) {
      const next = level.next.get(segment)
      if (next) level = next
      else if (level.parameter && segment !== '') {
        parameters[level.parameter.name] = segment
        level = level.parameter.level
      } else return undefined
    }
    const target = level.methods.get(method)
    const named = Object.keys(parameters).length > 0 ? parameters : null
    return target && { target, resource: level.path, parameters: named }
  }
}

/** The level below another for a part of a path, made where it is first needed. */
function below(level: Level, part: string): Level {
  const made: Level = {
    path: `${level.path === '/' ? '' : level.path}/${part}`,
    methods: new Map(),
    next: new Map(),
  }
  if (part.startsWith('{')) {
    level.parameter ??= { name: part.slice(1, -1), level: made }
    return level.parameter.level
  }
  const found = level.next.get(part) ?? made
  level.next.set(part, found)
  return found
}

function targetOf(route: string, { type, uri, timeoutInMillis, responses }: Properties): Target {
  if (type === 'aws_proxy') {
    const [, functionId] = /"([A-Za-z0-9]+)","Arn"/.exec(JSON.stringify(uri))!
    return { functionId: functionId!, timeout: timeoutInMillis }
  }
  if (type !== 'mock') throw new Error(`The local cloud does not know the integration of ${route}`)
  const { statusCode, responseParameters } = responses.default
  const headers = Object.entries(responseParameters as Record<string, string>).map(([name, value]) => [
    name.replace('method.response.header.', ''),
    value.replace(/^'|'$/g, ''),
  ])
  return { status: Number(statusCode), headers: Object.fromEntries(headers) }
}
