import { sources } from '../../shared/api/sources.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changedConfig } from '../../shared/sources/changes.ts'
import { changing, untilChanged } from '../../shared/store/records.ts'
import { SOURCE, type SourceRecord, sealSecrets, showSource } from '../../shared/store/sources.ts'

export const handler = handle(sources.update)(async ({ params, body, user, write }) => {
  const after = await untilChanged(
    () => findOwned<SourceRecord>(SOURCE, params.source_id, user, 'sources'),
    async source => {
      const changes: Partial<SourceRecord> = { name: body.name }
      if (body.config) {
        const { config, secrets, kept } = changedConfig(source, body.config)
        // Both at once, so that no secret ever meets the address of another change.
        Object.assign(changes, { config, sealed: { ...kept, ...(await sealSecrets(source.id, secrets)) } })
      }
      const changed = changing<SourceRecord>(SOURCE, source, changes)
      return (await write([changed.write])) ? changed.after : undefined
    },
  )
  return showSource(after)
})
