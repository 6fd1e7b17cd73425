import { lists } from '../../shared/api/lists.ts'
import { notFound } from '../../shared/api/problems.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changeRecord } from '../../shared/store/records.ts'
import { LIST, type ListRecord } from '../../shared/store/value-lists.ts'

export const handler = handle(lists.update)(async ({ params, body, user }) => {
  const { id } = await findOwned<ListRecord>(LIST, params.list_id, user, 'lists')
  const changed = await changeRecord<ListRecord>(LIST, id, body)
  if (!changed) throw notFound('list')
  return changed
})
