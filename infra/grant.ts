import type { BucketName, KeyName, QueueName, TableName } from '../shared/settings.ts'
import type { BucketVerb, KeyVerb, TableLevel } from './iam-actions.ts'

/** What one function may do. */
export type Grant = {
  tables?: Partial<Record<TableName, TableLevel>>
  buckets?: Partial<Record<BucketName, readonly BucketVerb[]>>
  keys?: Partial<Record<KeyName, readonly KeyVerb[]>>
  /** Queues that it sends messages to. */
  sends?: readonly QueueName[]
  /** The queue that its messages come from, where there is one: `dead` is the dead-letter queue, `arrivals` that of drop buckets. */
  consumes?: QueueName | 'dead' | 'arrivals'
  /** Whether it puts events on the bus, where there is one. */
  tellsBus?: true
  /** Whether it asks AWS Comprehend for entities. */
  comprehends?: true
  /** Whether it connects to data sources or identity providers, and so may stand in the operator's own network. */
  connects?: true
  /** Whether it is told the identity providers. */
  signsOn?: true
}
