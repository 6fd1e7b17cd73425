import { cutAsset, type Plan, type Split, splitAsset } from 'anonymisation-engine'
import { settings } from '../../settings.ts'
import { objectOf } from '../../store/assets.ts'
import { loadCutting, saveCutting } from '../../store/chunks.ts'
import { objectInput } from '../../store/object-input.ts'
import { sendMessages } from '../../store/queue.ts'
import type { WorkItem } from '../worker/work-item.ts'

/** Most chunks of an asset; an upload takes 10,000 parts. */
const MAX_CHUNKS = 9000

/**
 * How a table is cut: by looking here and there or, where that doesn't tell, by reading all of it. Reading that takes longer
 * than an invocation leaves a checkpoint and a message, and answers `later`; the next one goes on from there, so that the
 * cuts are those of a single reading. Undefined for tables that stay in one piece.
 */
export async function cutTable(
  { job, asset, signal, deadline }: WorkItem,
  plan: Plan,
): Promise<Split | 'later' | undefined> {
  // Which records go depends on all the others: such a table stays in one piece.
  if (plan.risk?.require) return undefined
  const size = Math.max(settings().CHUNK_BYTES, Math.ceil(asset.size! / MAX_CHUNKS))
  const input = objectInput(objectOf(asset), asset.name, asset.size!)
  const call = { input, plan, size, signal, options: asset.table }
  const so = await loadCutting(job.id, asset.id)
  const split = so ? undefined : await splitAsset(call)
  if (split && split.ranges.length > 1) return split
  const begun = so?.ranges.at(-1)?.end ?? 0
  const enough = (at: number) => at - begun >= settings().CHECKPOINT_BYTES || Date.now() >= deadline
  const cutting = await cutAsset({ ...call, so, enough })
  if (!cutting || cutting.done) return cutting && cutting.ranges.length > 1 ? cutting : undefined
  await saveCutting(job.id, asset.id, cutting)
  await sendMessages('work', job.ownerId, [{ type: 'ANONYMISE', jobId: job.id, assetId: asset.id }])
  return 'later'
}
