import {
  ComprehendClient,
  type ComprehendServiceException,
  DetectEntitiesCommand,
  DetectPiiEntitiesCommand,
  type Entity,
  type LanguageCode,
  type PiiEntity,
} from '@aws-sdk/client-comprehend'
import { EngineError } from 'anonymisation-engine'
import {
  comprehendModels,
  type DetectOptions,
  type Found,
  type LoadedModel,
  type ModelSource,
} from 'anonymisation-engine/models'
import { type Batch, batchTexts } from './comprehend-batches.ts'

/** One answer of the service: offsets count characters (Unicode code points). */
type Answer = { type: string; score: number; from: number; to: number; text?: string }

/**
 * AWS Comprehend as a source of models (version `managed`). Where the service can't be reached, as in the local cloud,
 * loading fails with `model_load_failed`. Throttling is waited for; what lasts is thrown, so that the message comes again.
 */
export function comprehendSource(environment: NodeJS.ProcessEnv = process.env): ModelSource {
  let client: ComprehendClient | undefined
  return async ({ modelId, modelVersion }) => {
    const model = comprehendModels.find(known => known.modelId === modelId && known.modelVersion === modelVersion)
    if (!model) return undefined
    if (!hasComprehend(environment)) {
      throw new EngineError('model_load_failed', 'AWS Comprehend is not available in the local cloud')
    }
    const endpoint = environment.AWS_ENDPOINT_URL_COMPREHEND
    client ??= new ComprehendClient({ maxAttempts: 8, retryMode: 'adaptive', ...(endpoint ? { endpoint } : {}) })
    const asked = client
    return { ...model, detect: (texts, options) => detect(asked, model, texts, options) }
  }
}

/** Whether AWS Comprehend can be asked: not in the local cloud, unless something stands in for it. */
export const hasComprehend = (environment: NodeJS.ProcessEnv = process.env): boolean =>
  !environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL_COMPREHEND !== undefined

async function detect(
  client: ComprehendClient,
  model: Omit<LoadedModel, 'detect'>,
  texts: readonly string[],
  { threshold, entities, language = 'en', signal }: DetectOptions,
): Promise<Found[][]> {
  const code = language === 'zh-TW' ? language : language.split('-')[0]!
  if (!model.languages.includes(code)) {
    throw new EngineError('model_load_failed', `Model ${model.modelId}: language ${code} is not supported`)
  }
  const found: Found[][] = texts.map(() => [])
  const known = new Set<string>()
  for (const parcel of batchTexts(texts)) {
    signal?.throwIfAborted()
    for (const answer of await ask(client, model.modelId, parcel.text, code as LanguageCode, signal)) {
      if (answer.score < threshold || (entities && !entities.includes(answer.type))) continue
      for (const { item, start, end } of placesOf(parcel, answer)) {
        // What two parts of a text share is found in both.
        const place = `${item} ${start} ${end} ${answer.type}`
        if (known.has(place)) continue
        known.add(place)
        found[item]!.push({ start, end, label: answer.type, score: answer.score, evidence: { by: 'model' } })
      }
    }
  }
  for (const list of found) list.sort((a, b) => a.start - b.start || b.end - a.end)
  return found
}

async function ask(
  client: ComprehendClient,
  modelId: string,
  Text: string,
  LanguageCode: LanguageCode,
  abortSignal?: AbortSignal,
): Promise<Answer[]> {
  try {
    const input = { Text, LanguageCode }
    const { Entities = [] } =
      modelId === 'aws-comprehend-pii'
        ? await client.send(new DetectPiiEntitiesCommand(input), { abortSignal })
        : await client.send(new DetectEntitiesCommand(input), { abortSignal })
    return (Entities as (Entity | PiiEntity)[]).map(entity => ({
      type: entity.Type ?? 'OTHER',
      score: entity.Score ?? 0,
      from: entity.BeginOffset ?? -1,
      to: entity.EndOffset ?? -1,
      ...('Text' in entity && entity.Text ? { text: entity.Text } : {}),
    }))
  } catch (error) {
    const { name, $fault, $retryable } = error as ComprehendServiceException
    // A refusal is final; anything else may pass, and the message comes again.
    if ($fault !== 'client' || $retryable || /Throttl|TooManyRequests|Limit/.test(name)) throw error
    throw new EngineError('model_load_failed', `Model ${modelId}: AWS Comprehend refuses (${name})`)
  }
}

/** Where an answer lies in the texts of a parcel (UTF-16). One that can't be placed with certainty fails the asset. */
function placesOf(parcel: Batch, { from, to, text }: Answer): { item: number; start: number; end: number }[] {
  const begin = parcel.units[from]
  const until = parcel.units[to]
  if (
    begin === undefined ||
    until === undefined ||
    begin >= until ||
    (text && parcel.text.slice(begin, until) !== text)
  ) {
    throw new EngineError('model_load_failed', 'AWS Comprehend answered with offsets that do not fit the text')
  }
  const places: { item: number; start: number; end: number }[] = []
  for (let i = itemAt(parcel, begin); i < parcel.items.length && parcel.items[i]!.at < until; i++) {
    const { text: item, at, from: offset, length } = parcel.items[i]!
    const start = Math.max(begin, at) - at
    const end = Math.min(until, at + length) - at
    if (start < end) places.push({ item, start: start + offset, end: end + offset })
  }
  return places
}

/** Index of the last text of a parcel that starts at or before a place. */
function itemAt({ items }: Batch, place: number): number {
  let low = 0
  let high = items.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (items[middle]!.at <= place) low = middle
    else high = middle - 1
  }
  return low
}
