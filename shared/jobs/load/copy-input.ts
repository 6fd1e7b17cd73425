import { addAbortSignal, type Readable } from 'node:stream'
import { SourceError } from '../../sources/errors.ts'
import { type AssetRecord, objectOf } from '../../store/assets.ts'
import { isChanged, isMissing, objectSize, putStream, readObject } from '../../store/objects.ts'
import { loadSchema, saveSchema } from './table-schema.ts'

/**
 * Copies the file of an asset from the job that it was given to, and the schema of a table. `through` sees the bytes pass.
 * Answers what is known of it, less when an earlier call copied it.
 */
export async function copyInput(
  asset: AssetRecord,
  original: NonNullable<AssetRecord['copies']>,
  signal: AbortSignal,
  through: (body: Readable) => AsyncIterable<Uint8Array>,
): Promise<Partial<AssetRecord>> {
  const object = objectOf(asset)
  if ((await objectSize(object)) !== undefined) return {}
  const schema = await loadSchema(original)
  if (schema) await saveSchema(asset, schema)
  const body = addAbortSignal(signal, await openOriginal(original))
  // It may fail before anybody reads it; whoever reads it then is told.
  body.on('error', () => {})
  try {
    const sha256 = await putStream(object, through(body), asset.contentType)
    return sha256 === undefined ? {} : { sha256 }
  } finally {
    body.destroy()
  }
}

/** The file as it was when it became READY. One that was deleted or is another one by now can't be copied. */
async function openOriginal(original: NonNullable<AssetRecord['copies']>): Promise<Readable> {
  try {
    return await readObject(objectOf(original))
  } catch (error) {
    if (!isMissing(error) && !isChanged(error)) throw error
    throw new SourceError('source_not_found', 'The file that was to be copied is gone')
  }
}
