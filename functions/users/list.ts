import { users } from '../../shared/api/users.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listAhead, listRecords } from '../../shared/store/lists.ts'
import { USER, type UserRecord } from '../../shared/store/users.ts'

export const handler = handle(users.list)(
  async call => listed(call, await listRecords<UserRecord>(USER, 'all', call.page)),
  { ahead: ({ page }) => listAhead(USER, 'all', page) },
)
