import { App } from 'aws-cdk-lib'
import { Match } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../infra/config.ts'
import { synthesise } from './synth.ts'

// biome-ignore lint/suspicious/noExplicitAny: a template is plain JSON
type Json = any

const config = (context: Record<string, unknown>) => readConfig(new App({ context }).node)

describe('the configuration of a deployment', () => {
  test('has a default for everything', () => {
    expect(config({})).toMatchObject({
      removalPolicy: 'retain',
      requestsPerSecond: 200,
      vpcSubnetIds: [],
      settings: { RETENTION_DAYS: 30, SELF_REGISTRATION: true },
      environment: {},
    })
  })

  test('reads numbers, flags and lists as the command line gives them', () => {
    const read = config({
      workerConcurrency: '7',
      waf: 'true',
      vpcSubnetIds: 'subnet-0123456789abcdef0,subnet-2',
      vpcSecurityGroupIds: ['sg-0123456789abcdef0'],
      retentionDays: '14',
      selfRegistration: 'false',
    })
    expect(read).toMatchObject({
      workerConcurrency: 7,
      waf: true,
      vpcSubnetIds: ['subnet-0123456789abcdef0', 'subnet-2'],
      vpcSecurityGroupIds: ['sg-0123456789abcdef0'],
      settings: { RETENTION_DAYS: 14, SELF_REGISTRATION: false },
      environment: { RETENTION_DAYS: '14', SELF_REGISTRATION: 'false' },
    })
  })

  test.each([
    ['a retention of logs that CloudWatch does not know', { logRetentionDays: 8 }],
    ['a setting out of range', { retentionDays: '0' }],
    ['a domain name without a certificate', { domainName: 'api.example.org' }],
    ['subnets without security groups', { vpcSubnetIds: 'subnet-0123456789abcdef0' }],
    ['a flag that is neither true nor false', { waf: 'yes' }],
    ['every origin beside one', { corsOrigins: 'https://app.example.org,*' }],
    ['an origin that is none', { corsOrigins: 'https://app.example.org")' }],
    ['an identity provider without a domain', { identityProviders: [{ name: 'acme', issuer: 'https://a.example' }] }],
    ['identity providers that are no JSON', { identityProviders: 'acme' }],
    ['drop buckets that are none', { dropBuckets: 'arn:aws:s3:::inbox' }],
  ])('refuses %s', (_, context) => {
    expect(() => config(context)).toThrow()
  })
})

test('all faults of a configuration are named at once, in plain words', () => {
  const wrong = { retensionDays: 5, retentionDays: 'abc', waf: 'yes', workerMemory: '1', logRetentionDays: '8' }
  expect(() => config({ ...wrong, '@aws-cdk/core:anything': true, 'availability-zones:account=1': [] })).toThrow(
    [
      'The configuration cannot be used:',
      '  retensionDays: there is no such setting; docs/configuration.md lists them all',
      '  workerMemory is "1": must be at least 1769',
      '  logRetentionDays is "8": must be one of 1,3,5,7,14,30,60,90,120,150,180,365,400,545,731,1096,1827,3653',
      '  waf is "yes": must be true or false',
      '  retentionDays is "abc": must be a whole number',
    ].join('\n'),
  )
})

