import type { ModelDetection } from '../plan.ts'

/** An entity that a model found in one text (UTF-16 offsets, end exclusive). */
export type Entity = { label: string; start: number; end: number; score: number }

/** A loaded entity-recognition model. Texts may be of any length; none is ever truncated. */
export type EntityModel = {
  /** The entities of each text, at least those with the detection's labels and threshold. */
  find(texts: string[], signal: AbortSignal): Promise<Entity[][]>
}

/** Loads, or takes from its cache, the model of a rule; throws `model_load_failed` with the reason. */
export type LoadModel = (detection: ModelDetection) => Promise<EntityModel>
