import { EngineError } from '../errors.ts'
import type { Plan } from '../plan.ts'
import { mayHold } from '../recognisers/columns.ts'
import { isCommonName, listedName } from '../recognisers/name-lexicon.ts'
import type { Column, Entity, EntityModel, LoadModel } from './entity-model.ts'
import { cachedFinder } from './model-cache.ts'
import { isPersonLabel, useNameLists, withInitials } from './name-parts.ts'
import type { Span } from './span.ts'

useNameLists({ isCommonName, listedName })

/** The columns of texts that are cells, where a model asks for them. */
type Columns = readonly (Column | undefined)[] | undefined

/** Finds spans in texts of their own, each searched from an offset: what detection is made of, below pieces. */
export type Finder = (texts: readonly string[], from: number, columns?: Columns) => Promise<Span[][]>

/** A rule that asks a model. */
type Asked = {
  rule: number
  model: EntityModel
  threshold: number
  entities?: ReadonlySet<string>
}

/** One with what it finds. */
export type ModelRule = Asked & { find: Finder }

const remembered = (model: EntityModel): EntityModel => ({ ...model, ...cachedFinder(model) })

/** The model rules among those at `indexes`, with their models. Throws `model_load_failed`. */
export async function loadModels(
  plan: Plan,
  indexes: number[],
  load: LoadModel | undefined,
  signal: AbortSignal,
): Promise<ModelRule[]> {
  const rules: ModelRule[] = []
  for (const rule of indexes) {
    const { detection, ruleId } = plan.rules[rule]!
    if (detection.type !== 'AIMODEL') continue
    if (!load)
      throw new EngineError('model_load_failed', 'Entity-recognition models are not available here', ['rules', ruleId])
    const model = await load(detection)
    const asked: Asked = {
      rule,
      model: remembered(model),
      threshold: detection.confidenceThreshold,
      entities: detection.entities && new Set(detection.entities),
    }
    rules.push({ ...asked, find: modelFinder(asked, signal) })
  }
  return rules
}

/** What a model rule finds. A model that doesn't read columns isn't asked about cells whose column allows nothing of it. */
function modelFinder({ rule, model, threshold, entities }: Asked, signal: AbortSignal): Finder {
  const isAsked = ({ label, score }: Entity) => score >= threshold && (!entities || entities.has(label))
  const spanOf =
    (from: number) =>
    ({ label, start, end, score, evidence: reason }: Entity): Span => ({
      ...{ rule, label, score, reason },
      start: start + from,
      end: end + from,
    })
  const find = async (texts: readonly string[], from: number, columns?: Columns) => {
    const read = texts.map(text => text.slice(from))
    const found = await model.find(read, signal, columns)
    return found.map((list, index) =>
      list.filter(isAsked).map(entity => (isPersonLabel(entity.label) ? withInitials(read[index]!, entity) : entity)),
    )
  }
  if (model.readsColumns) {
    return async (...asked) => (await find(...asked)).map(list => list.map(spanOf(asked[1])))
  }
  return async (texts, from, columns) => {
    const holds = (index: number, label: string) => {
      const column = columns?.[index]
      return !column || mayHold(column, texts[index]!, label)
    }
    const chosen = [...texts.keys()].filter(index => !entities || [...entities].some(label => holds(index, label)))
    const lists: Span[][] = texts.map(() => [])
    if (chosen.length === 0) return lists
    const found = await find(
      chosen.map(index => texts[index]!),
      from,
    )
    chosen.forEach((index, place) => {
      lists[index] = found[place]!.filter(({ label }) => holds(index, label)).map(spanOf(from))
    })
    return lists
  }
}
