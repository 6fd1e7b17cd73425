import { createSecretKey } from 'node:crypto'
import { anonymise } from '../shared/engine/anonymise.ts'
import type { LoadModel } from '../shared/engine/detect/entity-model.ts'
import { isStopWord } from '../shared/engine/detect/stop-words.ts'
import { bufferInput, bufferOutput } from '../shared/engine/input.ts'
import { type CatalogueEntry, usualModels } from '../shared/engine/models/catalogue.ts'
import { folderSource } from '../shared/engine/models/classifier.ts'
import type { ModelSource } from '../shared/engine/models/model.ts'
import { modelLoader } from '../shared/engine/models/model-loader.ts'
import type { PlannedRule } from '../shared/engine/plan.ts'
import { patternSource } from '../shared/engine/recognisers/index.ts'

/** A stretch of a text (UTF-16 offsets, end exclusive). */
export type Stretch = { start: number; end: number }

/** A document of a set with what people have marked in it. */
export type Doc = { id: string; text: string; spans: { start: number; end: number; type: string; protect?: boolean }[] }

/** What stands for each character that is gone; no development set holds it. */
const mark = '\u2588'

const replacement = { mask: { char: mark } }

/** A line before each text: one that begins like a mail is read as a text all the same. */
const before = '-\n'

const key = createSecretKey(Buffer.alloc(32, 1))

/** A shipped model, in the version that presets take. */
export const usual = (modelId: string): CatalogueEntry => usualModels.find(model => model.modelId === modelId)!

/** The shipped models as rules that mask what they find, but for some labels. */
export const rulesBut = (kept: readonly string[]) =>
  [usual('pii-patterns'), usual('pii-ner')].map(
    ({ modelId, modelVersion, labels }): PlannedRule => ({
      ruleId: modelId,
      name: modelId,
      detection: {
        type: 'AIMODEL',
        modelId,
        modelVersion,
        confidenceThreshold: 0.5,
        ...(kept.length > 0 && { entities: labels.filter(label => !kept.includes(label)) }),
      },
      replacement,
    }),
  )

/** What became of a text: the stretches that are masked, and the values that the models found in it by themselves. */
export type Delivered = { masked: Stretch[]; found: string[] }

/** Anonymises a text end to end with both shipped models and their defaults; or with other rules, whose replacements are left out. */
export async function deliver(
  text: string,
  folder: string,
  rules: readonly PlannedRule[] = rulesBut([]),
  source: ModelSource = folderSource(folder, 1),
): Promise<Delivered> {
  const { models, found } = recording(modelLoader([patternSource, source]))
  const result = await anonymise({
    input: bufferInput('text.txt', Buffer.from(before + text)),
    plan: { rules: rules.map(rule => ({ ...rule, replacement })), assetType: 'DOCUMENT' },
    secrets: { hash: key, pseudonym: key },
    numbering: { number: async keys => keys.map((_, index) => index + 1) },
    workspace: {
      async create(name) {
        const output = bufferOutput()
        return { output, input: async () => bufferInput(name, output.bytes()) }
      },
    },
    options: { encoding: 'utf-8' },
    models,
    signal: new AbortController().signal,
  })
  const output = Buffer.from(await result.output.read(0, result.output.size)).toString()
  return { masked: maskedIn(text, output.slice(before.length)), found: [...found.values()] }
}

/** The same models, and what they found, once for each place of each text that they were asked about. */
function recording(load: LoadModel) {
  const found = new Map<string, string>()
  const models: LoadModel = async detection => {
    const model = await load(detection)
    return {
      ...model,
      async find(texts, ...more) {
        const lists = await model.find(texts, ...more)
        for (const [i, list] of lists.entries())
          for (const { start, end } of list) found.set(`${start} ${end} ${texts[i]}`, texts[i]!.slice(start, end))
        return lists
      },
    }
  }
  return { models, found }
}

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Characters that a mask of a value has no mark for: those that nobody sees, and the strokes before signs in some programs' texts. */
const unseen = /^(?:\p{Cf}|\\)$/u

/** Where characters of a text were masked, told by what came out of it. */
function maskedIn(text: string, output: string): Stretch[] {
  const masked = stretchesIn(text, output) ?? stretchesIn(text, output, unseen)
  if (!masked) throw new Error('The output differs from the text beyond what is masked')
  return masked
}

/** The same, where a mask has no marks for some characters; undefined where the output can't be read so. */
function stretchesIn(text: string, output: string, unmarked?: RegExp): Stretch[] | undefined {
  const masked: Stretch[] = []
  let at = 0
  for (const { segment, index } of characters.segment(text)) {
    const end = index + segment.length
    const last = masked.at(-1)
    if (output.startsWith(segment, at)) at += segment.length
    else if (last?.end === index && unmarked?.test(segment)) last.end = end
    else if (output.startsWith(mark, at)) {
      at += mark.length
      if (last?.end === index) last.end = end
      else masked.push({ start: index, end })
    } else return undefined
  }
  return at === output.length ? masked : undefined
}

/** How many characters but blanks a text has. */
const countIn = (text: string) => text.match(/\S/gu)?.length ?? 0

/** A text of the same length with blanks in place of some stretches of it. */
function without(text: string, stretches: readonly Stretch[]): string {
  const units = text.split('')
  for (const { start, end } of stretches) units.fill(' ', start, end)
  return units.join('')
}

/** Whether a stretch is a mark, one character or a word that is too common to tell of anybody. */
function isTrifle(value: string): boolean {
  const [word = '', ...more] = value.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return more.length === 0 && (Array.from(word).length < 2 || isStopWord(word.toLowerCase()))
}

/** Whether marks, single characters or common words were masked oftener than the models had found them. */
function spreadsTrifles(text: string, { masked, found }: Delivered): boolean {
  const left = Map.groupBy(found, value => value)
  return masked.some(({ start, end }) => {
    const value = text.slice(start, end)
    return isTrifle(value) && left.get(value)?.pop() === undefined
  })
}

/**
 * What of some documents can still be read, what harmless is masked, and in how many a trifle was looked for elsewhere:
 * each with what is to be reached.
 */
export function measureDelivered(
  docs: readonly Doc[],
  delivered: readonly Delivered[],
): [what: string, share: string, wanted: string][] {
  const told = { leaks: 0, mentions: 0, documents: 0, masked: 0, harmless: 0, trifles: 0 }
  for (const [i, { text, spans }] of docs.entries()) {
    const { masked } = delivered[i]!
    const left = without(text, masked)
    const wanted = spans.filter(({ protect }) => protect !== false)
    const leaks = wanted.filter(({ start, end }) => /[\p{L}\p{N}]/u.test(left.slice(start, end))).length
    told.mentions += wanted.length
    told.leaks += leaks
    if (leaks > 0) told.documents++
    told.harmless += countIn(without(text, spans))
    told.masked += countIn(without(text, spans)) - countIn(without(text, [...spans, ...masked]))
    if (spreadsTrifles(text, delivered[i]!)) told.trifles++
  }
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} % (${part}/${whole})`
  return [
    ['mentions with anything left', share(told.leaks, told.mentions), 'reported'],
    ['documents with any of those', share(told.documents, docs.length), 'reported'],
    ['harmless characters masked', share(told.masked, told.harmless), 'reported'],
    ['documents with a trifle propagated', share(told.trifles, docs.length), '0'],
  ]
}
