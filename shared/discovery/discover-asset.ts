import { classifyFile, EngineError } from 'anonymisation-engine'
import { ProblemError } from '../api/problems.ts'
import type { Discovery } from '../api/sources.ts'
import { type AssetRecord, objectOf } from '../store/assets.ts'
import { type Begun, objectInputOnce } from '../store/object-input.ts'
import { isMissing } from '../store/objects.ts'
import { proposalOf } from './proposals.ts'

const mebibyte = 1024 ** 2

/** Of workbooks and other tables that are opened as a whole, within the time of a request. */
const limits = { bytes: 64 * mebibyte, inflatedBytes: 256 * mebibyte }

/** When it is given up, milliseconds: a request ends soon after. */
const PATIENCE_MS = 15_000

/**
 * Says what the columns of a table are that was uploaded or loaded, and is begun to be read. Refuses a file that is gone, or has
 * no columns to be read.
 */
export async function discoverAsset(
  asset: AssetRecord,
  begun: Begun | undefined,
): Promise<Pick<Discovery, 'columns' | 'workflow'>> {
  const { name, size, status } = asset
  if (status !== 'READY' || size === null) throw new ProblemError({ type: 'asset_not_ready' })
  const columns = await classified(asset, size, begun)
  if (!columns) throw new ProblemError({ type: 'columns_unknown', msg: 'The file is no table' })
  return proposalOf(name, columns)
}

async function classified(asset: AssetRecord, size: number, begun: Begun | undefined) {
  const input = objectInputOnce(objectOf(asset), asset.name, size, begun)
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    return await classifyFile(input, { signal, limits, opens: 'tables', options: { ...asset.table } })
  } catch (error) {
    if (isMissing(error)) throw new ProblemError({ type: 'asset_gone' })
    if (error instanceof EngineError) throw new ProblemError({ type: 'columns_unknown', msg: error.message })
    if ((error as Error).name === 'TimeoutError')
      throw new ProblemError({ type: 'columns_unknown', msg: 'Reading the file takes too long' })
    throw error
  }
}
