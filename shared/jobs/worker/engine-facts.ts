import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plan } from 'anonymisation-engine'
import {
  comprehendModels,
  describeFolder,
  isModelReference,
  type ModelReference,
  modelFiles,
  shippedModels as shipped,
  versionsOf,
} from 'anonymisation-engine/models'
import { version } from '../../api/version.ts'
import { modelCache } from '../../models/fetch.ts'
import { shippedModels } from '../../models/shipped.ts'
import type { EngineFacts } from '../../store/evidence.ts'

/** Digest of some files of a folder: of the lines that `sha256sum` prints for them, in the order of their names. */
async function digestOfFiles(folder: string, files: string[]): Promise<string> {
  const whole = createHash('sha256')
  for (const file of files.toSorted()) {
    const digest = createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex')
    whole.update(`${digest}  ${file}\n`)
  }
  return whole.digest('hex')
}

let bundle: Promise<string> | undefined

/** Digest of the files that this worker runs; null where it runs from its sources. Taken once. */
async function bundleDigest(): Promise<string | null> {
  if (import.meta.url.endsWith('.ts')) return null
  const folder = import.meta.dirname
  bundle ??= readdir(folder).then(names =>
    digestOfFiles(
      folder,
      names.filter(name => /\.m?js$/.test(name)),
    ),
  )
  return bundle
}

type ModelFacts = EngineFacts['models'][number]

const models = new Map<string, Promise<ModelFacts>>()

/** What is known of a model. Taken once: versions never change. */
function modelFacts(model: ModelReference): Promise<ModelFacts> {
  const name = nameOf(model)
  const known = models.get(name)
  if (known) return known
  const taking = takeModelFacts(model)
  models.set(name, taking)
  taking.catch(() => models.delete(name))
  return taking
}

const nameOf = ({ modelId, modelVersion }: ModelReference): string => `${modelId}/${modelVersion}`

/** The digest is null of a model that is part of the program or of AWS; of a version that ships no more it is that of what reads for it. */
async function takeModelFacts({ modelId, modelVersion }: ModelReference): Promise<ModelFacts> {
  const model = { modelId, modelVersion }
  const known = [...shipped, ...comprehendModels].find(one => nameOf(one) === nameOf(model))
  const folders = [shippedModels, modelCache].flatMap(root =>
    versionsOf(model).map(version => join(root, modelId, version)),
  )
  for (const folder of folders) {
    const found = await readdir(folder, { recursive: true }).catch(() => [])
    const files = found.map(file => file.replaceAll('\\', '/')).filter(file => Object.hasOwn(modelFiles, file))
    if (files.length === 0) continue
    const read = async (file: string) => (files.includes(file) ? readFile(join(folder, file)) : undefined)
    const languages = known?.languages ?? (await describeFolder(read, model)).manifest.languages
    return { ...model, sha256: await digestOfFiles(folder, files), languages: [...languages] }
  }
  return { ...model, sha256: null, ...(known && { languages: [...known.languages] }) }
}

/** What this worker makes outputs with that run by a plan, whose models have been fetched. */
export async function engineFacts({ rules }: Plan): Promise<EngineFacts> {
  const named = rules.flatMap(({ detection }) =>
    detection.type === 'AIMODEL' && isModelReference(detection) ? detection : [],
  )
  const distinct = new Map(named.map(model => [nameOf(model), model]))
  return { version, bundle: await bundleDigest(), models: await Promise.all([...distinct.values()].map(modelFacts)) }
}
