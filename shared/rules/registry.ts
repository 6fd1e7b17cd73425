import { EngineError } from 'anonymisation-engine'
import {
  comprehendModels,
  describeFolder,
  faultOf,
  isModelReference,
  labelScheme,
  type ModelReference,
  shippedModels,
} from 'anonymisation-engine/models'
import type { Model } from '../api/models.ts'
import { hasComprehend } from '../models/comprehend.ts'
import { filesOfModels } from '../models/fetch.ts'
import { readWhole } from '../store/objects.ts'

/** A model by name: where it is from, its name for searching, and the sizes of its files when it is in the bucket. */
type Known = ModelReference & { name: string; source: Model['source']; files?: Map<string, number> }

/**
 * Every model that a rule can name, and the folders of the bucket that are meant to be one; those whose name no rule can
 * give are left out. What ships goes before what the bucket holds under the same name.
 */
export async function knownModels(): Promise<Known[]> {
  const known = new Map<string, Known>()
  const add = ({ modelId, modelVersion }: ModelReference, source: Model['source'], files?: Known['files']) => {
    const name = `${modelId} ${modelVersion}`
    if (!known.has(name)) known.set(name, { modelId, modelVersion, name, source, files })
  }
  for (const model of shippedModels) add(model, 'shipped')
  if (hasComprehend()) for (const model of comprehendModels) add(model, 'aws-comprehend')
  for (const { files, ...reference } of await filesOfModels()) {
    if (isModelReference(reference)) add(reference, 'bucket', files)
  }
  return [...known.values()]
}

/** What there is to say of a model; one of the bucket is opened, as far as its labels. */
export async function describeModel({ modelId, modelVersion, source, files }: Known): Promise<Model> {
  const base = { modelId, modelVersion, source, reason: null }
  const builtIn = [...shippedModels, ...comprehendModels].find(
    model => model.modelId === modelId && model.modelVersion === modelVersion,
  )
  if (!files) {
    const { description, labels, languages, licence } = builtIn!
    return { ...base, description, labels: [...labels], languages: [...languages], licence, usable: true }
  }
  const broken = (reason: string): Model => ({
    ...base,
    ...{ description: '', labels: [], languages: [], licence: null, usable: false, reason },
  })
  const fault = faultOf(files)
  if (fault) return broken(fault)
  try {
    const read = (file: string) => readWhole({ bucket: 'models', key: `${modelId}/${modelVersion}/${file}` })
    const { labels, manifest } = await describeFolder(async file => (files.has(file) ? read(file) : undefined), {
      modelId,
      modelVersion,
    })
    const { description = '', languages, licence = null } = manifest
    const { types } = labelScheme(labels, manifest.labels)
    return { ...base, description, labels: types, languages, licence, usable: true }
  } catch (error) {
    if (error instanceof EngineError) return broken(error.message)
    throw error
  }
}
