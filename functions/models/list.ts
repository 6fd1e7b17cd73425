import { models } from '../../shared/api/models.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed, pageOf } from '../../shared/http/list-response.ts'
import { describeModel, knownModels } from '../../shared/rules/registry.ts'

export const handler = handle(models.list)(async call => {
  const { records, total } = pageOf(await knownModels(), call.page)
  // Only those of the page are opened.
  return listed(call, { records: await Promise.all(records.map(describeModel)), total })
})
