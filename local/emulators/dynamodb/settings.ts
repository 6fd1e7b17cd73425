import * as z from 'zod'
import { invalid } from '../aws/errors.ts'
import { type Operation, operation } from '../aws/json.ts'
import type { Table } from './catalog.ts'
import { Tags } from './definition.ts'
import type { Store } from './store.ts'

const Name = z.strictObject({ TableName: z.string() })
const TimeToLive = z.strictObject({
  TableName: z.string(),
  TimeToLiveSpecification: z.strictObject({ Enabled: z.boolean(), AttributeName: z.string().min(1).max(255) }),
})
const Backups = z.strictObject({
  TableName: z.string(),
  PointInTimeRecoverySpecification: z.strictObject({
    PointInTimeRecoveryEnabled: z.boolean(),
    RecoveryPeriodInDays: z.int().min(1).max(35).optional(),
  }),
})
const Resource = z.strictObject({ ResourceArn: z.string(), NextToken: z.string().optional() })

const describeBackups = ({ recovery }: Table) => ({
  ContinuousBackupsDescription: {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription: {
      PointInTimeRecoveryStatus: recovery.enabled ? 'ENABLED' : 'DISABLED',
      RecoveryPeriodInDays: recovery.enabled ? (recovery.days ?? 35) : undefined,
    },
  },
})

/** Time to live, point-in-time recovery (remembered; there is nothing to restore from locally) and tags of tables. */
export function settingOperations(store: Store): Record<string, Operation> {
  const { catalog, database } = store

  function setTags(table: Table, tags: Record<string, string>) {
    if (Object.keys(tags).length > 50) throw invalid('A table can have at most 50 tags')
    database.transaction(() => catalog.save({ ...table, tags }))
    return undefined
  }

  return {
    UpdateTimeToLive: operation(TimeToLive, ({ TableName, TimeToLiveSpecification: wanted }, { authorize }) => {
      const table = catalog.table(TableName)
      authorize('UpdateTimeToLive', table.arn)
      if (wanted.Enabled === (table.ttl !== undefined))
        throw invalid(`TimeToLive is already ${wanted.Enabled ? 'enabled' : 'disabled'}`)
      if (!wanted.Enabled && wanted.AttributeName !== table.ttl)
        throw invalid('TimeToLive is enabled on another attribute')
      database.transaction(() => {
        const changed = { ...table, ttl: wanted.Enabled ? wanted.AttributeName : undefined }
        catalog.save(changed)
        store.restamp(changed)
      })
      return { TimeToLiveSpecification: wanted }
    }),
    DescribeTimeToLive: operation(Name, (input, { authorize }) => {
      const table = catalog.table(input.TableName)
      authorize('DescribeTimeToLive', table.arn)
      const status = table.ttl === undefined ? 'DISABLED' : 'ENABLED'
      return { TimeToLiveDescription: { TimeToLiveStatus: status, AttributeName: table.ttl } }
    }),
    UpdateContinuousBackups: operation(Backups, (input, { authorize }) => {
      const table = catalog.table(input.TableName)
      authorize('UpdateContinuousBackups', table.arn)
      const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: days } = input.PointInTimeRecoverySpecification
      const changed = { ...table, recovery: { enabled, days } }
      database.transaction(() => catalog.save(changed))
      return describeBackups(changed)
    }),
    DescribeContinuousBackups: operation(Name, (input, { authorize }) => {
      const table = catalog.table(input.TableName)
      authorize('DescribeContinuousBackups', table.arn)
      return describeBackups(table)
    }),
    TagResource: operation(z.strictObject({ ResourceArn: z.string(), Tags }), (input, { authorize }) => {
      const table = catalog.table(input.ResourceArn)
      authorize('TagResource', table.arn)
      const added = Object.fromEntries(input.Tags.map(({ Key, Value }) => [Key, Value]))
      return setTags(table, { ...table.tags, ...added })
    }),
    UntagResource: operation(
      z.strictObject({ ResourceArn: z.string(), TagKeys: z.array(z.string()) }),
      (input, { authorize }) => {
        const table = catalog.table(input.ResourceArn)
        authorize('UntagResource', table.arn)
        const kept = Object.entries(table.tags).filter(([key]) => !input.TagKeys.includes(key))
        return setTags(table, Object.fromEntries(kept))
      },
    ),
    ListTagsOfResource: operation(Resource, (input, { authorize }) => {
      const table = catalog.table(input.ResourceArn)
      authorize('ListTagsOfResource', table.arn)
      return { Tags: Object.entries(table.tags).map(([Key, Value]) => ({ Key, Value })) }
    }),
  }
}
