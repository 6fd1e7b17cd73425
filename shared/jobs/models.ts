import { join } from 'node:path'
import type { LoadModel } from '../engine/detect/model.ts'
import { folderSource } from '../engine/models/classifier.ts'
import { modelLoader } from '../engine/models/load.ts'
import { patternSource } from '../engine/recognisers/index.ts'
import { comprehendSource } from '../store/comprehend.ts'

/** The models that ship lie beside the bundle, or at the top of the repository. */
const shipped = join(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../../models' : 'models')

/** Every model that a rule may name: those that ship, those fetched into a folder, those of AWS Comprehend. */
export const modelsIn = (fetched: string): LoadModel =>
  modelLoader([patternSource, folderSource(shipped), folderSource(fetched), comprehendSource()])
