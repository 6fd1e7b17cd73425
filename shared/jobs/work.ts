import { changeAsset, objectOf } from '../store/assets.ts'
import { type Attempt, attempt } from './attempt.ts'
import { isLarge, startChunks } from './chunks.ts'
import { anonymiseDocument, download } from './readings.ts'
import { digestOf, recordSuccess } from './result.ts'

/** Anonymises one asset of a running job, or shares it out, once, however often it is asked. */
export const anonymiseAsset = (jobId: string, assetId: string, remainingMs: number): Promise<void> =>
  attempt({ jobId, assetId, remainingMs }, async work => {
    if (isLarge(work.asset) && (await startChunks(work))) return
    const path = await fetchAsset(work)
    if (work.asset.type === 'DOCUMENT') await anonymiseDocument(work, path)
    else await recordSuccess(work.asset, await work.run(path))
  })

/** Brings the asset's file to disk. The digest of one that the client sent to the store itself is noted only now. */
async function fetchAsset(work: Attempt): Promise<string> {
  const { asset } = work
  const path = await download(work, objectOf(asset), 'input')
  if (!asset.sha256) await changeAsset(asset, { sha256: await digestOf(path) })
  return path
}
