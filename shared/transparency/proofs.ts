import { findLogged } from '../store/certificates.ts'
import { currentLog, newestCheckpoint, tilesOf } from './log.ts'
import { rangeHash } from './tiles.ts'
import { consistencyPath, inclusionPath, type Range } from './tree.ts'

/** First line of a proof (C2SP tlog-proof). */
const PROOF = 'c2sp.org/tlog-proof@v1'

/**
 * What shows without a network that the entry of a certificate is in the log: its number, the hashes beside its way up to the
 * root, and the newest checkpoint. Undefined until a checkpoint holds it, and for one that is in the log of a former key.
 */
export async function receiptOf(entry: string): Promise<string | undefined> {
  const logged = await findLogged(entry)
  if (!logged) return undefined
  const { log: name, index } = logged
  const log = await currentLog()
  const newest = name === log.name ? await newestCheckpoint(log) : undefined
  if (!newest || newest.checkpoint.size <= index) return undefined
  const { size } = newest.checkpoint
  const path = await hashesOf(size, inclusionPath(index, [0, size]))
  return `${[PROOF, `index ${index}`, ...path].join('\n')}\n\n${newest.note}`
}

/** What shows that the `first` entries of the log are still the first of its `second`; in base64. */
export const consistencyOf = (first: number, second: number): Promise<string[]> =>
  hashesOf(second, consistencyPath(first, second))

/** Hashes of trees within the first `size` entries of the log, which a checkpoint must hold; in base64. */
async function hashesOf(size: number, ranges: readonly Range[]): Promise<string[]> {
  const read = tilesOf(await currentLog())
  const hashes = await Promise.all(ranges.map(range => rangeHash(size, range, read)))
  return hashes.map(hash => hash.toString('base64'))
}
