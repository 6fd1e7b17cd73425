import { notFound } from '../../shared/api/problems.ts'
import { transparency } from '../../shared/api/transparency.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { downloadUrl, objectSize } from '../../shared/store/objects.ts'
import { logObject } from '../../shared/store/transparency.ts'
import { currentLog, newestCheckpoint } from '../../shared/transparency/log.ts'
import { tileIn, tileOf } from '../../shared/transparency/tiles.ts'

export const handler = handle(transparency.tile)(async ({ query: { path } }) => {
  const log = await currentLog()
  const tile = tileOf(path)
  const size = (tile && (await newestCheckpoint(log))?.checkpoint.size) ?? 0
  const whole = tile && tileIn(size, tile.level, tile.index)
  const object = logObject(log.name, path)
  // Partial tiles are there for sizes that a checkpoint had.
  if (!whole || whole.width < tile.width || (await objectSize(object)) === undefined) throw notFound('tile')
  return downloadUrl(object, path.split('/').slice(1).join('-'), 'application/octet-stream')
})
