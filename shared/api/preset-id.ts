import { upTo } from './common.ts'

/** Name of a preset, such as `hipaa-safe-harbor`. */
export const PresetId = upTo(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be the id of a preset')
  .meta({ description: 'Id of a preset: a shipped workflow', examples: ['hipaa-safe-harbor'] })
