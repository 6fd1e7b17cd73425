import { docsPage } from '../../shared/api/docs-page.ts'
import { service } from '../../shared/api/service.ts'
import { handle } from '../../shared/http/endpoint.ts'

export const handler = handle(service.docs)(async () => docsPage)
