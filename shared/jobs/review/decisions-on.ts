import type { Decision } from 'anonymisation-engine'
import type { TakenDecision } from '../../store/reviews.ts'

/** The decisions on one asset, in order. */
export const decisionsOn = (assetId: string, taken: readonly TakenDecision[]): Decision[] =>
  taken.filter(one => !one.undone && (one.assetId === null || one.assetId === assetId)).map(({ decision }) => decision)
