import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { EngineError, type Plan } from 'anonymisation-engine'
import { isBuiltIn, isModelReference, type ModelReference, modelFiles } from 'anonymisation-engine/models'
import { listObjects, objectSize, readWhole } from '../store/objects.ts'

/** Where models of the bucket are kept on this machine, `{modelId}/{modelVersion}/` below it. */
export const modelCache = join(tmpdir(), 'models')

/** Brings the models that a plan names, and that do not ship with the service, from the models bucket to this machine. */
export async function fetchModels(plan: Plan): Promise<void> {
  for (const { detection } of plan.rules) if (detection.type === 'AIMODEL') await fetchModel(detection)
}

/**
 * Brings one model to this machine, unless it ships. Versions never change: what was fetched once is not fetched again.
 * A model that is not there is left to its loading.
 */
export async function fetchModel(reference: ModelReference): Promise<void> {
  if (isBuiltIn(reference) || !isModelReference(reference)) return
  const { modelId, modelVersion } = reference
  const folder = join(modelCache, modelId, modelVersion)
  if (await stat(folder).catch(() => undefined)) return
  const sizes = new Map<string, number>()
  for (const [file, most] of Object.entries(modelFiles)) {
    const size = await objectSize({ bucket: 'models', key: `${modelId}/${modelVersion}/${file}` })
    if (size === undefined) continue
    if (size > most) {
      const reason = `${file} is larger than ${most} bytes`
      throw new EngineError('model_load_failed', `Model ${modelId} ${modelVersion}: ${reason}`)
    }
    sizes.set(file, size)
  }
  if (!sizes.has('config.json')) return
  await mkdir(modelCache, { recursive: true })
  const unfinished = await mkdtemp(join(modelCache, '.fetching-'))
  try {
    for (const file of neededOf([...sizes.keys()])) {
      await mkdir(dirname(join(unfinished, file)), { recursive: true })
      const object = { bucket: 'models', key: `${modelId}/${modelVersion}/${file}` } as const
      await writeFile(join(unfinished, file), await readWhole(object))
    }
    await mkdir(dirname(folder), { recursive: true })
    // Another asset may have fetched the same version meanwhile, in another process of this machine.
    await rename(unfinished, folder).catch(async error => {
      if (!(await stat(folder).catch(() => undefined))) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Most objects of the models bucket that are looked at. */
const maxObjects = 10_000

/** The folders of the models bucket that may be models: their names, and the sizes of the files that count. */
export async function filesOfModels(): Promise<(ModelReference & { files: Map<string, number> })[]> {
  const found = new Map<string, ModelReference & { files: Map<string, number> }>()
  for await (const { key, size } of listObjects('models', '', maxObjects)) {
    const [modelId = '', modelVersion = '', ...rest] = key.split('/')
    if (rest.length === 0) continue
    const name = `${modelId}/${modelVersion}`
    if (!found.has(name)) found.set(name, { modelId, modelVersion, files: new Map() })
    const file = rest.join('/')
    if (Object.hasOwn(modelFiles, file)) found.get(name)!.files.set(file, size)
  }
  return [...found.values()]
}

/** Of several files of weights only the one that is preferred. */
function neededOf(files: string[]): string[] {
  const weights = files.filter(file => file.endsWith('.onnx'))
  return files.filter(file => !weights.slice(1).includes(file))
}
