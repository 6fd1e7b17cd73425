import type { Replacement } from 'anonymisation-engine'
import { checkReplacement } from 'anonymisation-engine/rules'
import { ProblemError } from '../../api/problems.ts'
import { isWritable } from '../../api/replacements.ts'
import type { RuleEntry } from '../../api/workflows.ts'
import type { Caller } from '../../http/caller.ts'
import { isUploaded, objectOf } from '../../store/assets.ts'
import { readWhole } from '../../store/objects.ts'
import { findAsset } from './find-job.ts'

/** Largest hierarchy file, bytes. */
const MAX_BYTES = 4 * 1024 ** 2

/**
 * The replacement of an entry as it is run: a hierarchy that is named by its asset is read now, so that the job keeps it
 * as it was. Refused (400 `hierarchy_invalid`) where the file can't be one.
 */
export async function resolveReplacement({ replacement }: RuleEntry, n: number, user: Caller): Promise<Replacement> {
  if (!('generalise' in replacement)) return replacement
  const { generalise } = replacement
  if (!('hierarchy' in generalise)) return { generalise }
  const { hierarchy } = generalise
  if ('rows' in hierarchy) return { generalise: { hierarchy } }
  const refuse = (msg: string) =>
    new ProblemError({ type: 'hierarchy_invalid', msg, loc: ['config', 'rules', String(n), 'replacement'] })
  const { asset } = await findAsset(hierarchy.assetId, user)
  if (!isUploaded(asset)) throw refuse('The file is a result, not one that was uploaded')
  if (asset.status !== 'READY') throw refuse('The asset of the hierarchy is not READY')
  if ((asset.size ?? 0) > MAX_BYTES) throw refuse(`A hierarchy file holds at most ${MAX_BYTES} bytes`)
  const rows = await rowsOf((await readWhole(objectOf(asset))).toString('utf8'))
  if (!rows || rows.length === 0) throw refuse('The hierarchy file is no CSV file')
  const frozen = { generalise: { hierarchy: { level: hierarchy.level, rows } } }
  const [wrong] = checkReplacement(frozen)
  if (wrong) throw refuse(wrong.msg)
  if (!rows.every(([_, ...levels]) => levels.every(isWritable)))
    throw refuse('The hierarchy holds control characters, which not every kind of file can hold')
  return frozen
}

/** The rows of a file with semicolons, or else commas, between its cells; undefined when it can't be read. */
async function rowsOf(text: string): Promise<string[][] | undefined> {
  const { parse } = await import('csv-parse/sync')
  const delimiter = text.slice(0, text.search(/[\r\n]|$/)).includes(';') ? ';' : ','
  try {
    return parse(text, { delimiter, bom: true, skip_empty_lines: true, relax_column_count: true })
  } catch {
    return undefined
  }
}
