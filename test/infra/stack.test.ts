import { describe, expect, test } from 'vitest'
import { pipelineNames } from '../../infra/pipeline.ts'
import { refuseUnknownTypes, type Template } from '../../local/template.ts'
import { endpoints } from '../../shared/api/index.ts'
import { buckets, keys, queues, tables } from '../../shared/settings.ts'
import { synthesise } from './synth.ts'

// biome-ignore lint/suspicious/noExplicitAny: a template is plain JSON
type Json = any
type Resource = { Type: string; Properties: Json; DeletionPolicy?: string; UpdateReplacePolicy?: string }

const template = synthesise()
const resources = Object.entries(template.toJSON().Resources as Record<string, Resource>)
const ofType = (type: string) => resources.filter(([, resource]) => resource.Type === type)
const api = ofType('AWS::ApiGateway::RestApi')[0]![1].Properties
const body = api.Body

describe('the stack', () => {
  test('holds no type of resource that the local cloud does not know', () => {
    expect(() => refuseUnknownTypes(template.toJSON() as Template)).not.toThrow()
  })

  test('has the logical ids that hold data, which must never change', () => {
    const stateful = resources.filter(([, { Type }]) => /DynamoDB::Table|S3::Bucket$|SQS::Queue$|KMS::Key/.test(Type))
    expect(stateful.map(([id]) => id).sort()).toEqual(
      [
        'TableUsers',
        'TableSessions',
        'TableRoles',
        'TableRules',
        'TableWorkflows',
        'TableJobs',
        'TableSources',
        'TableNotifications',
        'TableKeys',
        'TableReidentifications',
        'TableAudit',
        'TableRates',
        'TableReplies',
        'TableLists',
        'TableSchedules',
        'TableWebhooks',
        'BucketUploads',
        'BucketResults',
        'BucketFiles',
        'BucketModels',
        'BucketLists',
        'BucketTransparency',
        'QueueJobs',
        'QueueWork',
        'QueueTransfers',
        'QueueEvents',
        'QueueDead',
        'KeyData',
        'KeyTokens',
        'KeyHash',
        'KeyAudit',
        'KeyWrapping',
        'KeyCertificates',
        'KeyTransparency',
      ].sort(),
    )
    expect(stateful).toHaveLength(Object.keys(tables).length + buckets.length + queues.length + 1 + keys.length)
  })

  test('signs certificates with a new key, under an id of its own, when the operator counts its number up', () => {
    const ids = Object.keys(synthesise({ certificateKey: 2 }).findResources('AWS::KMS::Key'))
    expect(ids).toContain('KeyCertificates2')
    expect(ids).not.toContain('KeyCertificates')
  })

  test('locks the log where the operator asks for it, and no other bucket', { timeout: 300_000 }, () => {
    const locks = (context: Record<string, unknown>) =>
      Object.entries(synthesise(context).findResources('AWS::S3::Bucket')).flatMap(([id, { Properties }]) =>
        Properties.ObjectLockEnabled
          ? [[id, Properties.ObjectLockConfiguration.Rule.DefaultRetention, Properties.VersioningConfiguration.Status]]
          : [],
      )
    expect(locks({})).toEqual([])
    expect(locks({ transparencyLock: 'governance', transparencyLockDays: 7 })).toEqual([
      ['BucketTransparency', { Mode: 'GOVERNANCE', Days: 7 }, 'Enabled'],
    ])
    expect(locks({ transparencyLock: 'compliance' })).toEqual([
      ['BucketTransparency', { Mode: 'COMPLIANCE', Days: 3650 }, 'Enabled'],
    ])
  })

  test('has the logical ids that its address depends on', () => {
    expect(ofType('AWS::ApiGateway::RestApi').map(([id]) => id)).toEqual(['ApiF70053CD'])
    expect(ofType('AWS::ApiGateway::Stage').map(([id]) => id)).toEqual(['ApiDeploymentStageapi01526A9D'])
  })

  test('keeps data when it is deleted, unless the operator says otherwise', () => {
    const holders = /DynamoDB::Table|S3::Bucket$|KMS::Key/
    for (const [id, resource] of resources.filter(([, { Type }]) => holders.test(Type))) {
      expect([id, resource.DeletionPolicy, resource.UpdateReplacePolicy]).toEqual([id, 'Retain', 'Retain'])
    }
    const destroyed = Object.values(synthesise({ removalPolicy: 'destroy' }).toJSON().Resources as object) as Resource[]
    const kept = destroyed.filter(({ Type, DeletionPolicy }) => holders.test(Type) && DeletionPolicy !== 'Delete')
    expect(kept).toEqual([])
  })
})

