import { serviceAccounts } from '../../shared/api/service-accounts.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { getServiceAccount } from '../../shared/store/service-accounts.ts'

export const handler = handle(serviceAccounts.get)(({ params }) => getServiceAccount(params.account_id))
