import { CfnOutput, Duration, Size, Stack } from 'aws-cdk-lib'
import * as apigateway from 'aws-cdk-lib/aws-apigateway'
import * as acm from 'aws-cdk-lib/aws-certificatemanager'
import * as iam from 'aws-cdk-lib/aws-iam'
import type * as logs from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { DeclaredEndpoint } from '../shared/api/index.ts'
import type { Config } from './config.ts'
import { pascal } from './data.ts'
import { COMPRESSED_FROM, type DefinitionOptions, definition, resourcePath } from './definition.ts'
import { createFunction, type Setting } from './functions.ts'

/** Requests that last longer are answered 504; the function is ended a second later. API Gateway's own limit is 29 s. */
const answerWithin = Duration.seconds(28)

/** How many of each function that anybody may call run at once, where concurrency is set apart. */
const publicConcurrency = 10

/** Functions that need more than the others: memory (a whole vCPU, for models) and `/tmp` for models of the bucket, MiB. */
const sizes: Partial<Record<string, { memory: number; storage: number }>> = {
  // A list of a million values in memory.
  'lists.entries': { memory: 1769, storage: 512 },
  'lists.add': { memory: 1769, storage: 512 },
  'lists.remove': { memory: 1769, storage: 512 },
  'lists.load': { memory: 1769, storage: 512 },
  // A picture of a hundred megapixels, or a file of many parts.
  'assets.page': { memory: 1769, storage: 512 },
  // A workbook is read as a whole.
  'assets.columns': { memory: 1769, storage: 512 },
  'rules.test': { memory: 1769, storage: 2048 },
  'texts.anonymise': { memory: 1769, storage: 2048 },
  'mcp.call': { memory: 1769, storage: 2048 },
}

/**
 * The REST API: its stage is named `api`, so that the contract's paths come out exactly. All of it is one document that API
 * Gateway reads: a resource of the stack for every path and method would leave too little room for functions.
 */
export function createApi(scope: Construct, setting: Setting, accessLog: logs.LogGroup): apigateway.SpecRestApi {
  const { config } = setting
  const title = 'Anonymisation'
  // Only these: every other body reaches the functions as text.
  const binaryMediaTypes = ['multipart/form-data']
  // A domain name of the operator's, and what stands before it, can't be passed by.
  const onlyByDomainName = Boolean(config.domainName)
  const document = definition({
    title,
    endpoints: createEndpoints(scope, setting),
    timeout: answerWithin.toMilliseconds(),
    binaryMediaTypes,
    origins: config.settings.CORS_ORIGINS.split(',').filter(Boolean),
    onlyByDomainName,
  })
  const api = new apigateway.SpecRestApi(scope, 'Api', {
    apiDefinition: apigateway.ApiDefinition.fromInline(document),
    // What a document says of the API as a whole counts for an API that was made with it, what the properties say for one
    // that was made without.
    restApiName: title,
    endpointTypes: [apigateway.EndpointType.REGIONAL],
    disableExecuteApiEndpoint: onlyByDomainName,
    binaryMediaTypes,
    minCompressionSize: Size.bytes(COMPRESSED_FROM),
    cloudWatchRole: config.apiGatewayLogRole,
    deployOptions: {
      stageName: 'api',
      throttlingRateLimit: config.requestsPerSecond,
      throttlingBurstLimit: config.requestBurst,
      methodOptions: publicLimits(setting),
      metricsEnabled: true,
      tracingEnabled: config.tracing,
      accessLogDestination: new apigateway.LogGroupLogDestination(accessLog),
      accessLogFormat,
    },
  })
  if (config.domainName) addDomainName(api, config)
  return api
}

/** The functions of the endpoints, each with how API Gateway calls it. */
function createEndpoints(scope: Construct, setting: Setting): DefinitionOptions['endpoints'] {
  const callers = new Map<string, Caller>()
  const deployed = setting.endpoints.filter(row => setting.bundles.has(nameOf(row)))
  const created = deployed.map(row => {
    const handler = createEndpoint(scope, setting, row)
    const caller = callers.get(row.resource) ?? createCaller(scope, row.resource)
    callers.set(row.resource, caller)
    caller.invoked.push(handler.functionArn)
    const uri = Stack.of(scope).formatArn({
      service: 'apigateway',
      account: 'lambda',
      resource: 'path',
      resourceName: `2015-03-31/functions/${handler.functionArn}/invocations`,
    })
    return { ...row, integration: { uri, credentials: caller.role.roleArn } }
  })
  for (const { policy, invoked } of callers.values()) {
    policy.addStatements(new iam.PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: invoked }))
  }
  return created
}

const nameOf = ({ resource, operation }: DeclaredEndpoint) => `${resource}.${operation}`

function createEndpoint(scope: Construct, setting: Setting, row: DeclaredEndpoint) {
  const name = nameOf(row)
  return createFunction(scope, setting, {
    name,
    grant: setting.grantFor(name),
    description: `${row.method} ${row.path}: ${row.endpoint.summary}`,
    timeout: answerWithin.plus(Duration.seconds(1)),
    ...sizes[name],
    concurrency: row.endpoint.access === 'public' ? publicConcurrency : undefined,
  })
}

/** Who calls the functions of an area, and which. */
type Caller = { role: iam.Role; policy: iam.PolicyDocument; invoked: string[] }

/**
 * A role that API Gateway calls the functions of one area by, in place of a permission for each, which would take a
 * resource each. The policy of a role has room for some 85 functions.
 */
function createCaller(scope: Construct, area: string): Caller {
  const policy = new iam.PolicyDocument()
  const role = new iam.Role(scope, `${pascal(area)}Caller`, {
    assumedBy: new iam.ServicePrincipal('apigateway.amazonaws.com'),
    description: `Calls the functions of ${area}`,
    inlinePolicies: { invoke: policy },
  })
  return { role, policy, invoked: [] }
}

/** Limits of their own for the methods that anybody may call, so that a flood of those leaves room for everybody else. */
const publicLimits = ({ config, endpoints }: Setting): Record<string, apigateway.MethodDeploymentOptions> =>
  Object.fromEntries(
    endpoints
      .filter(({ endpoint }) => endpoint.access === 'public')
      .map(({ method, path }) => [
        `${resourcePath(path)}/${method}`,
        { throttlingRateLimit: config.publicRequestsPerSecond, throttlingBurstLimit: config.publicRequestBurst },
      ]),
  )

/** No bodies, no query strings and no paths with identifiers. */
const accessLogFormat = apigateway.AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    time: '$context.requestTimeEpoch',
    address: '$context.identity.sourceIp',
    method: '$context.httpMethod',
    resource: '$context.resourcePath',
    status: '$context.status',
    latency: '$context.responseLatency',
    bytes: '$context.responseLength',
    integrationStatus: '$context.integration.status',
    integrationLatency: '$context.integration.latency',
    errorType: '$context.error.responseType',
    traceId: '$context.xrayTraceId',
  }),
)

/** Serves the API at `https://DOMAIN/api`; the name's DNS record is the operator's, and points at the output's target. */
function addDomainName(api: apigateway.SpecRestApi, config: Config) {
  const domain = api.addDomainName('DomainName', {
    domainName: config.domainName!,
    certificate: acm.Certificate.fromCertificateArn(api, 'Certificate', config.certificateArn!),
    endpointType: apigateway.EndpointType.REGIONAL,
    securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
    basePath: 'api',
  })
  new CfnOutput(api, 'DomainNameTarget', { value: domain.domainNameAliasDomainName })
}
