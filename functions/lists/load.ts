import { lists } from '../../shared/api/lists.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findAsset } from '../../shared/jobs/lifecycle/find-job.ts'
import { valuesOf } from '../../shared/jobs/lifecycle/list-values.ts'
import { checkEntries, merged } from '../../shared/rules/lists.ts'
import { isUploaded, objectOf } from '../../shared/store/assets.ts'
import { readWhole } from '../../shared/store/objects.ts'
import { changeEntries, LIST, type ListRecord } from '../../shared/store/value-lists.ts'

/** Largest file that is read, bytes: a million names and more. */
const MAX_BYTES = 64 * 1024 ** 2

export const handler = handle(lists.load)(async ({ params, body, user, write }) => {
  const { id } = await findOwned<ListRecord>(LIST, params.list_id, user, 'lists')
  const { asset } = await findAsset(body.assetId, user)
  const loc = ['body', 'assetId']
  if (!isUploaded(asset))
    throw new ProblemError({ type: 'file_not_a_list', msg: 'The file is a result, not one that was uploaded', loc })
  if (asset.status !== 'READY') throw new ProblemError({ type: 'asset_not_ready', loc })
  if ((asset.size ?? 0) > MAX_BYTES)
    throw new ProblemError({ type: 'file_not_a_list', msg: `The file is larger than ${MAX_BYTES} bytes`, loc })
  const values = valuesOf(await readWhole(objectOf(asset)))
  if (!values) throw new ProblemError({ type: 'file_not_a_list', loc })
  const { match, until = null, why = null, replace } = body
  checkEntries(
    values.map(value => ({ value, match })),
    n => [...loc, String(n + 1)],
  )
  const addedAt = new Date().toISOString()
  const added = values.map(value => ({ value, match, until, why, addedAt, addedBy: user.id }))
  return changeEntries(id, before => merged(replace ? [] : before, added), write)
})
