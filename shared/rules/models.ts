import type * as z from 'zod'
import { Refusal } from '../api/problems.ts'
import type { AiModelRuleConfig } from '../api/rules.ts'
import { isBuiltIn } from '../engine/models/catalogue.ts'
import { objectSize } from '../store/objects.ts'

/** Refuses a model that is not in the registry (422 `model_not_found`). */
export async function checkModel({ modelId, modelVersion }: z.infer<typeof AiModelRuleConfig>): Promise<void> {
  if (isBuiltIn({ modelId, modelVersion })) return
  const card = { bucket: 'models' as const, key: `${modelId}/${modelVersion}/config.json` }
  if ((await objectSize(card)) !== undefined) return
  const loc = ['body', 'config', 'aiModelRuleConfig', 'modelId']
  throw new Refusal({ type: 'model_not_found', msg: `There is no model ${modelId} of version ${modelVersion}`, loc })
}
