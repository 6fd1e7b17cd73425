import type { Addition, Decision, Rounds } from 'anonymisation-engine'
import { type Kept, type Reviewed, roundOf, type TakenDecision } from '../../store/reviews.ts'

/** A decision with its number among all of the job. */
type Numbered = TakenDecision & { n: number }

/** Something that was added at one place or by a box, and not by its value. */
type PlacedAt = Exclude<Addition, { value: string }>

/** Where something was added at one place or by a box; undefined of all else. */
export const placedAt = (decision: Decision): PlacedAt | undefined =>
  decision.action === 'add' && !('value' in decision.at) ? decision.at : undefined

const isBefore = ({ round = 0 }: TakenDecision, job: Pick<Reviewed, 'review'>): boolean => round < roundOf(job)

/** Whether it was added at a place, or by a box, of an earlier round which is not there any more. */
export const isLapsed = (one: Numbered, job: Pick<Reviewed, 'review'>, kept: Kept | undefined): boolean =>
  placedAt(one.decision) !== undefined && isBefore(one, job) && !kept?.additions.includes(one.n)

/** The decisions on one asset that count, in order. */
export const takenOn = (
  { assetId, job, kept }: { assetId: string; job: Pick<Reviewed, 'review'>; kept: Kept | undefined },
  taken: readonly TakenDecision[],
): Numbered[] =>
  taken
    .map((one, n) => ({ ...one, n }))
    .filter(one => !one.undone && (one.assetId === null || one.assetId === assetId) && !isLapsed(one, job, kept))

/** The decisions on an asset as the engine takes them. */
export const decisionsOn = (...of: Parameters<typeof takenOn>): Decision[] =>
  takenOn(...of).map(({ decision, n, round = 0 }) => ({ ...decision, n, round }))

/** Which decisions of before hold for findings of an asset; undefined in the first round. */
export const roundsOf = (job: Pick<Reviewed, 'review'>, kept: Kept | undefined): Rounds | undefined =>
  roundOf(job) === 0 ? undefined : { now: roundOf(job), held: new Map(kept?.held) }
