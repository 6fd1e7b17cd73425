import { type AssetRecord, changeAsset, objectOf } from '../../store/assets.ts'
import { findsValues } from '../../store/found-values.ts'
import { anonymiseDocument, download } from '../ocr/fan-out.ts'
import { changedFile, type WorkItem, withWorkItem } from '../worker/work-item.ts'
import { isLarge, startChunks } from './anonymise-chunk.ts'
import { storeFound } from './found-values.ts'
import { digestOf, recordSuccess } from './record-result.ts'

/** Anonymises one asset of a running job, or looks for its values, or shares it out, once, however often it is asked. */
export const anonymiseAsset = (jobId: string, assetId: string, remainingMs: number): Promise<void> =>
  withWorkItem({ jobId, assetId, remainingMs }, async work => {
    if (isLarge(work.asset) && (await startChunks(work))) return false
    const { path, asset } = await fetchAsset(work)
    if (asset.type === 'DOCUMENT') return anonymiseDocument({ ...work, asset }, path)
    // A table alone is looked through by whoever anonymises it.
    if (!findsValues(work.job) || work.job.assetCount === 1)
      return recordSuccess({ ...work, asset }, await work.run(path))
    await storeFound(work.job, asset, await work.find(path))
    return false
  })

/**
 * Brings the asset's file to disk, and answers the asset with its digest. That of one that the client sent to the store itself
 * is noted only now; one that is known must be that of the file.
 */
async function fetchAsset(work: WorkItem): Promise<{ path: string; asset: AssetRecord }> {
  const { asset } = work
  const path = await download(work, objectOf(asset), 'input')
  const sha256 = await digestOf(path)
  if (asset.sha256 && asset.sha256 !== sha256) throw changedFile()
  if (!asset.sha256) await changeAsset(asset, { sha256 })
  return { path, asset: { ...asset, sha256 } }
}
