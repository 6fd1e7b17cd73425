import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import type * as apigateway from 'aws-cdk-lib/aws-apigateway'
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch'
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions'
import * as iam from 'aws-cdk-lib/aws-iam'
import type * as kms from 'aws-cdk-lib/aws-kms'
import type * as lambda from 'aws-cdk-lib/aws-lambda'
import * as logs from 'aws-cdk-lib/aws-logs'
import * as sns from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import { metricsNamespace } from '../shared/settings.ts'
import type { Config } from './config.ts'
import type { Queues } from './data.ts'
import { pascal } from './data.ts'

/** Makes the log group of an area when it is first asked for: encrypted, and kept for as long as configured. */
export function logGroups(scope: Construct, config: Config, encryptionKey: kms.Key) {
  const groups = new Map<string, logs.LogGroup>()
  encryptionKey.addToResourcePolicy(
    new iam.PolicyStatement({
      principals: [new iam.ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
      actions: [
        'kms:Encrypt',
        'kms:Decrypt',
        'kms:ReEncryptFrom',
        'kms:ReEncryptTo',
        'kms:GenerateDataKey',
        'kms:DescribeKey',
      ],
      resources: ['*'],
      conditions: {
        ArnLike: {
          'kms:EncryptionContext:aws:logs:arn': `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:*`,
        },
      },
    }),
  )
  return (area: string): logs.LogGroup => {
    const group =
      groups.get(area) ??
      new logs.LogGroup(scope, `Logs${pascal(area)}`, {
        retention: config.logRetentionDays,
        encryptionKey,
        removalPolicy: config.removalPolicy === 'destroy' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      })
    groups.set(area, group)
    return group
  }
}

/** What is watched. */
export type Watched = {
  api: apigateway.RestApiBase
  queues: Queues
  pipeline: ReadonlyMap<string, lambda.Function>
}

/** One of the service's own metrics, see `shared/metrics.ts`; of one outcome where the metric has several. */
export const ownMetric = (scope: Construct, metricName: string, outcome?: string): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { service: Stack.of(scope).stackName, ...(outcome && { outcome }) },
    period: Duration.minutes(5),
    statistic: 'Sum',
  })

/** The alarms: each one means that somebody should look, and `docs/operating.md` says where. */
export function createAlarms(scope: Construct, config: Config, { api, queues, pipeline }: Watched) {
  const topic = config.alarmTopicArn && sns.Topic.fromTopicArn(scope, 'AlarmTopic', config.alarmTopicArn)
  const alarm = (id: string, metric: cloudwatch.Metric, threshold: number, alarmDescription: string) => {
    const created = metric.createAlarm(scope, `Alarm${id}`, {
      alarmName: `${Stack.of(scope).stackName}-${id}`,
      threshold,
      evaluationPeriods: 1,
      alarmDescription: `${alarmDescription}. See ${id} in docs/operating.md`,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    })
    if (topic) created.addAlarmAction(new actions.SnsAction(topic))
  }
  const period = Duration.minutes(5)
  // Received, not visible: the function that fails their jobs takes them away within seconds.
  alarm('DeadLetters', queues.dead.metricNumberOfMessagesReceived({ period }), 1, 'Messages failed too often')
  for (const name of ['jobs', 'work', 'transfers', 'events', 'arrivals'] as const) {
    const age = queues[name]?.metricApproximateAgeOfOldestMessage({ period })
    if (age) alarm(`${pascal(name)}Age`, age, 3600, `Messages wait for more than an hour in the queue ${name}`)
  }
  alarm('JobFailures', ownMetric(scope, 'Jobs', 'FAILED'), 10, 'Many jobs fail')
  const opened = ownMetric(scope, 'Reidentified').with({ period: Duration.days(1) })
  alarm('Reidentified', opened, config.reidentifiedPerDay, 'Many tokens were undone in a day')
  alarm('EmergencyOpenings', ownMetric(scope, 'EmergencyOpenings'), 1, 'Values were given out in an emergency')
  alarm('ServerErrors', api.metricServerError({ period, statistic: 'Sum' }), 5, 'The API answers 5xx')
  for (const [name, handler] of pipeline) {
    if (name === 'pipeline.bootstrap-admin') continue
    alarm(`${pascal(name)}Errors`, handler.metricErrors({ period }), 3, `${name} fails`)
    alarm(`${pascal(name)}Throttles`, handler.metricThrottles({ period }), 10, `${name} is throttled`)
  }
}
