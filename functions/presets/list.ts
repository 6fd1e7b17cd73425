import { presets } from '../../shared/api/presets.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed, pageOf } from '../../shared/http/list-response.ts'
import { summariseAll } from '../../shared/rules/presets.ts'

export const handler = handle(presets.list)(async call => listed(call, pageOf(summariseAll(), call.page)))
