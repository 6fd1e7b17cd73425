import { join } from 'node:path'
import { folderSource, type ModelSource } from 'anonymisation-engine/models'

/** The models that ship lie beside the bundle, or at the top of the repository. */
export const shippedModels = join(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../../models' : 'models')

/** Classifiers: those that ship, and those fetched into a folder. */
export const classifierSources = (fetched: string): ModelSource[] => [
  folderSource(shippedModels),
  folderSource(fetched),
]
