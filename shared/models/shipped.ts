import { join } from 'node:path'
import { folderSource, type ModelSource } from 'anonymisation-engine/models'

/** The models that ship lie beside the bundle, or at the top of the repository. */
export const shippedModels = join(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../../models' : 'models')

/** Classifiers: those that ship, and those fetched into a folder. They run on as many threads as there are processors, unless said otherwise. */
export const classifierSources = (fetched: string, threads?: number): ModelSource[] => [
  folderSource(shippedModels, threads),
  folderSource(fetched, threads),
]

/** Threads of models in functions that answer requests: they have one processor, on which a second thread only waits. */
export const THREADS_OF_REQUESTS = 1
