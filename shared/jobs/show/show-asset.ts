import { EngineError, type Input, showPage } from 'anonymisation-engine'
import type { AssetPage } from '../../api/assets.ts'
import { ProblemError } from '../../api/problems.ts'
import { type AssetRecord, objectOf } from '../../store/assets.ts'
import { type Begun, objectInputOnce } from '../../store/object-input.ts'
import { isMissing } from '../../store/objects.ts'

const mebibyte = 1024 ** 2

/** Of files that are shown: one is opened for every page, within the time of a request. */
const limits = { bytes: 64 * mebibyte, inflatedBytes: 512 * mebibyte }

/** When it is given up, milliseconds: a request ends soon after. */
const PATIENCE_MS = 15_000

/**
 * What people see on a page of the file of an asset, from 1, as far as that is begun to be read. Refuses one that is gone, or
 * that can't be shown.
 */
export async function showAsset(asset: AssetRecord, begun: Begun | undefined, number: number): Promise<AssetPage> {
  const { id, name, size, status, table } = asset
  if (status !== 'READY' || size === null) throw new ProblemError({ type: 'asset_not_ready' })
  const input = objectInputOnce(objectOf(asset), name, size, begun)
  const shown = await showing(input, number, { ...table })
  if (!shown) throw new ProblemError({ type: 'page_unknown', loc: ['query', 'page'] })
  const { pages, more, view, texts } = shown
  const picture = view
    ? { width: view.width, height: view.height, content: Buffer.from(view.bytes).toString('base64') }
    : null
  return { assetId: id, page: number, pages, more, picture, texts }
}

async function showing(input: Input, number: number, options: Record<string, unknown>) {
  try {
    return await showPage({ input, number, limits, options, signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (error) {
    if (isMissing(error)) throw new ProblemError({ type: 'asset_gone' })
    if (error instanceof EngineError) throw new ProblemError({ type: 'cannot_show', msg: error.message })
    if ((error as Error).name === 'TimeoutError')
      throw new ProblemError({ type: 'cannot_show', msg: 'Reading the file up to this page takes too long' })
    throw error
  }
}
