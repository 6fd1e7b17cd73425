import { ProblemError } from '../api/problems.ts'
import { isVisible } from '../http/authorise.ts'
import type { Caller } from '../http/caller.ts'
import { findRecord } from '../store/records.ts'
import { SOURCE, type SourceRecord } from '../store/sources.ts'

/** A source that a body names; refuses one that the caller may not see (400 `source_unknown`). */
export async function findNamedSource(
  id: string,
  user: Caller,
  loc: string[] = ['body', 'sourceId'],
): Promise<SourceRecord> {
  const source = await findRecord<SourceRecord>(SOURCE, id)
  if (source && isVisible(user, 'sources', source.ownerId)) return source
  throw new ProblemError({ type: 'source_unknown', loc })
}
