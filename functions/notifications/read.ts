import { notifications } from '../../shared/api/notifications.ts'
import { notFound } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { markRead } from '../../shared/store/notifications.ts'

export const handler = handle(notifications.read)(async ({ params, user, write }) => {
  const notification = await markRead(user.id, params.notification_id, write)
  if (!notification) throw notFound('notification')
  return notification
})
