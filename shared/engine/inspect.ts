import type { AnonymiseResult } from './anonymise.ts'
import { namingTooLong } from './errors.ts'
import { openSearch, type SearchCall } from './file-search.ts'
import type { Workspace } from './formats/format.ts'
import { keepPlaces } from './redact/places.ts'
import { createEditing } from './redact/segments.ts'
import { keepProposals } from './review/proposals.ts'

/** What was found in an asset that was only looked at. Holds no content. */
export type Inspected = Omit<
  AnonymiseResult,
  'name' | 'nameEdits' | 'output' | 'bytesOut' | 'matches' | 'risk' | 'tally'
> &
  Required<Pick<AnonymiseResult, 'places'>>

type InspectCall = SearchCall & { workspace: Workspace; proposes?: boolean }

/**
 * Looks for what {@link anonymise} would replace in an asset, and tells where it stands; nothing is written. What it tells is
 * without values, but where it proposes to those who review: then it holds them. Throws an {@link EngineError} where the asset can't
 * be read whole.
 */
export const inspect = (call: InspectCall): Promise<Inspected> => namingTooLong(() => inspected(call))

async function inspected(call: InspectCall): Promise<Inspected> {
  const { plan, workspace } = call
  const { format, file, progress, extent, bytesIn, again, columns, fields, known, extra } = await openSearch(call)
  try {
    const key = call.secrets.pseudonym
    const kept = call.proposes
      ? await keepProposals(plan, { key, type: format.type, views: file.views }, workspace)
      : await keepPlaces({ plan, key, known }, workspace)
    const parts = { plan, detector: again(), format: { keepsText: false }, places: kept.places }
    const replacer = async (targets: readonly unknown[]) => targets.map(() => '')
    const editing = createEditing({ ...parts, replacer }, extra)
    progress.pass(1, extent)
    for await (const batch of file.segments()) {
      await editing.edit(batch.filter(({ hint }) => !hint))
      progress.batch(batch)
    }
    const nothing = { dropped: [], rasterised: [], escalated: [], warnings: [], neutralised: 0 }
    return {
      format: format.id,
      mediaType: format.mediaType,
      findings: editing.findings(),
      report: { ...nothing, examined: editing.examined, choices: file.choices ?? {} },
      ...(fields && { fields: fields.end([], columns) }),
      places: await kept.end(),
      bytesIn,
    }
  } finally {
    await file.close()
  }
}
