import * as z from 'zod'
import { Deleted, Description, Id, ListQuery, listBody, listQuery, Name, Timestamp, upTo } from './common.ts'
import { DeliveryMode, DeliveryTypes } from './deliveries.ts'
import type { Resource } from './endpoint.ts'
import { JobMode, MAX_ENTRIES, PlanEntry } from './job.ts'
import { PresetId } from './preset-id.ts'
import { JobError } from './results.ts'
import { Folder } from './source-kinds.ts'

/** Most tables that one schedule names. */
const MAX_TABLES = 1000

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const TimeZone = upTo(64)
  .regex(/^[A-Za-z][\w+\-/]*$/, 'must be the name of a time zone, such as Europe/Berlin')
  .refine(isTimeZone, 'must be a time zone of the IANA database')
  .describe('IANA time zone that `cron` is in')

const Cron = upTo(100)
  .regex(/^[^\s]+( +[^\s]+){4}$/, 'must be five fields: minute, hour, day of the month, month, day of the week')
  .describe('When it runs, as five fields: minute, hour, day of the month, month, day of the week')

const Rate = upTo(20)
  .regex(/^[1-9]\d{0,3} (minute|hour|day)s?$/, 'must be a number of minutes, hours or days, such as `5 minutes`')
  .describe('How often it runs instead, such as `5 minutes`, counted from its creation')

const Delivery = z
  .strictObject({
    sourceId: Id,
    mode: DeliveryMode.default('create'),
    folder: Folder.regex(/[^/]/, 'must name a folder')
      .optional()
      .describe('Results go into this folder, under their own names; for databases the schema of new tables'),
    types: DeliveryTypes.default('source'),
  })
  .meta({ id: 'ScheduledDelivery' })

const taken = {
  folder: Folder.optional().describe('Of a source of files: the folder whose files are taken; the root by default'),
  files: upTo(255)
    .optional()
    .describe(
      'Only files of this name in any case, `*` standing for any characters; all supported ones by default, and when empty',
    ),
  settleSeconds: z
    .int()
    .min(0)
    .max(3600)
    .optional()
    .describe('A file that was changed less than so long ago is left for the next run; 10 by default'),
  tables: z
    .array(z.string().min(1).max(2000))
    .min(1)
    .max(MAX_TABLES)
    .optional()
    .describe('Of a database: the tables, all of which each run takes'),
}

const processed = {
  workflowId: Id.nullable().optional(),
  presetId: PresetId.nullable().optional(),
  plan: z.array(PlanEntry).min(1).max(MAX_ENTRIES).nullable().optional(),
  mode: JobMode.optional(),
  deliver: Delivery.nullable().optional().describe('Where results are written; they stay in their jobs if it is null'),
}

