import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib'
import type * as apigateway from 'aws-cdk-lib/aws-apigateway'
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch'
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions'
import * as iam from 'aws-cdk-lib/aws-iam'
import type * as kms from 'aws-cdk-lib/aws-kms'
import type * as lambda from 'aws-cdk-lib/aws-lambda'
import * as logs from 'aws-cdk-lib/aws-logs'
import * as sns from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import type { Config } from './config.ts'
import { pascal } from './data.ts'
import type { Queues } from './pipeline.ts'

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

/** The alarms: each one means that somebody should look, and `docs/operating.md` says where. */
export function createAlarms(
  scope: Construct,
  config: Config,
  watched: { api: apigateway.RestApi; queues: Queues; pipeline: ReadonlyMap<string, lambda.Function> },
) {
  const topic = config.alarmTopicArn && sns.Topic.fromTopicArn(scope, 'AlarmTopic', config.alarmTopicArn)
  const alarm = (id: string, metric: cloudwatch.Metric, threshold: number, alarmDescription: string) => {
    const created = metric.createAlarm(scope, `Alarm${id}`, {
      threshold,
      evaluationPeriods: 1,
      alarmDescription,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    })
    if (topic) created.addAlarmAction(new actions.SnsAction(topic))
  }
  const { api, queues, pipeline } = watched
  const period = Duration.minutes(5)
  alarm('DeadLetters', queues.dead.metricApproximateNumberOfMessagesVisible({ period }), 1, 'Messages failed too often')
  for (const name of ['jobs', 'work'] as const) {
    const age = queues[name].metricApproximateAgeOfOldestMessage({ period })
    alarm(`${pascal(name)}Age`, age, 3600, `Messages wait for more than an hour in the queue ${name}`)
  }
  alarm('ServerErrors', api.metricServerError({ period, statistic: 'Sum' }), 5, 'The API answers 5xx')
  for (const [name, handler] of pipeline) {
    if (name === 'pipeline.bootstrap-admin') continue
    alarm(`${pascal(name)}Errors`, handler.metricErrors({ period }), 3, `${name} fails`)
    alarm(`${pascal(name)}Throttles`, handler.metricThrottles({ period }), 10, `${name} is throttled: raise the quota`)
  }
}
