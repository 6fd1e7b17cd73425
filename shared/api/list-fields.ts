import * as z from 'zod'
import { endpoints } from './index.ts'

type Schema = {
  pattern?: string
  properties?: Record<string, Schema>
  propertyNames?: { enum: string[] }
  items?: Schema
  enum?: string[]
}

/** Parameters that every list takes. */
const common = new Set(['skip', 'limit', 'cursor', 'search', 'sort'])

/** Every list that can be filtered or sorted, with the fields that do it, as its declaration says. */
export function lists(): { route: string; filters: string[]; sorts: string[] }[] {
  return endpoints.flatMap(({ endpoint: { route, query, body } }) => {
    const asked = fieldsOf(body).sort ? fieldsOf(body) : fieldsOf(query)
    if (!asked.sort) return []
    const inBody = asked.sort.items?.properties?.field
    const filters = inBody
      ? (asked.filters?.propertyNames?.enum ?? [])
      : Object.keys(asked).filter(name => !common.has(name))
    const sorts = inBody ? inBody.enum! : /\(([^)]+)\)/.exec(asked.sort.pattern!)![1]!.split('|')
    return [{ route, filters, sorts }]
  })
}

const fieldsOf = (schema: z.ZodType | undefined): Record<string, Schema> =>
  (schema && (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema).properties) ?? {}