export const NewSchedule = z
  .strictObject({
    name: Name,
    description: Description.default(''),
    cron: Cron.optional(),
    rate: Rate.optional(),
    timezone: TimeZone.default('UTC'),
    enabled: z.boolean().default(true).describe('Whether it runs by itself'),
    sourceId: Id,
    ...taken,
    ...processed,
  })
  .refine(({ cron, rate }) => (cron === undefined) !== (rate === undefined), {
    path: ['cron'],
    message: 'give either `cron` or `rate`',
  })
  .meta({
    id: 'NewSchedule',
    examples: [
      {
        name: 'Inbox',
        rate: '5 minutes',
        sourceId: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
        folder: 'inbox',
        presetId: 'default',
        deliver: { sourceId: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', folder: 'outbox' },
      },
    ],
  })
export type NewSchedule = z.infer<typeof NewSchedule>

export const ScheduleChanges = z
  .strictObject({
    name: Name.optional(),
    description: Description.optional(),
    cron: Cron.optional(),
    rate: Rate.optional(),
    timezone: TimeZone.optional(),
    enabled: z.boolean().optional(),
    ...taken,
    ...processed,
  })
  .refine(({ cron, rate }) => cron === undefined || rate === undefined, {
    path: ['cron'],
    message: 'give either `cron` or `rate`',
  })
  .meta({ id: 'ScheduleChanges' })
export type ScheduleChanges = z.infer<typeof ScheduleChanges>

export const Schedule = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    cron: z.string().nullable(),
    rate: z.string().nullable(),
    timezone: z.string(),
    enabled: z.boolean(),
    sourceId: Id,
    folder: z.string().optional(),
    files: z.string().optional(),
    settleSeconds: z.int().optional(),
    tables: z.array(z.string()).optional(),
    workflowId: Id.nullable(),
    presetId: PresetId.nullable(),
    plan: z.array(PlanEntry).nullable(),
    mode: JobMode,
    deliver: Delivery.nullable(),
    nextRunAt: Timestamp.nullable().describe('null while it is paused'),
    lastRunAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Schedule' })
export type Schedule = z.infer<typeof Schedule>

export const ScheduleRun = z
  .object({
    id: Id,
    scheduleId: Id,
    trigger: z
      .enum(['schedule', 'manual', 'arrival'])
      .describe('`arrival`: a bucket told of new objects before the time had come'),
    plannedAt: Timestamp,
    status: z
      .enum(['IN_PROGRESS', 'SUCCEEDED', 'FAILED'])
      .describe('`FAILED`: something went wrong, or files were parked'),
    step: z
      .enum(['taking', 'loading', 'executing', 'delivering', 'ending'])
      .nullable()
      .describe('null once it has ended'),
    jobId: Id.nullable().describe('The job of what was taken; null when there was nothing new'),
    counts: z.object({
      taken: z.int().describe('Files or tables that it took'),
      returned: z.int().describe('Of these, how many it gave back for the next run'),
      parked: z.int().describe('Of these, how many were parked'),
      succeeded: z.int().describe('Results'),
      delivered: z.int(),
    }),
    errors: z.array(JobError).describe('Why it failed as a whole'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ScheduleRun' })
export type ScheduleRun = z.infer<typeof ScheduleRun>

export const ParkedEntry = z
  .object({
    name: z.string(),
    runId: Id,
    jobId: Id.nullable(),
    error: JobError.describe('Why it was parked'),
    createdAt: Timestamp,
  })
  .meta({ id: 'ParkedEntry' })
export type ParkedEntry = z.infer<typeof ParkedEntry>

const refusals = [
  'schedule_invalid',
  'source_unknown',
  'source_kind_unavailable',
  'workflow_required',
  'workflow_not_found',
  'plan_mismatch',
  'preset_not_found',
  'conflicting_values',
] as const

export const schedules = {
  list: {
    route: 'POST /schedules/list',
    access: 'schedules:read',
    audited: false,
    extension: true,
    summary: 'List schedules',
    query: ListQuery,
    body: listBody(['name'], ['name', 'createdAt', 'updatedAt']),
    reply: z.array(Schedule),
  },
  create: {
    route: 'POST /schedules/',
    access: 'schedules:write',
    extension: true,
    summary: 'Create a schedule',
    description:
      'At its times it takes what is new in a source, executes a job with it and writes the results to a source, all as its ' +
      'owner, with the permissions that the owner has then. What cannot be processed is parked, and the rest goes on.',
    body: NewSchedule,
    reply: Schedule,
    problems: refusals,
  },
  get: {
    route: 'GET /schedules/{schedule_id}',
    access: 'schedules:read',
    extension: true,
    summary: 'Show a schedule',
    reply: Schedule,
  },
  update: {
    route: 'PUT /schedules/{schedule_id}',
    access: 'schedules:write',
    extension: true,
    summary: 'Change, pause or resume a schedule',
    description:
      'It is paused by `enabled: false`. What it took before is not taken again. Others than its owner can only change ' +
      '`enabled`, because it runs with the permissions of the owner.',
    body: ScheduleChanges,
    reply: Schedule,
    problems: refusals,
  },
  delete: {
    route: 'DELETE /schedules/{schedule_id}',
    access: 'schedules:write',
    extension: true,
    summary: 'Delete a schedule',
    description: 'With its runs and what it remembers of its source. The jobs of its runs stay.',
    reply: Deleted,
  },
  run: {
    route: 'POST /schedules/{schedule_id}/run',
    access: 'schedules:write',
    extension: true,
    summary: 'Run a schedule now',
    description: 'Also while it is paused. It runs as its owner, whoever asks.',
    reply: ScheduleRun,
  },
  runs: {
    route: 'GET /schedules/{schedule_id}/runs',
    access: 'schedules:read',
    extension: true,
    summary: 'List the runs of a schedule',
    description: 'A run that took nothing is kept for a day, others as long as the files of jobs.',
    query: listQuery(['status'], ['createdAt']),
    reply: z.array(ScheduleRun),
  },
  parked: {
    route: 'GET /schedules/{schedule_id}/parked',
    access: 'schedules:read',
    extension: true,
    summary: 'List the files and tables that a schedule could not process',
    query: listQuery([], ['name', 'createdAt']),
    reply: z.array(ParkedEntry),
  },
  retry: {
    route: 'POST /schedules/{schedule_id}/retry',
    access: 'schedules:write',
    extension: true,
    summary: 'Have the next run take again what is parked',
    body: z.strictObject({
      names: z.array(z.string().min(1).max(2000)).min(1).max(1000).optional().describe('All of it when absent'),
    }),
    reply: z.object({ id: Id, released: z.int() }),
  },
} as const satisfies Resource
