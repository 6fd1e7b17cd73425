import { presets } from '../../shared/api/presets.ts'
import { notFound } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { showPreset } from '../../shared/rules/presets.ts'

export const handler = handle(presets.get)(async ({ params }) => {
  const preset = showPreset(params.preset_id)
  if (!preset) throw notFound('preset')
  return preset
})
