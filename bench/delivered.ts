import { createSecretKey } from 'node:crypto'
import { anonymise } from '../shared/engine/anonymise.ts'
import { bufferInput, bufferOutput } from '../shared/engine/input.ts'
import { folderSource } from '../shared/engine/models/classifier.ts'
import { modelLoader } from '../shared/engine/models/model-loader.ts'
import type { PlannedRule } from '../shared/engine/plan.ts'
import { patternSource } from '../shared/engine/recognisers/index.ts'

/** A stretch of a text (UTF-16 offsets, end exclusive). */
export type Stretch = { start: number; end: number }

/** What stands for each character that is gone; no development set holds it. */
const mark = '\u2588'

const key = createSecretKey(Buffer.alloc(32, 1))

/** The shipped models as rules that mask what they find. */
const rules = ['pii-patterns', 'pii-ner'].map(
  (modelId): PlannedRule => ({
    ruleId: modelId,
    name: modelId,
    detection: { type: 'AIMODEL', modelId, modelVersion: '1.0.0', confidenceThreshold: 0.5 },
    replacement: { mask: { char: mark } },
  }),
)

/** Anonymises a text end to end with both shipped models and their defaults; gives the stretches that are masked. */
export async function deliver(text: string, models: string): Promise<Stretch[]> {
  const result = await anonymise({
    input: bufferInput('text.txt', Buffer.from(text)),
    plan: { rules, assetType: 'DOCUMENT' },
    secrets: { hash: key, pseudonym: key },
    numbering: { number: async keys => keys.map((_, index) => index + 1) },
    workspace: {
      async create(name) {
        const output = bufferOutput()
        return { output, input: async () => bufferInput(name, output.bytes()) }
      },
    },
    options: { encoding: 'utf-8' },
    models: modelLoader([patternSource, folderSource(models, 1)]),
    signal: new AbortController().signal,
  })
  return maskedIn(text, Buffer.from(await result.output.read(0, result.output.size)).toString())
}

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Where characters of a text were masked, told by what came out of it. */
function maskedIn(text: string, output: string): Stretch[] {
  const masked: Stretch[] = []
  let at = 0
  for (const { segment, index } of characters.segment(text)) {
    if (output.startsWith(segment, at)) at += segment.length
    else if (output.startsWith(mark, at)) {
      at += mark.length
      const end = index + segment.length
      const last = masked.at(-1)
      if (last?.end === index) last.end = end
      else masked.push({ start: index, end })
    } else throw new Error('The output differs from the text beyond what is masked')
  }
  if (at !== output.length) throw new Error('The output is longer than the text')
  return masked
}
