import type { DetectOptions, Found, LoadedModel, ModelSource } from '../models/model.ts'
import { contact, phones } from './contact.ts'
import { crypto } from './crypto.ts'
import { dates } from './dates.ts'
import { documents } from './documents.ts'
import { finance } from './finance.ts'
import { health } from './health.ts'
import { network } from './network.ts'
import { people } from './people.ts'
import { matches, prepare, type Recogniser } from './recogniser.ts'
import { secrets } from './secrets.ts'
import { tax } from './tax.ts'

/** Every recogniser that ships, as data. */
export const recognisers: readonly Recogniser[] = [
  ...contact,
  ...network,
  ...finance,
  ...crypto,
  ...secrets,
  ...dates,
  ...people,
  ...health,
  ...tax,
  ...documents,
]

const prepared = recognisers.map(prepare)
const labels = [...new Set([...recognisers.map(row => row.label), 'PHONE'])].sort()

/**
 * What the recognisers find in a text; of two matches one of which holds the other, the surer. `misses` adds what was
 * found wanting (a wrong checksum, or a score below the threshold) and what else a match may be.
 */
export function recognise(text: string, options: DetectOptions): Found[] {
  const all = prepared.flatMap(row => [...matches(row, text, options.misses ?? false)])
  all.push(...phones(text))
  const asked = options.entities ? all.filter(({ label }) => options.entities!.includes(label)) : all
  asked.sort((a, b) => b.score - a.score || b.end - b.start - (a.end - a.start) || a.start - b.start)
  const kept: Found[] = []
  for (const found of asked) {
    if (!options.misses && found.score < options.threshold) break
    const told = (other: Found) => !options.misses || other.label === found.label
    if (!kept.some(other => other.start <= found.start && found.end <= other.end && told(other))) kept.push(found)
  }
  return kept.sort((a, b) => a.start - b.start)
}

/** The recognisers as a model: `pii-patterns` `1.0.0`. It depends on no language and needs no files. */
const model: LoadedModel = {
  modelId: 'pii-patterns',
  modelVersion: '1.0.0',
  labels,
  languages: [],
  async detect(texts, options) {
    const known = new Map<string, Found[]>()
    return texts.map(text => {
      options.signal?.throwIfAborted()
      const found = known.get(text) ?? recognise(text, options)
      known.set(text, found)
      return found
    })
  },
}

/** The source of `pii-patterns`. */
export const patternSource: ModelSource = async ({ modelId, modelVersion }) =>
  modelId === model.modelId && modelVersion === model.modelVersion ? model : undefined
