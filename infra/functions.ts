import { type Duration, Size, Stack } from 'aws-cdk-lib'
import type { IEventBus } from 'aws-cdk-lib/aws-events'
import * as iam from 'aws-cdk-lib/aws-iam'
import * as lambda from 'aws-cdk-lib/aws-lambda'
import type * as logs from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { DeclaredEndpoint } from '../shared/api/index.ts'
import { type BucketName, type KeyName, type TableName, variable } from '../shared/settings.ts'
import type { Config } from './config.ts'
import type { Queues } from './data.ts'
import { type Data, pascal } from './data.ts'
import type { Grant } from './grant.ts'
import { statementsFor } from './iam-statements.ts'

/** What every function is made from. */
export type Setting = {
  config: Config
  data: Data
  queues: Queues
  /** The bus that events also go to, where the operator wants one. */
  bus: IEventBus | undefined
  endpoints: readonly DeclaredEndpoint[]
  grantFor: (name: string) => Grant
  /** Directory of the bundle by the name of the function; a function without one isn't deployed. */
  bundles: ReadonlyMap<string, string>
  /** The log group of an area, such as `rules` or `pipeline`. */
  logGroup: (area: string) => logs.LogGroup
}

export type FunctionOptions = {
  /** `rules.create`, the name of its row in the table of grants. */
  name: string
  grant: Grant
  description: string
  timeout: Duration
  memory?: number
  /** Size of `/tmp` in MiB. */
  storage?: number
  /** How many of it may run at once, where that is set apart for it. */
  concurrency?: number
}

const tracingActions = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords']

const networkActions = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
]

/** A function with a role of its own that allows exactly what its row of the table of grants says. */
export function createFunction(scope: Construct, setting: Setting, options: FunctionOptions): lambda.Function {
  const { name, grant } = options
  const [area] = name.split('.') as [string]
  const logGroup = setting.logGroup(area)
  const inNetwork = Boolean(grant.connects && setting.config.vpcSubnetIds.length)
  const role = new iam.Role(scope, `${pascal(name)}Role`, {
    assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
    description: `Runs ${name}`,
    inlinePolicies: {
      access: new iam.PolicyDocument({
        // IAM takes 10,240 characters of a role: what differs in the resource alone is one statement.
        minimize: true,
        statements: [
          new iam.PolicyStatement({
            actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
            resources: [logGroup.logGroupArn],
          }),
          // X-Ray knows no resources, and network interfaces have no name before they exist.
          ...(setting.config.tracing ? [new iam.PolicyStatement({ actions: tracingActions, resources: ['*'] })] : []),
          ...(inNetwork ? [new iam.PolicyStatement({ actions: networkActions, resources: ['*'] })] : []),
          ...statementsFor(grant, setting),
        ],
      }),
    },
  })
  const created = new lambda.Function(scope, pascal(name), {
    functionName: `${Stack.of(scope).stackName}-${name.replace('.', '-')}`,
    description: options.description,
    code: lambda.Code.fromAsset(setting.bundles.get(name)!),
    handler: 'index.handler',
    runtime: lambda.Runtime.NODEJS_24_X,
    architecture: lambda.Architecture.ARM_64,
    timeout: options.timeout,
    memorySize: options.memory ?? 512,
    reservedConcurrentExecutions: setting.config.reserveConcurrency ? options.concurrency : undefined,
    ...(options.storage ? { ephemeralStorageSize: Size.mebibytes(options.storage) } : {}),
    // The role above is complete: without this, features of the construct would add wider statements of their own.
    role: role.withoutPolicyUpdates(),
    logGroup,
    loggingFormat: lambda.LoggingFormat.JSON,
    tracing: setting.config.tracing ? lambda.Tracing.ACTIVE : lambda.Tracing.PASS_THROUGH,
    environment: {
      ...environmentFor(grant, setting),
      POWERTOOLS_SERVICE_NAME: Stack.of(scope).stackName,
      // The inference runtime reports to its makers unless its process has this from the beginning.
      ORT_DISABLE_TELEMETRY: '1',
    },
  })
  if (inNetwork) connect(created, setting.config)
  return created
}

/** Tells a function where the resources are that it may use, and what the operator decided. */
function environmentFor(grant: Grant, { data, queues, bus, config }: Setting): Record<string, string> {
  // Lambda takes 4 KB: only who needs the providers is told them.
  const { IDENTITY_PROVIDERS, ...others } = config.environment
  const environment: Record<string, string> = {
    ...others,
    ...(grant.signsOn && IDENTITY_PROVIDERS && { IDENTITY_PROVIDERS }),
  }
  for (const name of Object.keys(grant.tables ?? {}) as TableName[]) {
    environment[variable.table(name)] = data.tables[name].tableName
  }
  for (const name of Object.keys(grant.buckets ?? {}) as BucketName[]) {
    environment[variable.bucket(name)] = data.buckets[name].bucketName
  }
  for (const name of Object.keys(grant.keys ?? {}) as KeyName[]) {
    environment[variable.key(name)] = data.keys[name].keyArn
  }
  if (grant.tellsBus && bus) environment[variable.bus] = bus.eventBusName
  for (const name of grant.sends ?? []) environment[variable.queue(name)] = queues[name].queueUrl
  return environment
}

/** Puts a function into the operator's subnets, so that it reaches private data sources. */
function connect(created: lambda.Function, config: Config) {
  const resource = created.node.defaultChild as lambda.CfnFunction
  resource.vpcConfig = { subnetIds: config.vpcSubnetIds, securityGroupIds: config.vpcSecurityGroupIds }
}
