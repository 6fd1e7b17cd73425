import { openApi } from '../../shared/api/openapi.ts'
import { service } from '../../shared/api/service.ts'
import { handle } from '../../shared/http/endpoint.ts'

export const handler = handle(service.openapi)(async () => JSON.stringify(openApi()))