describe('what the operator decides', () => {
  test('retention reaches the buckets and the functions', () => {
    const template = synthesise({ retentionDays: 14 })
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'Anonymisation-rules-list',
      Environment: { Variables: { RETENTION_DAYS: '14' } },
    })
    expect(JSON.stringify(template.findResources('AWS::S3::Bucket'))).toContain('"ExpirationInDays":14')
  })

  test('identity providers reach the functions that log people in by them, the page that names them, and no others', () => {
    const acme = { name: 'acme', title: 'Acme', issuer: 'https://login.acme.example', clientId: 'service' }
    const identityProviders = [{ ...acme, domains: ['acme.example'] }]
    const template = synthesise({ identityProviders }).toJSON().Resources as Record<string, Json>
    const told = Object.values(template).filter(
      ({ Properties }) => Properties?.Environment?.Variables.IDENTITY_PROVIDERS,
    )
    expect(told.map(({ Properties }) => Properties.FunctionName).sort()).toEqual(
      [
        'console-page',
        ...['callback', 'logout', 'providers', 'setSecret', 'start'].map(name => `identity-${name}`),
      ].map(name => `Anonymisation-${name}`),
    )
    for (const { Properties } of told) {
      const { IDENTITY_PROVIDERS } = Properties.Environment.Variables
      expect(JSON.parse(IDENTITY_PROVIDERS)).toEqual(identityProviders)
    }
  })

  test('limits reach the stage, the queues’ consumers, the functions and the logs', () => {
    const template = synthesise({
      requestsPerSecond: '50',
      requestBurst: '60',
      plannerConcurrency: '3',
      workerConcurrency: '4',
      transferConcurrency: '5',
      reserveConcurrency: 'true',
      publicRequestsPerSecond: '7',
      publicRequestBurst: '8',
      workerMemory: '2048',
      logRetentionDays: '30',
      rateLimitPerUser: '10',
      selfRegistration: 'false',
    })
    template.hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: Match.arrayWith([
        Match.objectLike({ ResourcePath: '/*', ThrottlingRateLimit: 50, ThrottlingBurstLimit: 60 }),
        Match.objectLike({ ResourcePath: '/~1auth~1login', ThrottlingRateLimit: 7, ThrottlingBurstLimit: 8 }),
      ]),
    })
    for (const MaximumConcurrency of [3, 4, 5]) {
      template.hasResourceProperties('AWS::Lambda::EventSourceMapping', { ScalingConfig: { MaximumConcurrency } })
    }
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'Anonymisation-pipeline-worker',
      MemorySize: 2048,
      ReservedConcurrentExecutions: 4,
    })
    for (const [name, ReservedConcurrentExecutions] of [
      ['pipeline-transfer', 5],
      ['pipeline-sweeper', 1],
      ['pipeline-scheduler', 1],
      ['auth-login', 10],
      ['rules-list', Match.absent()],
    ] as const) {
      const FunctionName = `Anonymisation-${name}`
      template.hasResourceProperties('AWS::Lambda::Function', { FunctionName, ReservedConcurrentExecutions })
    }
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'Anonymisation-auth-register',
      Environment: { Variables: Match.objectLike({ RATE_LIMIT_PER_USER: '10', SELF_REGISTRATION: 'false' }) },
    })
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 })
  })

  test('outputs say where the service answers, and how it gets its first administrator', () => {
    const outputs = Object.keys(synthesise().toJSON().Outputs)
    const named = ['BaseUrl', 'FirstAdministrator', 'FilesBucket', 'ModelsBucket']
    expect(outputs).toEqual(expect.arrayContaining(named))
  })

  test('a domain name serves the API below /api', () => {
    const template = synthesise({
      domainName: 'api.example.org',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1',
    })
    // And nowhere else, where what stands before the domain could be passed by.
    template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true })
    template.hasResourceProperties('AWS::ApiGateway::DomainName', { SecurityPolicy: 'TLS_1_2' })
    template.hasResourceProperties('AWS::ApiGateway::BasePathMapping', { BasePath: 'api' })
  })

  test('events go to a bus of the stack where the operator wants one, from one function alone', () => {
    synthesise({}).resourceCountIs('AWS::Events::EventBus', 0)
    expect(JSON.stringify(synthesise({}).toJSON())).not.toMatch(/events:PutEvents|EVENT_BUS/)
    const template = synthesise({ eventBus: 'true' })
    template.resourceCountIs('AWS::Events::EventBus', 1)
    const roles = Object.entries(template.findResources('AWS::IAM::Role'))
    const may = roles.filter(([, role]) => JSON.stringify(role).includes('events:PutEvents'))
    expect(may.map(([id]) => id.replace(/Role[0-9A-F]{8}$/, ''))).toEqual(['PipelineEvents'])
    const [[, { Properties }]] = may as [[string, Json]]
    const { Statement } = Properties.Policies[0].PolicyDocument
    expect(Statement).toContainEqual({
      Effect: 'Allow',
      Action: 'events:PutEvents',
      Resource: { 'Fn::GetAtt': ['Events', 'Arn'] },
    })
    const functions = Object.values(template.findResources('AWS::Lambda::Function'))
    const told = functions.filter(({ Properties }) => Properties.Environment.Variables.EVENT_BUS)
    expect(told.map(({ Properties }) => Properties.FunctionName)).toEqual(['Anonymisation-pipeline-events'])
  })

  test('the scheduler hears of new objects in the buckets that the operator names, by a queue that EventBridge alone may fill', () => {
    const plain = synthesise({})
    plain.resourceCountIs('AWS::Events::Rule', 0)
    expect(plain.findResources('AWS::SQS::Queue').QueueArrivals).toBeUndefined()
    const template = synthesise({ dropBuckets: 'inbox,drop-*', reserveConcurrency: 'true' })
    const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.s3'],
        'detail-type': ['Object Created'],
        detail: { bucket: { name: ['inbox', { wildcard: 'drop-*' }] } },
      },
      Targets: [{ Arn: arn('QueueArrivals') }],
    })
    const policies = template.findResources('AWS::SQS::QueuePolicy', {
      Properties: {
        PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Resource: arn('QueueArrivals') })]) },
      },
    })
    const [{ Properties }] = Object.values(policies) as [{ Properties: Json }]
    const allowed = Properties.PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow')
    expect(allowed).toEqual([
      {
        Action: 'sqs:SendMessage',
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Resource: arn('QueueArrivals'),
        Condition: { ArnEquals: { 'aws:SourceArn': arn('Arrivals') } },
      },
    ])
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: arn('QueueArrivals'),
      BatchSize: 1000,
      MaximumBatchingWindowInSeconds: 5,
      ScalingConfig: { MaximumConcurrency: 2 },
    })
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'Anonymisation-pipeline-scheduler',
      ReservedConcurrentExecutions: 3,
    })
  })

  test('subnets hold the functions that connect to sources or identity providers, and no other', () => {
    const functions = synthesise({
      vpcSubnetIds: 'subnet-0123456789abcdef0',
      vpcSecurityGroupIds: 'sg-0123456789abcdef0',
    }).findResources('AWS::Lambda::Function')
    const inside = Object.values(functions).filter(({ Properties }) => Properties.VpcConfig)
    expect(inside.map(({ Properties }) => Properties.FunctionName.replace('Anonymisation-', '')).sort()).toEqual([
      'auth-exchange',
      'identity-callback',
      'identity-logout',
      'identity-start',
      'jobs-load',
      'pipeline-transfer',
      'sources-discover',
      'sources-preview',
      'sources-test',
    ])
  })

  test('origins may ask from a browser, and pages of any origin by pre-signed URLs', () => {
    const template = synthesise({ corsOrigins: 'https://app.example.org' })
    const [{ Properties }] = Object.values(template.findResources('AWS::ApiGateway::RestApi')) as [{ Properties: Json }]
    for (const [path, { options }] of Object.entries(Properties.Body.paths as Record<string, Json>)) {
      const { type, responses } = options['x-amazon-apigateway-integration']
      expect([path, type]).toEqual([path, 'mock'])
      expect(responses.default.responseParameters).toEqual({
        'method.response.header.Access-Control-Allow-Origin': "'https://app.example.org'",
        'method.response.header.Access-Control-Allow-Headers':
          "'Authorization,Content-Type,Idempotency-Key,X-Request-Id,MCP-Protocol-Version,Mcp-Method,Mcp-Name,Mcp-Session-Id'",
        'method.response.header.Access-Control-Allow-Methods': "'GET,POST,PUT,DELETE'",
        'method.response.header.Access-Control-Max-Age': "'3600'",
        'method.response.header.Vary': "'Origin'",
      })
    }
    const buckets = Object.values(template.findResources('AWS::S3::Bucket'))
    const allowed = buckets.flatMap(bucket => bucket.Properties.CorsConfiguration?.CorsRules ?? [])
    expect(allowed.map(rule => rule.AllowedOrigins)).toEqual([['*'], ['*']])
  })

  test('a firewall stands before the API', () => {
    synthesise({ waf: true }).resourceCountIs('AWS::WAFv2::WebACLAssociation', 1)
  })

  test('alarms reach the topic', () => {
    const alarms = synthesise({ alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:alarms' }).findResources(
      'AWS::CloudWatch::Alarm',
    )
    for (const { Properties } of Object.values(alarms)) expect(Properties.AlarmActions).toHaveLength(1)
  })
})
