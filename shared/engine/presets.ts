/** Shipped workflows: what each looks for, how it is replaced, and how to run it. */

import { general } from './presets/general.ts'
import { health } from './presets/health.ts'
import { payment } from './presets/payment.ts'
import type { Preset } from './presets/preset.ts'

export { type Preset, presetRules } from './presets/preset.ts'

/** Every preset that ships. */
export const presets: readonly Preset[] = [...general, ...health, ...payment]

/** A preset by its id. */
export const findPreset = (id: string): Preset | undefined => presets.find(preset => preset.id === id)
