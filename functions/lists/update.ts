import { lists } from '../../shared/api/lists.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changing, untilChanged } from '../../shared/store/records.ts'
import { LIST, type ListRecord } from '../../shared/store/value-lists.ts'

export const handler = handle(lists.update)(({ params, body, user, write }) =>
  untilChanged(
    () => findOwned<ListRecord>(LIST, params.list_id, user, 'lists'),
    async list => {
      const changed = changing<ListRecord>(LIST, list, body)
      return (await write([changed.write])) ? changed.after : undefined
    },
  ),
)
