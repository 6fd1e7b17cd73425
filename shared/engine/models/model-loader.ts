import type { LoadModel } from '../detect/entity-model.ts'
import { loadModel } from './load-model.ts'
import type { ModelSource } from './model.ts'

/** What detection asks for its models: those of the given sources, the first that has one. `load` says how they are kept. */
export function modelLoader(sources: readonly ModelSource[], load = loadModel): LoadModel {
  return async detection => {
    const model = await load(detection, sources)
    const { confidenceThreshold: threshold, entities, language } = detection
    return {
      anyText: model.anyText,
      readsColumns: model.readsColumns,
      find: (texts, signal, columns) => model.detect(texts, { threshold, entities, language, signal, columns }),
    }
  }
}
