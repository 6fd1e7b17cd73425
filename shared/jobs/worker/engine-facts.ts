import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plan } from 'anonymisation-engine'
import { isModelReference, type ModelReference, modelFiles } from 'anonymisation-engine/models'
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

const models = new Map<string, Promise<string | null>>()

/** Digest of the files of a model; null of one that is part of the program or of AWS. Taken once: versions never change. */
function modelDigest({ modelId, modelVersion }: ModelReference): Promise<string | null> {
  const name = `${modelId}/${modelVersion}`
  const known = models.get(name)
  if (known) return known
  const taking = takeModelDigest([shippedModels, modelCache].map(root => join(root, modelId, modelVersion)))
  models.set(name, taking)
  taking.catch(() => models.delete(name))
  return taking
}

async function takeModelDigest(folders: string[]): Promise<string | null> {
  for (const folder of folders) {
    const found = await readdir(folder, { recursive: true }).catch(() => [])
    const files = found.map(file => file.replaceAll('\\', '/')).filter(file => Object.hasOwn(modelFiles, file))
    if (files.length > 0) return digestOfFiles(folder, files)
  }
  return null
}

/** What this worker makes outputs with that run by a plan, whose models have been fetched. */
export async function engineFacts({ rules }: Plan): Promise<EngineFacts> {
  const named = rules.flatMap(({ detection }) =>
    detection.type === 'AIMODEL' && isModelReference(detection) ? detection : [],
  )
  const distinct = new Map(
    named.map(({ modelId, modelVersion }) => [`${modelId}/${modelVersion}`, { modelId, modelVersion }]),
  )
  const facts = [...distinct.values()].map(async model => ({ ...model, sha256: await modelDigest(model) }))
  return { version, bundle: await bundleDigest(), models: await Promise.all(facts) }
}
