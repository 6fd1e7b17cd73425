import * as z from 'zod'

/**
 * Everything that the service tells of: the one list for notifications, webhooks and the bus. Of each event, the title and the message
 * of its notification, where `{name}` is the name that people gave the record; webhooks get ids and counts only.
 */
export const events = {
  'job.succeeded': ['Job succeeded', 'The job “{name}” has finished. Its results can be fetched.'],
  'job.failed': ['Job failed', 'The job “{name}” has finished with errors. The job says which.'],
  'job.cancelled': ['Job cancelled', 'The job “{name}” was cancelled.'],
  'review.waiting': ['Review waits', 'The job “{name}” waits for its review. Nothing is released before.'],
  'load.failed': ['Load failed', 'Files of the job “{name}” could not be loaded. Its assets say why.'],
  'delivery.succeeded': ['Results delivered', 'The results of the job “{name}” have been written to the source.'],
  'delivery.failed': [
    'Delivery failed',
    'Some results of the job “{name}” could not be written to the source. The job says which, and why.',
  ],
  'schedule.failed': [
    'Scheduled run failed',
    'A run of the schedule “{name}” has failed, or has parked files. Its runs say why.',
  ],
  'reidentification.approved': ['Request approved', 'Your request for what tokens stand for was approved.'],
  'reidentification.rejected': ['Request rejected', 'Your request for what tokens stand for was rejected.'],
  'reidentification.opened': ['Tokens opened', 'Somebody was given values that tokens of your jobs stand for.'],
  'user.blocked': ['Account blocked', 'An administrator blocked your account and ended its sessions.'],
  'user.password_reset': ['Password reset', 'An administrator reset your password and ended your sessions.'],
  'user.password_changed': ['Password changed', 'Your password was changed and your other sessions were ended.'],
  'user.second_factor_changed': [
    'Second factor changed',
    'Your second factor was turned on or off and your other sessions were ended.',
  ],
  'user.identity_linked': [
    'Log-in by your company',
    'You log in by an identity provider from now on: your password and second factor here were removed.',
  ],
  'webhook.disabled': [
    'Webhook disabled',
    'The webhook “{name}” was disabled: its address is gone, or has accepted nothing for five days.',
  ],
} as const satisfies Record<string, readonly [title: string, message: string]>

export type EventName = keyof typeof events

const names = Object.keys(events) as [EventName, ...EventName[]]
export const EventName = z.enum(names)

/** All events about one kind of thing, such as `job.*`. */
type Family = EventName extends infer Name ? (Name extends `${infer Thing}.${string}` ? `${Thing}.*` : never) : never

const families = [...new Set(names.map(name => name.replace(/\..*/, '.*')))] as [Family, ...Family[]]

/** One event, all about one kind of thing, or all there are. */
export const EventPattern = z.enum([...names, ...families, '*'])
export type EventPattern = z.infer<typeof EventPattern>

/** Whether one of the patterns is meant for an event. */
export const isWanted = (name: EventName, patterns: readonly string[]): boolean =>
  patterns.some(pattern => pattern === '*' || pattern === name || pattern === name.replace(/\..*/, '.*'))
