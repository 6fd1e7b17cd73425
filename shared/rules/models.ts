import { comprehendModels, shippedModels } from 'anonymisation-engine/models'
import type * as z from 'zod'
import { ProblemError } from '../api/problems.ts'
import type { AiModelRuleConfig } from '../api/rules.ts'
import { objectSize } from '../store/objects.ts'

/** Refuses a model that is not in the registry, and labels that it never gives (422). `at` is the place of the rule. */
export async function checkModel(config: z.infer<typeof AiModelRuleConfig>, at: readonly string[]): Promise<void> {
  const { modelId, modelVersion, modelParameters } = config
  const loc = [...at, 'config', 'aiModelRuleConfig']
  const known = [...shippedModels, ...comprehendModels].find(
    model => model.modelId === modelId && model.modelVersion === modelVersion,
  )
  // The labels of a model of one's own are in its folder, which only the worker opens.
  const unknown = (modelParameters.entities ?? []).flatMap((label, n) =>
    known && !known.labels.includes(label)
      ? [
          {
            type: 'label_unknown' as const,
            msg: `${modelId} finds ${known.labels.join(', ')}`,
            loc: [...loc, 'modelParameters', 'entities', String(n)],
          },
        ]
      : [],
  )
  if (unknown.length > 0) throw new ProblemError(unknown)
  if (known) return
  const card = { bucket: 'models' as const, key: `${modelId}/${modelVersion}/config.json` }
  if ((await objectSize(card)) !== undefined) return
  const msg = `There is no model ${modelId} of version ${modelVersion}`
  throw new ProblemError({ type: 'model_not_found', msg, loc: [...loc, 'modelId'] })
}
