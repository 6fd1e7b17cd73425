import { Duration, Stack } from 'aws-cdk-lib'
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { metricsNamespace } from '../shared/settings.ts'
import { ownMetric, type Watched } from './observability.ts'

const period = Duration.minutes(5)

/** The functions without a route that run all the time. */
const steps = ['planner', 'worker', 'transfer', 'events', 'dead-letters', 'sweeper', 'scheduler']

/** The dashboard: what is asked of the service, what waits, what comes of it, and what goes wrong. */
export function createDashboard(scope: Construct, { api, queues, pipeline }: Watched) {
  const { stackName } = Stack.of(scope)
  const of = (name: string) => pipeline.get(`pipeline.${name}`)
  const workers = steps.flatMap(name => of(name) ?? [])
  const waiting = [queues.jobs, queues.work, queues.transfers, queues.events, queues.arrivals ?? []].flat()
  const rows: [title: string, metrics: cloudwatch.IMetric[], right?: cloudwatch.IMetric[]][][] = [
    [
      ['Requests', [api.metricCount(), api.metricClientError(), api.metricServerError()]],
      [
        'Latency of requests',
        ['p50', 'p95', 'p99'].map(statistic => api.metricLatency({ statistic, label: statistic })),
      ],
    ],
    [
      [
        'Jobs started and ended',
        [
          ownMetric(scope, 'JobsStarted').with({ label: 'started' }),
          ...['SUCCEEDED', 'FAILED', 'CANCELLED'].map(outcome => ownMetric(scope, 'Jobs', outcome)),
        ],
      ],
      [
        'Time from start to end of a job',
        ['p50', 'p95'].map(statistic =>
          ownMetric(scope, 'JobSeconds', 'SUCCEEDED').with({ statistic, label: statistic }),
        ),
      ],
      ['Failures by type', [byDimension(stackName, 'Failures', 'type', 'Sum')]],
    ],
    [
      ['Assets', ['SUCCEEDED', 'FAILED'].map(outcome => ownMetric(scope, 'Assets', outcome))],
      ['Bytes', ['BytesIn', 'BytesOut'].map(name => ownMetric(scope, name, 'SUCCEEDED').with({ label: name }))],
      ['Findings', [ownMetric(scope, 'Findings', 'SUCCEEDED')]],
    ],
    [
      [
        'Messages that wait',
        waiting.map(queue => queue.metricApproximateNumberOfMessagesVisible()),
        [queues.dead.metricNumberOfMessagesReceived()],
      ],
      ['Age of the oldest message', waiting.map(queue => queue.metricApproximateAgeOfOldestMessage())],
      ['Time that a step takes', [byDimension(stackName, 'WorkMilliseconds', 'outcome,step', 'p95')]],
    ],
    [
      ['Functions of the pipeline: errors', workers.map(handler => handler.metricErrors())],
      ['Throttles', workers.map(handler => handler.metricThrottles())],
      ['Duration', workers.map(handler => handler.metricDuration({ statistic: 'p95' }))],
    ],
  ]
  new cloudwatch.Dashboard(scope, 'Dashboard', {
    dashboardName: stackName,
    defaultInterval: Duration.hours(12),
    widgets: rows.map(row =>
      row.map(
        ([title, left, right]) =>
          new cloudwatch.GraphWidget({ title, left, right, width: 24 / row.length, height: 6, period }),
      ),
    ),
  })
}

/** One line for each value that a dimension has had. */
const byDimension = (stackName: string, metric: string, dimensions: string, statistic: string) =>
  new cloudwatch.MathExpression({
    expression: `SEARCH('{${metricsNamespace},${dimensions},service} MetricName="${metric}" service="${stackName}"', '${statistic}')`,
    label: '',
    period,
  })
