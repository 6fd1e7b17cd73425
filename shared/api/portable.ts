type Json = Record<string, unknown>
type Schemas = Record<string, Json>

const REFERENCE = '#/components/schemas/'

/**
 * The schemas of a document in a form that generators of clients understand: every object among the members of a union
 * is a schema of its own, named after what tells it apart (`RuleRegex`), with a discriminator where one field does.
 */
export function portableSchemas(schemas: Schemas): Schemas {
  const named: Schemas = {}
  const add = (name: string, schema: Json) => {
    if (named[name] ?? schemas[name]) throw new Error(`Two schemas of the interface would be named ${name}`)
    named[name] = {}
    named[name] = portable(schema, name, add) as Json
  }
  for (const [name, schema] of Object.entries(schemas)) named[name] = portable(schema, name, add) as Json
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * What many readers of a document stumble over, said in another way: patterns with what not all engines know, such as
 * classes of Unicode and looks ahead; constants that are no texts; and objects as defaults.
 */
export function portableFields<Of>(document: Of): Of {
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (typeof value !== 'object' || value === null || key === 'properties') return value
    if (typeof value.pattern === 'string') spellOut(value)
    if (value.default?.constructor === Object) delete value.default
    if (typeof value.const === 'boolean') delete value.const
    return value
  })
}

function spellOut(schema: Json): void {
  const pattern = (schema.pattern as string).replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f')
  if (!/\\[pu]|\(\?[!=<]|\\[1-9]/.test(pattern)) schema.pattern = pattern
  else {
    schema.description = [schema.description, `Matches \`${pattern}\` of ECMAScript.`].filter(Boolean).join('. ')
    delete schema.pattern
  }
}

function portable(node: unknown, name: string, add: (name: string, schema: Json) => void): unknown {
  if (Array.isArray(node)) return node.map(item => portable(item, name, add))
  if (typeof node !== 'object' || node === null) return node
  const { anyOf, oneOf, ...schema } = node as { anyOf?: Json[]; oneOf?: Json[] } & Json
  const inner = Object.entries(schema).map(([key, value]) => {
    if (key === 'examples' || key === 'enum' || key === 'default') return [key, value]
    if (key !== 'properties') return [key, portable(value, name, add)]
    const properties = Object.entries(value as Schemas)
    return [
      key,
      Object.fromEntries(properties.map(([field, of]) => [field, portable(of, joined(name, pascal(field)), add)])),
    ]
  })
  const members = (oneOf ?? anyOf)?.flatMap(member => (member.oneOf as Json[]) ?? [member])
  return { ...Object.fromEntries(inner), ...(members && union(members, oneOf ? 'oneOf' : 'anyOf', name, add)) }
}

function union(members: Json[], keyword: string, name: string, add: (name: string, schema: Json) => void): Json {
  const field = members.length > 1 ? discriminatorOf(members) : undefined
  const objects = members.filter(({ type }) => type === 'object')
  const references = members.map(member => {
    if (member.type !== 'object' || members.length === 1) return portable(member, name, add) as Json
    const own = joined(name, pascal(valuesOf(member, field)[0] ?? ownField(member, objects)))
    add(own, member)
    return { $ref: REFERENCE + own }
  })
  if (!field) return { [objects.length > 0 && areExclusive(members) ? 'oneOf' : keyword]: references }
  const mapping = members.flatMap((member, n) => valuesOf(member, field).map(value => [value, references[n]!.$ref]))
  return { oneOf: references, discriminator: { propertyName: field, mapping: Object.fromEntries(mapping) } }
}

/** Whether nothing can be two of the members: another reading of `anyOf`, which many take to mean all of them at once. */
const areExclusive = (members: Json[]): boolean =>
  members.every((one, n) => members.slice(n + 1).every(other => excludes(one, other) || excludes(other, one)))

/** Whether what one member describes needs something that the other refuses. */
function excludes(one: Json, other: Json): boolean {
  if (one.type !== other.type) return typeof one.type === 'string' && typeof other.type === 'string'
  if (one.type !== 'object' || other.additionalProperties !== false) return false
  return ((one.required as string[]) ?? []).some(field => {
    const [own, others] = [valuesOf(one, field), valuesOf(other, field)]
    const differ = own.length > 0 && others.length > 0 && !own.some(value => others.includes(value))
    return differ || !(field in (other.properties as Json))
  })
}

/** The field whose values tell the objects of a union apart, if there is one. */
function discriminatorOf(members: Json[]): string | undefined {
  return Object.keys((members[0]!.properties as Schemas) ?? {}).find(field => {
    const values = members.map(member => valuesOf(member, field))
    return values.every(own => own.length > 0) && new Set(values.flat()).size === values.flat().length
  })
}

/** The values that a field of an object may have, if they are few and texts. */
function valuesOf({ properties, required }: Json, field: string | undefined): string[] {
  const { const: only, enum: several } = (properties as Schemas)?.[field ?? ''] ?? {}
  if (!(required as string[] | undefined)?.includes(field ?? '')) return []
  return [only, ...((several as unknown[]) ?? [])].filter(value => typeof value === 'string')
}

/** What an object has and no other of a union: a value of `type` or `kind`, or the name of a field that must be there. */
function ownField(object: Json, others: Json[]): string {
  for (const field of ['type', 'kind']) if (valuesOf(object, field).length === 1) return valuesOf(object, field)[0]!
  const elsewhere = new Set(others.flatMap(other => (other === object ? [] : Object.keys(other.properties as Json))))
  const own = (object.required as string[]).find(field => !elsewhere.has(field))
  if (!own) throw new Error(`Nothing tells apart ${JSON.stringify(object).slice(0, 200)}`)
  return own
}

/** A name and what follows it, unless it ends with that already. */
const joined = (name: string, part: string): string => (name.endsWith(part) ? name : name + part)

/** Text as part of a name: `FTP/SFTP` as `FtpSftp`, `regexRuleConfig` as `RegexRuleConfig`. */
const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(word => (word === word.toUpperCase() ? word.toLowerCase() : word))
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
