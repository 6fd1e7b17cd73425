import { type AssetRecord, objectOf } from '../../store/assets.ts'
import { abortMultipart, deleteObjects } from '../../store/objects.ts'

/** Removes the file of an asset and what lies beside it, or the parts of it that have come. */
export async function removeFile(asset: AssetRecord): Promise<void> {
  // The file of one that is restored belongs to another job.
  if (asset.restores) return
  const { bucket, key } = objectOf(asset)
  if (asset.uploadId && asset.status !== 'READY') await abortMultipart({ bucket, key }, asset.uploadId)
  await deleteObjects(bucket, key)
}
