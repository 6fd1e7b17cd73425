import type * as z from 'zod'

type Def = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  valueType?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  options?: z.ZodType[]
  values?: unknown[]
  entries?: Record<string, unknown>
}

const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def

/** The forms of each union that a path of a schema may lead to: several where the path leads through a union itself. */
export function unionsAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType[][] {
  const { innerType, in: from, options, shape, element, valueType } = defOf(schema)
  const inner = innerType ?? from
  if (inner) return unionsAt(inner, path)
  if (options) return path.length === 0 ? [options] : options.flatMap(form => unionsAt(form, path))
  const [key, ...rest] = path
  if (key === undefined) return []
  const next = shape && Object.hasOwn(shape, key) ? shape[String(key)] : (element ?? valueType)
  return next ? unionsAt(next, rest) : []
}

/** Whether a form has a field of this name. */
export const hasField = (form: z.ZodType, name: string): boolean => Object.hasOwn(defOf(form).shape ?? {}, name)

/** What a form looks like: `{text}` for an object with this field, else the values or the type. */
export function formOf(schema: z.ZodType): string {
  const { innerType, shape, options, values, entries, type } = defOf(schema)
  if (innerType) return formOf(innerType)
  if (options) return options.map(formOf).join(' or ')
  if (shape) {
    const needed = Object.keys(shape).filter(name => shape[name]!._zod.optin !== 'optional')
    return `{${(needed.length > 0 ? needed : Object.keys(shape)).join(', ')}}`
  }
  const listed = values ?? (entries && Object.values(entries))
  return listed ? listed.map(String).join(' or ') : type
}
