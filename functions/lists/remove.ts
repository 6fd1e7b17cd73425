import { lists } from '../../shared/api/lists.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { entryKey } from '../../shared/rules/lists.ts'
import { changeEntries, LIST, type ListRecord } from '../../shared/store/value-lists.ts'

export const handler = handle(lists.remove)(async ({ params, body, user, write }) => {
  const { id } = await findOwned<ListRecord>(LIST, params.list_id, user, 'lists')
  const values = new Set(body.values)
  const entries = new Set(body.entries.map(entryKey))
  return changeEntries(
    id,
    before => before.filter(entry => !values.has(entry.value) && !entries.has(entryKey(entry))),
    write,
  )
})
