import * as z from 'zod'
import { Id, ListQuery, listBody, Timestamp } from './common.ts'
import type { Resource } from './endpoint.ts'
import { EventName } from './events.ts'

export const Notification = z
  .object({
    id: Id,
    kind: EventName,
    title: z.string(),
    message: z.string().describe('Never any content of an asset'),
    resource: z.object({ type: z.string(), id: Id }),
    read: z.boolean(),
    readAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>

export const notifications = {
  list: {
    route: 'POST /notifications/list',
    access: 'notifications:read',
    audited: false,
    summary: 'List notifications',
    query: ListQuery,
    body: listBody(['read', 'kind'], ['createdAt', 'kind', 'read']),
    reply: z.array(Notification),
  },
  read: {
    route: 'POST /notifications/{notification_id}/read',
    access: 'notifications:read',
    summary: 'Mark a notification as read',
    reply: Notification,
  },
} as const satisfies Resource
