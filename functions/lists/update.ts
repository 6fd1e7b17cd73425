import { lists } from '../../shared/api/lists.ts'
import { notFound } from '../../shared/api/problems.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changing, whileThere } from '../../shared/store/records.ts'
import { LIST, type ListRecord } from '../../shared/store/value-lists.ts'

export const handler = handle(lists.update)(async ({ params, body, user, write }) => {
  const list = await findOwned<ListRecord>(LIST, params.list_id, user, 'lists')
  const changed = changing<ListRecord>(LIST, list, body, whileThere)
  if (!(await write([changed.write]))) throw notFound('list')
  return changed.after
})
