import { lists } from '../../shared/api/lists.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changeEntries, LIST, type ListRecord } from '../../shared/store/value-lists.ts'

export const handler = handle(lists.remove)(async ({ params, body, user, write }) => {
  const { id } = await findOwned<ListRecord>(LIST, params.list_id, user, 'lists')
  const gone = new Set(body.values)
  return changeEntries(id, before => before.filter(({ value }) => !gone.has(value)), write)
})
