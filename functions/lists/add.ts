import { lists } from '../../shared/api/lists.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkEntries, merged } from '../../shared/rules/lists.ts'
import { changeEntries, LIST, type ListRecord } from '../../shared/store/value-lists.ts'

export const handler = handle(lists.add)(async ({ params, body, user, write }) => {
  const { id } = await findOwned<ListRecord>(LIST, params.list_id, user, 'lists')
  checkEntries(body.entries, n => ['body', 'entries', String(n), 'value'])
  const addedAt = new Date().toISOString()
  const added = body.entries.map(({ value, match, until = null, why = null }) => ({
    ...{ value, match, until, why },
    ...{ addedAt, addedBy: user.id },
  }))
  return changeEntries(id, before => merged(before, added), write)
})
