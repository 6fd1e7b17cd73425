import { randomUUID } from 'node:crypto'
import { splitSecrets } from '../../shared/api/source-kinds.ts'
import { sources } from '../../shared/api/sources.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { creating } from '../../shared/store/records.ts'
import { SOURCE, type SourceRecord, sealSecrets, showSource } from '../../shared/store/sources.ts'

export const handler = handle(sources.create)(async ({ body: { name, kind, config: given }, user, note, write }) => {
  const id = randomUUID()
  const { config, secrets } = splitSecrets(kind, given)
  const now = new Date().toISOString()
  const times = { createdAt: now, updatedAt: now }
  const sealed = await sealSecrets(id, secrets)
  const source: SourceRecord = { id, ownerId: user.id, name, kind, config, sealed, ...times }
  note({ newId: id })
  await write(creating(SOURCE, source))
  return showSource(source)
})
