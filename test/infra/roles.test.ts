import { describe, expect, test } from 'vitest'
import { expectedFunctions } from '../../infra/bundle.ts'
import { pascal } from '../../infra/data.ts'
import { resourcePath } from '../../infra/definition.ts'
import { grants } from '../../infra/grants.ts'
import { tableActions } from '../../infra/iam-actions.ts'
import { isAudited, isRepeatable } from '../../shared/api/endpoint.ts'
import { endpoints } from '../../shared/api/index.ts'
import { type Kind, kinds } from '../../shared/store/kinds.ts'
import { synthesise } from './synth.ts'

type Statement = { Effect: string; Action: string | string[]; Resource: unknown; Condition?: object }

const resources = Object.entries(
  // biome-ignore lint/suspicious/noExplicitAny: a template is plain JSON
  synthesise().toJSON().Resources as Record<string, { Type: string; Properties: any }>,
)
const roles = resources.flatMap(([id, { Type, Properties }]) =>
  Type === 'AWS::IAM::Role' &&
  Properties.AssumeRolePolicyDocument.Statement[0].Principal.Service === 'lambda.amazonaws.com'
    ? [
        [
          id,
          Properties.Policies.flatMap(
            (policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement,
          ),
        ] as [string, Statement[]],
      ]
    : [],
)

/** Actions that know no resource; everything else must name the resources that it may touch. */
const withoutResource = /^(xray:PutTraceSegments|xray:PutTelemetryRecords|comprehend:Detect(Pii)?Entities)$/

describe('the table of grants', () => {
  test.each([...expectedFunctions().keys()])('has a row for %s', name => {
    expect(grants[name]).toBeDefined()
  })

  test('has no row for a function that does not exist', () => {
    const known = new Set(expectedFunctions().keys())
    expect(Object.keys(grants).filter(name => !known.has(name))).toEqual([])
  })
})

test('functions may read the record that a path begins with, together with the caller', () => {
  const refused = endpoints.filter(({ resource, operation, parameters: [name = ''] }) => {
    const kind: Kind | undefined = (kinds as Record<string, Kind>)[name]
    const level = kind && grants[`${resource}.${operation}`]!.tables?.[kind.table]
    return kind && !(level && tableActions[level].includes('BatchGetItem'))
  })
  expect(refused.map(({ endpoint }) => endpoint.route)).toEqual([])
})

describe.each(roles)('%s', (_, statements) => {
  test('allows named actions on named resources', () => {
    for (const { Effect, Action, Resource } of statements) {
      expect(Effect).toBe('Allow')
      for (const action of [Action].flat()) {
        expect(action).not.toContain('*')
        if (!withoutResource.test(action)) expect(Resource).not.toBe('*')
      }
      // A wildcard stands behind the name of a bucket or a log group only.
      for (const resource of [Resource].flat()) {
        const text = JSON.stringify(resource)
        if (text !== '"*"' && text.includes('*')) expect(text).toMatch(/Bucket\w+","Arn"\]\},"\/\*"/)
      }
    }
  })

  test('uses keys by way of the services, or for its own purpose', () => {
    for (const { Action, Condition, Resource } of statements) {
      const actions = [Action].flat()
      if (!JSON.stringify(Resource).includes('"KeyData"')) continue
      expect(actions.every(action => action.startsWith('kms:'))).toBe(true)
      expect(JSON.stringify(Condition)).toMatch(/kms:ViaService|kms:EncryptionContext:sourceId/)
    }
  })
})

test('API Gateway may call the function of each endpoint by the role of its area, and no other function', () => {
  const names = new Map(
    resources.flatMap(([id, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Function' ? [[id, Properties.FunctionName.replace('Anonymisation-', '')] as const] : [],
    ),
  )
  const callers = resources.filter(([id]) => id.includes('Caller'))
  const called = callers.map(([id, { Properties }]) => {
    expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([
      { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } },
    ])
    const [{ PolicyDocument }] = Properties.Policies
    const [{ Effect, Action, Resource }, ...others] = PolicyDocument.Statement
    expect([Effect, Action, others, Properties.Policies.length]).toEqual(['Allow', 'lambda:InvokeFunction', [], 1])
    return [id, [Resource].flat().map(resource => names.get(resource['Fn::GetAtt'][0]))] as const
  })
  expect(called.flatMap(([, functions]) => functions).sort()).toEqual(
    endpoints.map(({ resource, operation }) => `${resource}-${operation}`).sort(),
  )
  const { paths } = resources.find(([, { Type }]) => Type === 'AWS::ApiGateway::RestApi')![1].Properties.Body
  for (const { resource, operation, method, path } of endpoints) {
    const { credentials } = paths[resourcePath(path)][method.toLowerCase()]['x-amazon-apigateway-integration']
    const [, functions] = called.find(([id]) => id === credentials['Fn::GetAtt'][0])!
    expect(functions).toContain(`${resource}-${operation}`)
    for (const name of functions) expect(name).toMatch(new RegExp(`^${resource}-`))
  }
})

test('the clock may call the two functions that it calls, in schedules of its group alone', () => {
  const called = resources
    .filter(([, { Type }]) => Type === 'AWS::Scheduler::Schedule')
    .map(([, { Properties }]) => {
      const { Arn, RoleArn } = Properties.Target
      const [, role] = resources.find(([id]) => id === RoleArn['Fn::GetAtt'][0])!
      const source = {
        'aws:SourceAccount': { Ref: 'AWS::AccountId' },
        'aws:SourceArn': { 'Fn::GetAtt': ['Clock', 'Arn'] },
      }
      expect(role.Properties.AssumeRolePolicyDocument.Statement).toEqual([
        {
          ...{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'scheduler.amazonaws.com' } },
          Condition: { StringEquals: source },
        },
      ])
      const statements = role.Properties.Policies.map(
        ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
      )
      expect(statements).toEqual([[{ Action: 'lambda:InvokeFunction', Effect: 'Allow', Resource: Arn }]])
      return Arn['Fn::GetAtt'][0].replace(/[0-9A-F]{8}$/, '')
    })
  expect(called).toEqual(['PipelineSweeper', 'PipelineScheduler'])
})

/** Functions that may sign with a key. */
const signersOf = (key: string) =>
  roles
    .filter(([, all]) =>
      all.some(
        ({ Action, Resource }) => [Action].flat().includes('kms:Sign') && JSON.stringify(Resource).includes(`"${key}"`),
      ),
    )
    .map(([id]) => id.replace(/Role[0-9A-F]{8}$/, ''))
    .sort()

test('only those that log people in sign tokens', () => {
  expect(signersOf('KeyTokens')).toEqual(['AuthExchange', 'AuthLogin', 'AuthRefresh'])
})

test('only those whose calls are recorded sign the audit trail, none of the pipeline among them', () => {
  const recorded = endpoints.filter(({ endpoint }) => isAudited(endpoint))
  expect(signersOf('KeyAudit')).toEqual(
    recorded.map(({ resource, operation }) => pascal(`${resource}.${operation}`)).sort(),
  )
})

/** Functions that may do one of these to something, by its logical id. */
const holders = (id: string, actions: RegExp) =>
  roles
    .filter(([, all]) =>
      all.some(
        ({ Action, Resource }) =>
          JSON.stringify(Resource).includes(`"${id}"`) && [Action].flat().some(action => actions.test(action)),
      ),
    )
    .map(([role]) => role.replace(/Role[0-9A-F]{8}$/, ''))
    .sort()

const writing = /dynamodb:(Put|Update|Delete|BatchWrite)/

test('only those that begin, renew or end sessions, or change second factors, may write them', () => {
  expect(holders('TableSessions', writing)).toEqual([
    'AuthChangePassword',
    'AuthDisableSecondFactor',
    'AuthEnableSecondFactor',
    'AuthLogin',
    'AuthLogout',
    'AuthRefresh',
    'AuthSetUpSecondFactor',
    'IdentityCallback',
    'IdentityLogout',
    'IdentityStart',
    'UsersBlock',
    'UsersDelete',
    'UsersResetPassword',
    'UsersResetSecondFactor',
  ])
})

test('what anybody may call counts requests, records itself and touches no sessions', () => {
  for (const name of ['ServiceOpenapi', 'ServiceDocs']) {
    const statements = roles.find(([id]) => id.startsWith(`${name}Role`))![1]
    const actions = statements.flatMap(({ Action }) => [Action].flat()).filter(action => action.startsWith('dynamodb:'))
    expect([name, actions]).toEqual([name, ['dynamodb:UpdateItem']])
  }
})

test('what shows callers their quota reads who they are, and changes nothing but counts', () => {
  const statements = roles.find(([id]) => id.startsWith('ServiceRootRole'))![1]
  const actions = statements.flatMap(({ Action }) => [Action].flat()).filter(action => action.startsWith('dynamodb:'))
  const reads = ['dynamodb:BatchGetItem', 'dynamodb:GetItem']
  expect([...new Set(actions)].sort()).toEqual([...reads, 'dynamodb:UpdateItem'])
  expect(actions.filter(action => action === 'dynamodb:UpdateItem')).toHaveLength(1)
})

test('who may read counts of wrong keys may read them together with the account', () => {
  for (const [id, statements] of roles) {
    const actions = statements
      .filter(({ Resource }) => JSON.stringify(Resource).includes('"TableRates"'))
      .flatMap(({ Action }) => [Action].flat())
    const [one, together] = ['dynamodb:GetItem', 'dynamodb:BatchGetItem'].map(name => actions.includes(name))
    expect([id, together]).toEqual([id, one])
  }
})

test('what knows its caller counts wrong keys, and reads nothing else of the counts', () => {
  const statements = roles.find(([id]) => id.startsWith('RulesListRole'))![1]
  const actions = statements
    .filter(({ Resource }) => JSON.stringify(Resource).includes('"TableRates"'))
    .flatMap(({ Action }) => [Action].flat())
  expect(actions.sort()).toEqual(['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'])
})

test('only calls that may be repeated keep answers', () => {
  expect(holders('TableReplies', /./)).toEqual(
    endpoints
      .filter(({ endpoint }) => isRepeatable(endpoint))
      .map(({ resource, operation }) => pascal(`${resource}.${operation}`))
      .sort(),
  )
})

test('what reads the inside of files opens no secrets and knows no sources', () => {
  for (const id of ['TableSources', 'BucketFiles', 'QueueTransfers'])
    for (const reader of ['PipelineWorker', 'AssetsPage', 'AssetsColumns'])
      expect(holders(id, /./)).not.toContain(reader)
  const opening = roles.filter(([, all]) =>
    all.some(({ Action, Condition }) => {
      const own = JSON.stringify(Condition ?? {}).includes('EncryptionContext:sourceId')
      return own && [Action].flat().includes('kms:Decrypt')
    }),
  )
  expect(opening.map(([id]) => id.replace(/Role[0-9A-F]{8}$/, '')).sort()).toEqual([
    // Its own secret towards a provider; it knows no sources.
    'IdentityCallback',
    'JobsLoad',
    // Secrets of webhooks, which it signs with.
    'PipelineEvents',
    'PipelineTransfer',
    // Reads lines of text only: its bundle opens no other format.
    'SourcesDiscover',
    'SourcesPreview',
    'SourcesTest',
    'WebhooksTest',
  ])
})

test('only the pipeline takes messages from queues', () => {
  const takers = roles.filter(([, all]) => all.some(({ Action }) => [Action].flat().includes('sqs:ReceiveMessage')))
  expect(takers.map(([id]) => id.replace(/Role.*/, '')).sort()).toEqual([
    'PipelineDeadLetters',
    'PipelineEvents',
    'PipelinePlanner',
    'PipelineTransfer',
    'PipelineWorker',
  ])
})
