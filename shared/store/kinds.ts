import type { TableName } from '../settings.ts'

/** A kind of record: where it is kept and how its rows are named. */
export type Kind = {
  table: TableName
  /** First part of the keys: `RULE`. */
  name: string
  /** Whether rows expire: a counter would not hold then, so totals are counted. */
  expires?: true
  /** Whether nobody owns the records: only the total of all is kept then. */
  ownerless?: true
}

/** The kinds of records that paths name, by the parameter. */
export const kinds = {
  rule_id: { table: 'rules', name: 'RULE' },
  workflow_id: { table: 'workflows', name: 'WORKFLOW' },
  list_id: { table: 'lists', name: 'LIST' },
  job_id: { table: 'jobs', name: 'JOB' },
  /** The row that leads from the id of an asset to its job. */
  asset_id: { table: 'jobs', name: 'ASSET' },
  source_id: { table: 'sources', name: 'SOURCE' },
  schedule_id: { table: 'schedules', name: 'SCHEDULE' },
  webhook_id: { table: 'webhooks', name: 'WEBHOOK' },
  key_id: { table: 'keys', name: 'KEY' },
  reidentification_id: { table: 'reidentifications', name: 'REIDENTIFICATION' },
  user_id: { table: 'users', name: 'USER', ownerless: true },
  role_id: { table: 'roles', name: 'ROLE', ownerless: true },
  account_id: { table: 'users', name: 'SERVICE-ACCOUNT', ownerless: true },
} as const satisfies Record<string, Kind>
