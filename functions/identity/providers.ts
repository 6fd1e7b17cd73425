import { identity } from '../../shared/api/identity.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { settings } from '../../shared/settings.ts'

export const handler = handle(identity.providers)(async () => settings().IDENTITY_PROVIDERS)
