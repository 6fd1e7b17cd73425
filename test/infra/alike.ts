/** As much of a template as is looked at here. */
type Template = { Resources: Record<string, object> }

/** What differs in resources that are alike: how they are called, what code they have, what is said of them. */
const ownNames = new Set(['FunctionName', 'S3Key', 'Description', 'aws:cdk:path'])

const withoutNames = (resource: unknown): string =>
  JSON.stringify(resource, (key, value) => (ownNames.has(key) ? '' : value))

/** A part of a template that names other resources in place of some. */
const renamed = (part: unknown, names: ReadonlyMap<string, string>): unknown =>
  JSON.parse(JSON.stringify(part), (_, value) => (typeof value === 'string' ? (names.get(value) ?? value) : value))

/** The id of the first resource that each is like, by its own; two are alike also where what they name is alike. */
function firstAlike({ Resources }: Template): Map<string, string> {
  let first = new Map(Object.keys(Resources).map(id => [id, id]))
  for (;;) {
    const seen = new Map<string, string>()
    const found = new Map<string, string>()
    for (const [id, resource] of Object.entries(Resources)) {
      const text = withoutNames(renamed(resource, first))
      found.set(id, seen.get(text) ?? id)
      seen.set(text, found.get(id)!)
    }
    const isSettled = new Set(found.values()).size === new Set(first.values()).size
    first = found
    if (isSettled) return first
  }
}

/** A template with the first only of all resources that are alike, which stands for them wherever they are named. */
export function withoutCopies(template: Template): Template {
  const first = firstAlike(template)
  const kept = Object.entries(template.Resources).filter(([id]) => first.get(id) === id)
  return renamed({ ...template, Resources: Object.fromEntries(kept) }, first) as Template
}
