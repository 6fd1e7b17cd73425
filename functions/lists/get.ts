import { lists } from '../../shared/api/lists.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { LIST, type ListRecord } from '../../shared/store/value-lists.ts'

export const handler = handle(lists.get)(({ params, user }) =>
  findOwned<ListRecord>(LIST, params.list_id, user, 'lists'),
)
