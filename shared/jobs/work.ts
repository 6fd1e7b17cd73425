import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { changeAsset, objectOf } from '../store/assets.ts'
import { readObject } from '../store/objects.ts'
import { type Attempt, attempt } from './attempt.ts'
import { isLarge, startChunks } from './chunks.ts'
import { digestOf, recordSuccess } from './result.ts'

/** Anonymises one asset of a running job, or cuts it into chunks, once, however often it is asked. */
export const anonymiseAsset = (jobId: string, assetId: string, remainingMs: number): Promise<void> =>
  attempt({ jobId, assetId, remainingMs }, async work => {
    if (isLarge(work.asset) && (await startChunks(work))) return
    const path = await download(work)
    await recordSuccess(work.asset, await work.run(path))
  })

/** Brings the asset's file to disk. The digest of one that the client sent to the store itself is noted only now. */
async function download({ asset, directory, signal }: Attempt): Promise<string> {
  const path = join(directory, 'input')
  await pipeline(await readObject(objectOf(asset)), createWriteStream(path), { signal })
  if (!asset.sha256) await changeAsset(asset, { sha256: await digestOf(path) })
  return path
}
