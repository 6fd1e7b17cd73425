import { randomUUID } from 'node:crypto'
import { lists } from '../../shared/api/lists.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { creating } from '../../shared/store/records.ts'
import { LIST, type ListRecord } from '../../shared/store/value-lists.ts'

export const handler = handle(lists.create)(async ({ body, user, note, write }) => {
  const now = new Date().toISOString()
  const made = { id: randomUUID(), ownerId: user.id, createdAt: now, updatedAt: now }
  const list: ListRecord = { ...body, ...made, entries: 0, content: null }
  note({ newId: list.id })
  await write(creating(LIST, list))
  return list
})
