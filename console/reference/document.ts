/** A schema as the OpenAPI document has it. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  description?: string
  default?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  pattern?: string
  format?: string
  contentMediaType?: string
  additionalProperties?: Schema | boolean
}

type Body = { required?: boolean; content: Record<string, { schema: Schema }> }

/** One operation of the document. */
export type Operation = {
  method: string
  path: string
  tags: string[]
  operationId: string
  summary: string
  description?: string
  security?: unknown[]
  parameters: {
    name: string
    in: 'path' | 'query' | 'header'
    required?: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: Body
  responses: Record<string, Partial<Body> & { description: string }>
}

/** The contract, as the service shows it to everybody. */
export type Contract = { version: string; operations: Operation[]; schemas: Record<string, Schema> }

type Document = {
  info: { version: string }
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  components: { schemas: Record<string, Schema> }
}

/** The contract from its OpenAPI document. */
export function contractOf({ info, paths, components: { schemas } }: Document): Contract {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  return { version: info.version, operations, schemas }
}

/** The name at the end of a reference. */
export const nameOf = (ref: string): string => ref.split('/').at(-1)!

/** Media type and schema of a body, where there is one. */
export function contentOf(body: Partial<Body> | undefined): { type: string; schema: Schema } | undefined {
  const [first] = Object.entries(body?.content ?? {})
  return first && { type: first[0], schema: first[1].schema }
}
