import { join } from 'node:path'
import { folderSource } from '../engine/models/classifier.ts'
import type { ModelSource } from '../engine/models/model.ts'

/** The models that ship lie beside the bundle, or at the top of the repository. */
const shipped = join(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../../models' : 'models')

/** Classifiers: those that ship, and those fetched into a folder. */
export const classifierSources = (fetched: string): ModelSource[] => [folderSource(shipped), folderSource(fetched)]
