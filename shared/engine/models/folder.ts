import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { EngineError } from '../errors.ts'
import type { ModelReference } from './model.ts'

/** Where the weights of an export may stand, in order of preference. */
const weightFiles = ['onnx/model_quantized.onnx', 'onnx/model.onnx', 'model.onnx'] as const

/** Every file of a model folder that is ever opened, with the most bytes it may have. */
export const modelFiles: Readonly<Record<string, number>> = {
  'anon-model.json': 256 * 1024,
  'config.json': 1024 * 1024,
  'tokenizer.json': 64 * 1024 * 1024,
  ...Object.fromEntries(weightFiles.map(file => [file, 400 * 1024 * 1024])),
}

const HuggingFaceConfig = z.object({
  architectures: z.array(z.string()).optional(),
  id2label: z.record(z.string().regex(/^\d{1,4}$/), z.string().min(1).max(64)),
  max_position_embeddings: z.number().int().min(8).max(1_000_000).optional(),
  model_type: z.string().optional(),
  pad_token_id: z.number().int().min(0).nullish(),
})

const Biases = z.record(z.string(), z.number().min(-10).max(10))

/** `anon-model.json`: what the service wants to know of a model beyond its Hugging Face files. All of it optional. */
export const ModelManifest = z.strictObject({
  name: z.string().max(200).optional(),
  description: z.string().max(2000).optional(),
  licence: z.string().max(200).optional(),
  /** BCP 47 languages, those it was made for first. */
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/))
    .max(200)
    .default([]),
  /** SHA-256 (hex) of files of the folder; a file that is listed must match. */
  sha256: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)).default({}),
  /** Types under another name; an empty one drops the type. */
  labels: z.record(z.string(), z.string().max(64)).default({}),
  /** Largest number of pieces in a window, and the step between two windows. */
  window: z
    .strictObject({
      size: z.number().int().min(8).max(8192),
      stride: z.number().int().min(1).max(8192),
      sentences: z.boolean().optional(),
    })
    .optional(),
  /**
   * What makes 0.5 mean even odds, measured on development data: logits are divided by the temperature, and those of a
   * type (as the graph names it) raised by its bias, and by another in texts of a language.
   */
  calibration: z
    .strictObject({
      temperature: z.number().min(0.1).max(10).default(1),
      bias: Biases.default({}),
      languages: z.record(z.string().regex(/^[a-z]{2,3}$/), Biases).optional(),
    })
    .optional(),
  aggregation: z.enum(['first', 'mean', 'max']).default('first'),
  /** Whether what stands inside an e-mail or web address counts: a classifier of names takes its parts for names. */
  addresses: z.boolean().default(true),
  /** Whether `token_type_ids` carry how each word is written, see `casing.ts`. */
  casing: z.boolean().default(false),
})
export type ModelManifest = z.infer<typeof ModelManifest>

/** What the descriptions of a model folder say. */
export type ModelDescription = { labels: string[]; manifest: ModelManifest; config: z.infer<typeof HuggingFaceConfig> }

/** The checked contents of a model folder. */
export type ModelFolder = {
  labels: string[]
  manifest: ModelManifest
  /** The text of `tokenizer.json`. */
  tokenizer: string
  weights: Uint8Array
  /** Positions that the model knows, special pieces included. */
  positions: number
}

/** Gives a file of a model folder; undefined when there is none. */
export type ReadFile = (file: string) => Promise<Uint8Array | undefined>

/** What is wrong with a folder, judging by the names and sizes (bytes) of its files; undefined if nothing is. */
export function faultOf(files: ReadonlyMap<string, number>): string | undefined {
  for (const [file, size] of files) {
    if (size > modelFiles[file]!) return `${file} is larger than ${modelFiles[file]} bytes`
  }
  const missing = ['config.json', 'tokenizer.json'].find(file => !files.has(file))
  if (missing) return `${missing} is missing`
  return weightFiles.some(file => files.has(file)) ? undefined : `${weightFiles[0]} is missing`
}

const failure = ({ modelId, modelVersion }: ModelReference, file: string, reason: string) =>
  new EngineError('model_load_failed', `Model ${modelId} ${modelVersion}: ${file} ${reason}`)

/** Throws `model_load_failed` for a file that is not the one that the manifest lists. */
function verify(reference: ModelReference, manifest: ModelManifest, file: string, bytes: Uint8Array) {
  const expected = manifest.sha256[file]
  if (expected && createHash('sha256').update(bytes).digest('hex') !== expected)
    throw failure(reference, file, 'has another SHA-256')
}

function parse<T>(reference: ModelReference, file: string, bytes: Uint8Array, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseJson(bytes))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw failure(reference, file, `is not valid: ${issue.path.join('.') || 'file'}: ${issue.message}`)
}

/** Reads the descriptions of a model folder. Throws `model_load_failed` with the file and the reason. */
export async function describeFolder(read: ReadFile, reference: ModelReference): Promise<ModelDescription> {
  const card = await read('anon-model.json')
  const manifest = card ? parse(reference, 'anon-model.json', card, ModelManifest) : ModelManifest.parse({})
  const stranger = Object.keys(manifest.sha256).find(file => !(file in modelFiles))
  if (stranger !== undefined) throw failure(reference, 'anon-model.json', 'lists a file that no model folder has')
  const bytes = await read('config.json')
  if (!bytes) throw failure(reference, 'config.json', 'is missing')
  verify(reference, manifest, 'config.json', bytes)
  const config = parse(reference, 'config.json', bytes, HuggingFaceConfig)
  const architecture = config.architectures?.find(name => !name.endsWith('ForTokenClassification'))
  if (architecture !== undefined) throw failure(reference, 'config.json', 'is not of a token classification model')
  const labels = Object.keys(config.id2label).map((_, i) => config.id2label[String(i)])
  if (!labels.every(label => label !== undefined))
    throw failure(reference, 'config.json', 'is not valid: id2label: numbers are missing')
  return { labels, manifest, config }
}

/** Reads and checks a model folder in the Hugging Face layout. Throws `model_load_failed` with the file and the reason. */
export async function readFolder(root: string, reference: ModelReference): Promise<ModelFolder> {
  const fail = (file: string, reason: string) => failure(reference, file, reason)
  const read = async (file: string): Promise<Buffer | undefined> => {
    for (const part of [file.split('/')[0]!, file]) {
      const found = await lstat(join(root, part)).catch(() => undefined)
      if (!found) return undefined
      if (found.isSymbolicLink()) throw fail(file, 'is a link')
      if (part !== file) continue
      if (!found.isFile()) throw fail(file, 'is not a file')
      if (found.size > modelFiles[file]!) throw fail(file, `is larger than ${modelFiles[file]} bytes`)
    }
    return readFile(join(root, file))
  }
  const { labels, manifest, config } = await describeFolder(read, reference)
  const vocabulary = await read('tokenizer.json')
  if (!vocabulary) throw fail('tokenizer.json', 'is missing')
  verify(reference, manifest, 'tokenizer.json', vocabulary)
  const tokenizer = vocabulary.toString('utf8')
  for (const file of weightFiles) {
    const weights = await read(file)
    if (!weights) continue
    verify(reference, manifest, file, weights)
    // RoBERTa and its kin count positions from the padding id onwards.
    const shift = /roberta|camembert|longformer/.test(config.model_type ?? '') ? (config.pad_token_id ?? 1) + 1 : 0
    const positions = (config.max_position_embeddings ?? 512) - shift
    return { labels, manifest, tokenizer, weights, positions }
  }
  throw fail(weightFiles[0], 'is missing')
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}
