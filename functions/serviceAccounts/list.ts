import { serviceAccounts } from '../../shared/api/service-accounts.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listAhead, listRecords } from '../../shared/store/lists.ts'
import { SERVICE_ACCOUNT, type ServiceAccountRecord } from '../../shared/store/service-accounts.ts'

export const handler = handle(serviceAccounts.list)(
  async call => listed(call, await listRecords<ServiceAccountRecord>(SERVICE_ACCOUNT, 'all', call.page)),
  { ahead: ({ page }) => listAhead(SERVICE_ACCOUNT, 'all', page) },
)
