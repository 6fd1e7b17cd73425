import type { Access, Authorize } from 'aws-emulators'
import { type Physical, resolve, resourcesOf, type Template } from './template.ts'

/** One statement of a policy, with its references put in. */
export type Statement = {
  Effect: 'Allow' | 'Deny'
  Action: string | string[]
  Resource: string | string[]
  Condition?: Record<string, Record<string, string | string[]>>
}

/** What each condition operator means; `value` is what the request carries. */
const operators: Record<string, (value: string | undefined, wanted: string[]) => boolean> = {
  StringEquals: (value, wanted) => value !== undefined && wanted.includes(value),
  StringLike: (value, wanted) => value !== undefined && wanted.some(pattern => matches(pattern, value)),
  Null: (value, wanted) => wanted.includes(String(value === undefined)),
}

/** Statements of each function's role by the function's logical id. Throws on a condition that can't be checked here. */
export function policiesOf(template: Template, physical: ReadonlyMap<string, Physical>): Map<string, Statement[]> {
  return new Map(
    resourcesOf(template, 'AWS::Lambda::Function').map(([id, { Role }]) => {
      const statements = statementsOf(template, physical, Role['Fn::GetAtt'][0])
      for (const { Condition = {} } of statements) {
        const unknown = Object.keys(Condition).find(operator => !(operator in operators))
        if (unknown) throw new Error(`The local cloud cannot check the condition ${unknown} in the role of ${id}`)
      }
      return [id, statements]
    }),
  )
}

/** The statements of a role, given by its logical id. */
export function statementsOf(
  { Resources }: Template,
  physical: ReadonlyMap<string, Physical>,
  role: string,
): Statement[] {
  const policies: { PolicyDocument: { Statement: unknown } }[] = Resources[role]?.Properties.Policies ?? []
  return policies.flatMap(({ PolicyDocument }) => resolve(PolicyDocument.Statement, physical) as Statement[])
}

/** What somebody would do, with any service of AWS. */
type Asked = Omit<Access, 'accessKeyId' | 'service'> & { service: string }

/** Whether the statements allow it: one allows, and none denies. */
export const allows = (statements: readonly Statement[], access: Asked): boolean =>
  allow(
    statements.filter(statement => concerns(statement, access)),
    access,
  )

/** The same of statements that are about the action and the resource. */
function allow(statements: readonly Statement[], { conditions }: Pick<Asked, 'conditions'>): boolean {
  const applying = statements.filter(({ Condition = {} }) => holds(Condition, conditions))
  return applying.some(({ Effect }) => Effect === 'Allow') && !applying.some(({ Effect }) => Effect === 'Deny')
}

function concerns({ Action, Resource }: Statement, access: Asked): boolean {
  const action = `${access.service}:${access.action}`.toLowerCase()
  return (
    [Action].flat().some(pattern => matches(pattern.toLowerCase(), action)) &&
    [Resource].flat().some(pattern => matches(pattern, access.resource))
  )
}

const holds = (condition: NonNullable<Statement['Condition']>, given: Asked['conditions']): boolean =>
  Object.entries(condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => operators[operator]!(given[key], [wanted].flat())),
  )

/** Patterns of policies, which are few, as expressions. */
const compiled = new Map<string, RegExp>()

function compile(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  const expression = new RegExp(`^${source}$`, 's')
  compiled.set(pattern, expression)
  return expression
}

/** Whether a pattern with `*` and `?` matches the whole of a text. */
const matches = (pattern: string, text: string): boolean => (compiled.get(pattern) ?? compile(pattern)).test(text)

/** Actions on resources whose statements are kept: objects are resources, too. */
const MOST_KNOWN = 10_000

/**
 * Holds every function to its role, as AWS does: the access key of a function is its logical id. `operator` may do
 * everything; it is the local cloud itself. `onDenied` learns of every refusal.
 */
export function authorizer(
  policies: () => ReadonlyMap<string, readonly Statement[]>,
  operator: string,
  onDenied: (access: Access) => void,
): Authorize {
  let held: ReturnType<typeof policies> | undefined
  const known = new Map<string, Statement[]>()
  /** The statements of a role about an action on a resource, which each key of a batch asks for again. */
  const about = (access: Access): Statement[] => {
    if (held !== policies() || known.size >= MOST_KNOWN) known.clear()
    held = policies()
    const asked = `${access.accessKeyId} ${access.service}:${access.action} ${access.resource}`
    const found = known.get(asked) ?? held.get(access.accessKeyId)?.filter(one => concerns(one, access)) ?? []
    known.set(asked, found)
    return found
  }
  return access => {
    if (access.accessKeyId === operator) return true
    const allowed = allow(about(access), access)
    if (!allowed) onDenied(access)
    return allowed
  }
}