describe('every function', () => {
  test.each(ofType('AWS::Lambda::Function'))(
    '%s runs on arm64 and Node.js 24, traced, with its own log group',
    (_, { Properties }) => {
      expect(Properties).toMatchObject({
        Architectures: ['arm64'],
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogGroup: { Ref: expect.any(String) } },
      })
      expect(Properties.FunctionName.length).toBeLessThanOrEqual(64)
      expect(Properties.Timeout).toBeGreaterThan(0)
      // A new account has no concurrency to set apart.
      expect(Properties.ReservedConcurrentExecutions).toBeUndefined()
    },
  )

  test('has a role of its own', () => {
    const roles = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties.Role['Fn::GetAtt'][0])
    expect(new Set(roles).size).toBe(endpoints.length + pipelineNames.length)
  })
})

describe('every route', () => {
  const routes = new Map(
    Object.entries(body.paths as Record<string, Record<string, Json>>).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  )

  test.each(endpoints.map(row => [row.endpoint.route, row] as const))(
    '%s reaches its function within 29 s',
    (_, row) => {
      const operation = routes.get(`${row.method} ${row.path === '/' ? '/' : row.path.replace(/\/$/, '')}`)
      expect(operation).toMatchObject({ operationId: `${row.resource}.${row.operation}` })
      const integration = operation['x-amazon-apigateway-integration']
      expect(integration).toMatchObject({ type: 'aws_proxy', httpMethod: 'POST', timeoutInMillis: 28_000 })
      const [id] = JSON.stringify(integration.uri)
        .match(/"([A-Za-z0-9]+)","Arn"/)!
        .slice(1)
      const handler = resources.find(([logicalId]) => logicalId === id)![1]
      expect(handler.Properties.FunctionName).toBe(`Anonymisation-${row.resource}-${row.operation}`)
      expect(handler.Properties.Timeout).toBe(29)
    },
  )

  test('is declared: there is no other method', () => {
    expect(routes.size).toBe(endpoints.length)
  })

  test('lies in the stage api, whose log holds no bodies', () => {
    const [, stage] = ofType('AWS::ApiGateway::Stage')[0]!
    expect(stage.Properties.StageName).toBe('api')
    const [all, ...others] = stage.Properties.MethodSettings
    expect(all).toMatchObject({ DataTraceEnabled: false, ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 })
    const open = endpoints.filter(({ endpoint }) => endpoint.access === 'public')
    expect(others.map(({ HttpMethod, ResourcePath }: Record<string, string>) => [HttpMethod, ResourcePath])).toEqual(
      open.map(({ method, path }) => [
        method,
        path === '/' ? '/' : `/${path.replace(/\/$/, '').replaceAll('/', '~1')}`,
      ]),
    )
    for (const limits of others) {
      expect(limits).toMatchObject({ DataTraceEnabled: false, ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 })
    }
    expect(stage.Properties.AccessLogSetting.Format).not.toMatch(/body|querystring|header|\$context\.path/)
    expect(api.BinaryMediaTypes).toEqual(['multipart/form-data'])
    expect(body['x-amazon-apigateway-binary-media-types']).toEqual(api.BinaryMediaTypes)
  })
})

