import type { OpenFile, Segment } from '../formats/format.ts'
import type { Plan } from '../plan.ts'
import { withoutEscapes } from './escapes.ts'
import type { KnownValue } from './known-values.ts'
import { reading } from './normalise.ts'
import type { Detector } from './span.ts'

/** Whether what patterns find is looked for elsewhere as well, where all values go that are found at all, and who is told of it. */
type Collecting = { propagates: boolean; values?: Set<string>; passed?(batch: readonly Segment[]): void }

/** Every value that the rules find in the file, for places that are written before or away from where it was found. */
export async function collectValues(
  file: Pick<OpenFile, 'segments' | 'found'>,
  detector: Detector,
  plan: Plan,
  { propagates, values: all, passed }: Collecting,
): Promise<KnownValue[]> {
  const values: KnownValue[] = []
  const byRule = plan.rules.map(() => new Map<string, KnownValue>())
  for await (const batch of file.segments()) {
    const found = await detector.detect(batch)
    file.found?.(batch, found)
    passed?.(batch)
    found.forEach((spans, index) => {
      const { before = '', text, after = '' } = batch[index]!
      const window = before + text + after
      for (const { start, end, rule, label, score, escaped } of spans) {
        const fromModel = plan.rules[rule]!.detection.type === 'AIMODEL'
        const source = window.slice(start + before.length, end + before.length)
        const value = escaped ? withoutEscapes(source) : reading(source)
        all?.add(value)
        if (!fromModel && !propagates) continue
        const known = byRule[rule]!.get(value)
        if (known) {
          known.times++
          known.score = Math.max(known.score, score)
        } else {
          const first = { value, rule, label, score, times: 1, fromModel }
          values.push(first)
          byRule[rule]!.set(value, first)
        }
      }
    })
  }
  return values
}
