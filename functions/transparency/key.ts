import { transparency } from '../../shared/api/transparency.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { currentLog } from '../../shared/transparency/log.ts'
import { verifierKey } from '../../shared/transparency/note.ts'

export const handler = handle(transparency.key)(async () => {
  const { origin, key } = await currentLog()
  return { origin, verifierKey: verifierKey(origin, key) }
})
