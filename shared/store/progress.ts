/** What is worked on apart: an asset, or one chunk of it. */
export type Unit = { assetId: string; chunk?: number }

/** How far the work on a unit has come, in bytes of it. */
export type Made = { unit: Unit; bytes: number }

const PREFIX = 'bytes '

/**
 * How far each unit under way in a job has come: an attribute of the job's row for each, so that whoever asks reads one
 * row. What a chunk has is added to its asset's attribute when it is done, and an asset's goes into the bytes of those
 * that have ended.
 */
export type ProgressAttributes = { [attribute: `${typeof PREFIX}${string}`]: number }

/** Units of a job that are told of at the same time: each makes the row longer that every worker reads and writes. */
const MAX_TOLD = 40

/** The attribute of a unit. */
export const attributeOf = ({ assetId, chunk }: Unit): keyof ProgressAttributes =>
  `${PREFIX}${assetId}${chunk === undefined ? '' : ` ${chunk}`}`

const attributesOf = (job: object): [string, number][] =>
  Object.entries(job).filter((entry): entry is [string, number] => entry[0].startsWith(PREFIX))

/** Bytes done of all that is under way in a job. */
export const bytesUnderWay = (job: object): number => attributesOf(job).reduce((sum, [, bytes]) => sum + bytes, 0)

/** The attributes that a job has for an asset and its chunks, as many as one write may remove. */
export const attributesOfAsset = (job: object, assetId: string): string[] =>
  attributesOf(job)
    .flatMap(([name]) => (name.startsWith(attributeOf({ assetId })) ? name : []))
    .slice(0, 2 * MAX_TOLD)

/** Whether a job, as it was last seen, doesn't say yet that a unit has come so far, and has room to. */
export function isNews(job: ProgressAttributes, { unit, bytes }: Made): boolean {
  const known = job[attributeOf(unit)]
  return known === undefined ? bytes > 0 && attributesOf(job).length < MAX_TOLD : bytes > known
}
