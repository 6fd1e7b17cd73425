import type { LoadModel } from '../detect/entity-model.ts'
import { loadModel } from './load-model.ts'
import type { ModelSource } from './model.ts'

/** What detection asks for its models: those of the given sources, the first that has one. */
export function modelLoader(sources: readonly ModelSource[]): LoadModel {
  return async detection => {
    const model = await loadModel(detection, sources)
    const { confidenceThreshold: threshold, entities, language } = detection
    return {
      anyText: model.anyText,
      readsColumns: model.readsColumns,
      find: (texts, signal, columns) => model.detect(texts, { threshold, entities, language, signal, columns }),
    }
  }
}
