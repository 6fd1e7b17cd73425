/** A CloudFormation template, as far as the local cloud reads it. */
export type Template = { Resources: Record<string, Resource> }

// biome-ignore lint/suspicious/noExplicitAny: the properties of a template are plain JSON of many shapes
export type Resource = { Type: string; Properties: any }

/** What a resource is once it exists: the value of `Ref`, and its attributes. */
export type Physical = { ref: string; attributes: Record<string, string> }

/** Where everything lies. */
export const region = 'us-east-1'

const pseudo: Record<string, string> = {
  'AWS::Region': region,
  'AWS::AccountId': '000000000000',
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'Anonymisation',
}

/** The ARN of something of a service in the local cloud. */
export const arnOf = (service: string, resource: string) => `arn:aws:${service}:${region}:000000000000:${resource}`

/**
 * A value of the template with its references put in. Throws where one leads to a resource that doesn't exist here, so
 * that nothing is wired to an empty string.
 */
export function resolve(value: unknown, physical: ReadonlyMap<string, Physical>): unknown {
  if (Array.isArray(value)) return value.map(entry => resolve(entry, physical))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [name, argument] = entries[0] ?? ['', undefined]
  if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::'))) return call(name, argument, physical)
  return Object.fromEntries(entries.map(([key, entry]) => [key, resolve(entry, physical)]))
}

function call(name: string, argument: unknown, physical: ReadonlyMap<string, Physical>): unknown {
  const text = (value: unknown) => String(resolve(value, physical))
  switch (name) {
    case 'Ref':
      return pseudo[argument as string] ?? existing(physical, argument as string).ref
    case 'Fn::GetAtt': {
      const [id, attribute] = argument as [string, string]
      const value = existing(physical, id).attributes[attribute]
      if (value === undefined) throw new Error(`The local cloud knows no attribute ${attribute} of ${id}`)
      return value
    }
    case 'Fn::Join': {
      const [separator, parts] = argument as [string, unknown[]]
      return parts.map(text).join(separator)
    }
    case 'Fn::Sub':
      return (argument as string).replace(/\$\{([^}]+)\}/g, (_, reference: string) => {
        const [id, attribute] = reference.split('.') as [string, string?]
        return String(call(attribute ? 'Fn::GetAtt' : 'Ref', attribute ? [id, attribute] : id, physical))
      })
    default:
      throw new Error(`The local cloud does not know ${name}`)
  }
}

function existing(physical: ReadonlyMap<string, Physical>, id: string): Physical {
  const found = physical.get(id)
  if (!found) throw new Error(`The template refers to ${id}, which the local cloud does not create`)
  return found
}

/** Types of which the local cloud makes something. */
const created = [
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::DynamoDB::Table',
  'AWS::Events::EventBus',
  'AWS::Events::Rule',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::Scheduler::Schedule',
  'AWS::Scheduler::ScheduleGroup',
]

/** Types that need nothing here: who may call whom inside of AWS, logs and alarms, and the deployment of the API. */
const needless = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::Deployment',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::S3::BucketPolicy',
  'AWS::SQS::QueuePolicy',
]

/** Throws when a template holds a type that the local cloud doesn't know: it would be missing without a word. */
export function refuseUnknownTypes({ Resources }: Template) {
  const known = new Set([...created, ...needless])
  const unknown = Object.entries(Resources).filter(([, { Type }]) => !known.has(Type))
  if (unknown.length === 0) return
  const list = unknown.map(([id, { Type }]) => `${id} (${Type})`).join(', ')
  throw new Error(`The local cloud does not know these resources of the template: ${list}`)
}

/** The resources of one type with their logical ids. */
export const resourcesOf = ({ Resources }: Template, type: string): [string, Resource['Properties']][] =>
  Object.entries(Resources).flatMap(([id, { Type, Properties }]) => (Type === type ? [[id, Properties ?? {}]] : []))
