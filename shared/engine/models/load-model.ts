import { EngineError } from '../errors.ts'
import { isModelReference, type LoadedModel, type ModelReference, type ModelSource } from './model.ts'

/** Models kept loaded at a time. */
const KEPT = 2

/** Loads models and keeps them loaded. */
type Load = (reference: ModelReference, sources: readonly ModelSource[]) => Promise<LoadedModel>

/**
 * Loads models, and keeps each until two others were asked for: then it is closed. Throws `model_load_failed`, saying what
 * could not be loaded and why.
 */
export function keepingModels(): Load {
  // One promise each, so that two callers never load the same model twice.
  const loaded = new Map<string, Promise<LoadedModel>>()
  return (reference, sources) => {
    const key = `${reference.modelId}@${reference.modelVersion}`
    const known = loaded.get(key)
    if (known) {
      loaded.delete(key)
      loaded.set(key, known)
      return known
    }
    const model = find(reference, sources)
    loaded.set(key, model)
    // A failure is not kept: the next job may find the model in its place.
    model.catch(() => loaded.delete(key))
    if (loaded.size > KEPT) {
      const [oldest, unused] = loaded.entries().next().value!
      loaded.delete(oldest)
      // Its memory lies outside of the heap: no collector would free it in time.
      unused.then(
        ({ close }) => close?.(),
        () => undefined,
      )
    }
    return model
  }
}

/** The model that a rule names, from the first source that has it, kept for later calls, also across invocations. */
export const loadModel = keepingModels()

async function find(reference: ModelReference, sources: readonly ModelSource[]): Promise<LoadedModel> {
  if (isModelReference(reference)) {
    for (const source of sources) {
      const model = await source(reference)
      if (model) return model
    }
  }
  throw new EngineError('model_load_failed', `There is no model ${reference.modelId} ${reference.modelVersion}`)
}
