import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import { metricsNamespace } from './settings.ts'

/** What is measured, and in what. */
const units = {
  JobsStarted: MetricUnit.Count,
  /** By `outcome`. */
  Jobs: MetricUnit.Count,
  /** From the start of a job to its end, by `outcome`. */
  JobSeconds: MetricUnit.Seconds,
  /** By `outcome`, as are what they hold and what was found in them. */
  Assets: MetricUnit.Count,
  BytesIn: MetricUnit.Bytes,
  BytesOut: MetricUnit.Bytes,
  Findings: MetricUnit.Count,
  /** Assets, loads and jobs that failed, by `type`. */
  Failures: MetricUnit.Count,
  /** By `step` and `outcome`. */
  Messages: MetricUnit.Count,
  /** Tokens that were undone; of restored files, all replacements of the job that they are of. */
  Reidentified: MetricUnit.Count,
  EmergencyOpenings: MetricUnit.Count,
  /** How long a message waited until it was first taken, and how long it was worked on this time, by `step` and `outcome`. */
  WaitMilliseconds: MetricUnit.Milliseconds,
  WorkMilliseconds: MetricUnit.Milliseconds,
} as const

const metrics = new Metrics({ namespace: metricsNamespace })

/**
 * Measures: one line in the log in CloudWatch's embedded metric format. Dimensions are outcomes, steps and types of
 * failures, of which there are few; ids or anything of a document are never part of it. A function that ends between
 * an effect and its line is one that was not counted.
 */
export function measure(
  values: Partial<Record<keyof typeof units, number>>,
  dimensions: Partial<Record<'outcome' | 'step' | 'type', string>> = {},
): void {
  for (const [name, value] of Object.entries(dimensions)) metrics.addDimension(name, value)
  for (const [name, value] of Object.entries(values)) metrics.addMetric(name, units[name as keyof typeof units], value)
  metrics.publishStoredMetrics()
}
