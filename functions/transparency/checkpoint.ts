import { notFound } from '../../shared/api/problems.ts'
import { transparency } from '../../shared/api/transparency.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { currentLog, newestCheckpoint } from '../../shared/transparency/log.ts'

export const handler = handle(transparency.checkpoint)(async () => {
  const newest = await newestCheckpoint(await currentLog())
  if (!newest) throw notFound('checkpoint')
  return newest.note
})
