import type { OpenFile, Segment } from '../formats/format.ts'
import type { Plan } from '../plan.ts'
import { withoutEscapes } from './escapes.ts'
import type { KnownValue } from './known-values.ts'
import { reading } from './normalise.ts'
import type { Detector, Span } from './span.ts'

/** Which values are looked for elsewhere as well, where all go that are found at all, and who is told of it. */
type Collecting = { isSought: IsSought; values?: Set<string>; passed?(batch: readonly Segment[]): void }

/** Whether a value that a rule found is looked for elsewhere, too. */
export type IsSought = (value: string, fromModel: boolean) => boolean

/** Every value that the rules find in the file, for places that are written before or away from where it was found. */
export async function collectValues(
  file: Pick<OpenFile, 'segments' | 'found'>,
  detector: Detector,
  plan: Plan,
  { isSought, values: all, passed }: Collecting,
): Promise<KnownValue[]> {
  const rules = plan.rules.map(({ detection, columns }) => ({
    fromModel: detection.type === 'AIMODEL',
    isLimited: columns !== undefined,
    known: new Map<string, KnownValue>(),
  }))
  const collected: Collected = { values: [], rules, all, isSought }
  for await (const batch of file.segments()) {
    const found = await detector.detect(batch)
    file.found?.(batch, found)
    passed?.(batch)
    collectAll(collected, batch, found)
  }
  return collected.values
}

/** The values found so far, in order; of each rule, whether a model finds them, whether it is for some columns only, and each by what it says. */
type Collected = {
  values: KnownValue[]
  rules: readonly { fromModel: boolean; isLimited: boolean; known: Map<string, KnownValue> }[]
  all: Set<string> | undefined
  isSought: IsSought
}

function collectAll(collected: Collected, batch: readonly Segment[], found: readonly Span[][]): void {
  for (let index = 0; index < found.length; index++)
    if (found[index]!.length > 0) collect(collected, batch[index]!, found[index]!)
}

/** Adds the values that were found in a segment. */
function collect(collected: Collected, segment: Segment, spans: readonly Span[]): void {
  const { values, rules, all, isSought } = collected
  const { before = '', text, after = '' } = segment
  const window = before + text + after
  for (const { start, end, rule, label, score, escaped, said, value: marked } of spans) {
    const { fromModel, isLimited, known } = rules[rule]!
    const source = window.slice(start + before.length, end + before.length)
    const value = said ?? marked ?? (escaped ? withoutEscapes(source) : reading(source))
    all?.add(value)
    if (isLimited || !isSought(value, fromModel)) continue
    const same = known.get(value)
    if (same) {
      same.times++
      same.score = Math.max(same.score, score)
    } else {
      const first = { value, rule, label, score, times: 1, fromModel }
      values.push(first)
      known.set(value, first)
    }
  }
}
