import { lists } from '../../shared/api/lists.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed, pageOf } from '../../shared/http/list-response.ts'
import { LIST, type ListRecord, readEntries } from '../../shared/store/value-lists.ts'

export const handler = handle(lists.entries)(async call => {
  const { id } = await findOwned<ListRecord>(LIST, call.params.list_id, call.user, 'lists')
  const { search, ...page } = call.page
  const wanted = search?.toLowerCase()
  const all = await readEntries(id)
  const found = wanted ? all.filter(({ value }) => value.toLowerCase().includes(wanted)) : all
  return listed(call, pageOf(found, page))
})
