/** Models of entities: where they come from, what they say of themselves, and how they are loaded. */

export type { LoadModel } from './detect/entity-model.ts'
export { cachedFinder, type Finding as EntityFinding } from './detect/model-cache.ts'
export { comprehendModels, isBuiltIn, shippedModels, usualModels, versionsOf } from './models/catalogue.ts'
export { folderSource } from './models/classifier.ts'
export { describeFolder, faultOf, modelFiles } from './models/folder.ts'
export { type LabelGroup, labelGroup, labelsOf } from './models/label-groups.ts'
export { labelScheme } from './models/labels.ts'
export { keepingModels, loadModel } from './models/load-model.ts'
export {
  type DetectOptions,
  type Found,
  isModelReference,
  type LoadedModel,
  type ModelReference,
  type ModelSource,
} from './models/model.ts'
export { modelLoader } from './models/model-loader.ts'