test('what API Gateway answers by itself has the body of every error', () => {
  const answers = body['x-amazon-apigateway-gateway-responses'] as Record<string, Json>
  for (const { responseTemplates, responseParameters } of Object.values(answers)) {
    expect(JSON.parse(responseTemplates['application/json'])).toEqual({
      detail: [{ loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) }],
    })
    expect(responseParameters['gatewayresponse.header.Strict-Transport-Security']).toMatch(/max-age=\d{8}/)
  }
  const status = Object.fromEntries(Object.entries(answers).map(([type, { statusCode }]) => [type, statusCode]))
  expect(status).toMatchObject({
    MISSING_AUTHENTICATION_TOKEN: '404',
    INVALID_SIGNATURE: '404',
    THROTTLED: '429',
    REQUEST_TOO_LARGE: '413',
    INTEGRATION_TIMEOUT: '504',
  })
  expect(answers.REQUEST_TOO_LARGE.responseTemplates['application/json']).toContain('POST /jobs/uploads')
})

describe('data at rest and on its way', () => {
  test.each(ofType('AWS::DynamoDB::Table'))(
    '%s is on demand, encrypted, recoverable and forgets',
    (id, { Properties }) => {
      expect(Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: { 'Fn::GetAtt': ['KeyData', 'Arn'] } },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      })
      const [name] = Object.entries(tables).find(([table]) => id.toLowerCase() === `table${table}`)!
      const indexes = (Properties.GlobalSecondaryIndexes ?? []).map(({ IndexName }: { IndexName: string }) => IndexName)
      expect(indexes).toEqual(tables[name as keyof typeof tables].list ? ['owner', 'all'] : [])
    },
  )

  test.each(ofType('AWS::S3::Bucket'))('%s is private and encrypted, and clears up', (id, { Properties }) => {
    expect(Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          {
            BucketKeyEnabled: true,
            ServerSideEncryptionByDefault: {
              SSEAlgorithm: 'aws:kms',
              KMSMasterKeyID: { 'Fn::GetAtt': ['KeyData', 'Arn'] },
            },
          },
        ],
      },
    })
    const rules = Properties.LifecycleConfiguration.Rules
    expect(rules).toContainEqual(
      expect.objectContaining({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 }, Status: 'Enabled' }),
    )
    const expirations = rules.flatMap((rule: { ExpirationInDays?: number }) => rule.ExpirationInDays ?? [])
    expect(expirations).toEqual(['BucketUploads', 'BucketResults'].includes(id) ? [30] : [])
  })

  test.each(ofType('AWS::SQS::Queue'))(
    '%s is encrypted and hides a message while its function may run',
    (id, { Properties }) => {
      expect(Properties.KmsMasterKeyId).toEqual({ 'Fn::GetAtt': ['KeyData', 'Arn'] })
      if (id !== 'QueueDead') {
        expect(Properties.RedrivePolicy).toMatchObject({ deadLetterTargetArn: { 'Fn::GetAtt': ['QueueDead', 'Arn'] } })
      }
      const source = ofType('AWS::Lambda::EventSourceMapping').find(
        ([, mapping]) => mapping.Properties.EventSourceArn['Fn::GetAtt'][0] === id,
      )![1].Properties
      expect(source.FunctionResponseTypes).toEqual(['ReportBatchItemFailures'])
      expect(source.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2)
      const consumer = resources.find(([logicalId]) => logicalId === source.FunctionName.Ref)![1].Properties
      expect(Properties.VisibilityTimeout).toBeGreaterThanOrEqual(consumer.Timeout)
    },
  )

  test.each([...ofType('AWS::S3::Bucket'), ...ofType('AWS::SQS::Queue')])(
    '%s refuses whoever comes without TLS',
    id => {
      const policies = [...ofType('AWS::S3::BucketPolicy'), ...ofType('AWS::SQS::QueuePolicy')].map(
        ([, { Properties }]) => Properties,
      )
      const own = policies.find(({ Bucket, Queues }) => (Bucket ?? Queues[0]).Ref === id)
      expect(own.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      )
    },
  )

  test('only the bucket of models is kept for ever, and logs are kept for a time', () => {
    for (const [, { Properties }] of ofType('AWS::Logs::LogGroup')) {
      expect(Properties).toMatchObject({ RetentionInDays: 90, KmsKeyId: { 'Fn::GetAtt': ['KeyData', 'Arn'] } })
    }
  })
})
