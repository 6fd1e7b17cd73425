import { type Resource, resourcesOf, type Template } from '../template.ts'

/** A method of the API: a function that answers, or a fixed answer. */
type Target =
  | { functionId: string; timeout: number }
  /** A preflight: status and headers. */
  | { status: number; headers: Record<string, string> }

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

/** The routes of a template's REST API. */
export function readRoutes(template: Template): Router {
  const levels = new Map<string, Level>()
  const resources = new Map(resourcesOf(template, 'AWS::ApiGateway::Resource'))
  const root: Level = { path: '/', methods: new Map(), next: new Map() }

  const levelOf = (reference: Resource['Properties']): Level => {
    const properties = resources.get(reference.Ref)
    if (!properties) return root
    const known = levels.get(reference.Ref)
    if (known) return known
    const parent = levelOf(properties.ParentId)
    const part: string = properties.PathPart
    const path = `${parent === root ? '' : parent.path}/${part}`
    const level: Level = { path, methods: new Map(), next: new Map() }
    if (part.startsWith('{')) parent.parameter = { name: part.slice(1, -1), level }
    else parent.next.set(part, level)
    levels.set(reference.Ref, level)
    return level
  }

  for (const [id, { HttpMethod, ResourceId, Integration }] of resourcesOf(template, 'AWS::ApiGateway::Method')) {
    levelOf(ResourceId).methods.set(HttpMethod, targetOf(id, Integration))
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

function targetOf(id: string, integration: Resource['Properties']): Target {
  if (integration.Type === 'AWS_PROXY') {
    const [, functionId] = /"([A-Za-z0-9]+)","Arn"/.exec(JSON.stringify(integration.Uri))!
    return { functionId: functionId!, timeout: integration.TimeoutInMillis }
  }
  if (integration.Type !== 'MOCK') throw new Error(`The local cloud does not know the integration of ${id}`)
  const [response] = integration.IntegrationResponses
  const headers = Object.entries(response.ResponseParameters as Record<string, string>).map(([name, value]) => [
    name.replace('method.response.header.', ''),
    value.replace(/^'|'$/g, ''),
  ])
  return { status: Number(response.StatusCode), headers: Object.fromEntries(headers) }
}
