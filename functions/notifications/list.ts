import { notifications } from '../../shared/api/notifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { NOTIFICATION, type NotificationRecord } from '../../shared/store/notifications.ts'

export const handler = handle(notifications.list)(async call =>
  listed(call, await listRecords<NotificationRecord>(NOTIFICATION, { ownerId: call.user.id }, call.page)),
)
