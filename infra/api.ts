import { CfnOutput, Duration } from 'aws-cdk-lib'
import * as apigateway from 'aws-cdk-lib/aws-apigateway'
import * as acm from 'aws-cdk-lib/aws-certificatemanager'
import * as iam from 'aws-cdk-lib/aws-iam'
import type * as logs from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { Problem } from '../shared/api/common.ts'
import { endpoints } from '../shared/api/index.ts'
import { type ProblemType, problems } from '../shared/api/problems.ts'
import type { Config } from './config.ts'
import { createFunction, type Setting } from './functions.ts'
import { grantFor } from './grants.ts'

const { ResponseType } = apigateway

/** Requests that last longer are answered 504; the function is ended a second later. API Gateway's own limit is 29 s. */
const answerWithin = Duration.seconds(28)

/** How many of each function that anybody may call run at once, where concurrency is set apart. */
const publicConcurrency = 10

/** Functions that need more than the others: memory (a whole vCPU, for models) and `/tmp` for models of the bucket, MiB. */
const sizes: Partial<Record<string, { memory: number; storage: number }>> = {
  'rules.test': { memory: 1769, storage: 2048 },
}

/** The REST API: its stage is named `api`, so that the contract's paths come out exactly. */
export function createApi(scope: Construct, setting: Setting, accessLog: logs.LogGroup): apigateway.RestApi {
  const { config } = setting
  const origins = config.settings.CORS_ORIGINS.split(',').filter(Boolean)
  const api = new apigateway.RestApi(scope, 'Api', {
    restApiName: 'Anonymisation',
    endpointTypes: [apigateway.EndpointType.REGIONAL],
    // A domain name of the operator's, and what stands before it, can't be passed by.
    disableExecuteApiEndpoint: Boolean(config.domainName),
    // Only these: every other body reaches the functions as text.
    binaryMediaTypes: ['multipart/form-data'],
    cloudWatchRole: config.apiGatewayLogRole,
    deployOptions: {
      stageName: 'api',
      throttlingRateLimit: config.requestsPerSecond,
      throttlingBurstLimit: config.requestBurst,
      methodOptions: publicLimits(config),
      metricsEnabled: true,
      tracingEnabled: config.tracing,
      accessLogDestination: new apigateway.LogGroupLogDestination(accessLog),
      accessLogFormat,
    },
  })
  // One role for all methods, in place of a permission for each: a stack holds 500 resources. Its policy stands in it, and
  // has room for some 85 functions.
  const invoke = new iam.PolicyDocument()
  const credentialsRole = new iam.Role(scope, 'ApiCaller', {
    assumedBy: new iam.ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: { invoke },
  })
  const invoked: string[] = []
  const called = new Set<apigateway.Resource>()
  for (const { resource, operation, method, path, endpoint } of endpoints) {
    const name = `${resource}.${operation}`
    if (!setting.bundles.has(name)) continue
    const handler = createFunction(scope, setting, {
      name,
      grant: grantFor(name),
      description: `${method} ${path}: ${endpoint.summary}`,
      timeout: answerWithin.plus(Duration.seconds(1)),
      ...sizes[name],
      concurrency: endpoint.access === 'public' ? publicConcurrency : undefined,
    })
    invoked.push(handler.functionArn)
    const integration = new apigateway.AwsIntegration({
      service: 'lambda',
      proxy: true,
      path: `2015-03-31/functions/${handler.functionArn}/invocations`,
      options: { credentialsRole, timeout: answerWithin },
    })
    const place = api.root.resourceForPath(path)
    place.addMethod(method, integration, { operationName: name })
    called.add(place)
  }
  invoke.addStatements(new iam.PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: invoked }))
  // Not where a path only leads further: nobody calls it, and a stack holds 500 resources.
  if (origins.length) for (const place of called) place.addCorsPreflight(preflight(origins))
  addGatewayAnswers(api, origins.length > 0)
  if (config.domainName) addDomainName(api, config)
  return api
}

/** Limits of their own for the methods that anybody may call, so that a flood of those leaves room for everybody else. */
const publicLimits = (config: Config): Record<string, apigateway.MethodDeploymentOptions> =>
  Object.fromEntries(
    endpoints
      .filter(({ endpoint }) => endpoint.access === 'public')
      .map(({ method, path }) => [
        `${path === '/' ? '/' : path.replace(/\/$/, '')}/${method}`,
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

const preflight = (origins: string[]): apigateway.CorsOptions => ({
  allowOrigins: origins,
  allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
  allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'],
  maxAge: Duration.hours(1),
})

/** What API Gateway answers by itself, in the contract's error body. */
const gatewayAnswers: [type: apigateway.ResponseType, problem: ProblemType, loc: string[], msg?: string][] = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'not_found', ['path'], 'There is no such endpoint'],
  // The same, where the request carries an Authorization header: API Gateway takes it for a signature of AWS.
  [ResponseType.INVALID_SIGNATURE, 'not_found', ['path'], 'There is no such endpoint'],
  [ResponseType.THROTTLED, 'rate_limited', []],
  [ResponseType.REQUEST_TOO_LARGE, 'payload_too_large', ['body'], 'POST /jobs/uploads takes files of any size'],
  [ResponseType.WAF_FILTERED, 'permission_denied', [], 'The firewall refused the request'],
  [ResponseType.INTEGRATION_TIMEOUT, 'gateway_timeout', []],
  [ResponseType.INTEGRATION_FAILURE, 'bad_gateway', []],
  [ResponseType.DEFAULT_4XX, 'invalid_value', [], 'The request was refused'],
  // A function that fails, or answers something else than a reply.
  [ResponseType.DEFAULT_5XX, 'bad_gateway', []],
]

function addGatewayAnswers(api: apigateway.RestApi, cors: boolean) {
  for (const [type, problem, loc, msg = problems[problem][1]] of gatewayAnswers) {
    const body: Problem = { detail: [{ loc, msg, type: problem }] }
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: `${problems[problem][0]}`,
      responseHeaders: {
        'X-Request-Id': 'context.requestId',
        'Strict-Transport-Security': "'max-age=63072000'",
        // These answers are the same for everybody and carry no data, so that any page may read them.
        ...(cors ? { 'Access-Control-Allow-Origin': 'method.request.header.Origin' } : {}),
      },
      templates: { 'application/json': JSON.stringify(body) },
    })
  }
}

/** Serves the API at `https://DOMAIN/api`; the name's DNS record is the operator's, and points at the output's target. */
function addDomainName(api: apigateway.RestApi, config: Config) {
  const domain = api.addDomainName('DomainName', {
    domainName: config.domainName!,
    certificate: acm.Certificate.fromCertificateArn(api, 'Certificate', config.certificateArn!),
    endpointType: apigateway.EndpointType.REGIONAL,
    securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
    basePath: 'api',
  })
  new CfnOutput(api, 'DomainNameTarget', { value: domain.domainNameAliasDomainName })
}
