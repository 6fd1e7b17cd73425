import { join } from 'node:path'
import { lettersOf } from '../../../../bench/letters-set.ts'
import { folderSource } from '../../../../shared/engine/models/classifier.ts'
import { loadModel } from '../../../../shared/engine/models/load-model.ts'

/** The model whose labels are held. */
const reference = { modelId: 'pii-ner', modelVersion: '2.5.0' }

/** A fixed text of more than 20,000 pieces in eight languages: letters as they were written, and again without capitals. */
export const texts = [...lettersOf()]
  .filter(({ half }) => half === '1' || half === '2')
  .flatMap(({ text }) => [text, text.toLowerCase()])

/**
 * What the model finds in each of the texts on the processor that this runs on, one line for each: `6+22 PERSON, 48+8 LOCATION`,
 * with the first character and the length. Each text is read by itself, so that none depends on its neighbours. Of every so many
 * texts one is read.
 */
export async function labelsHere(every = 1): Promise<string[]> {
  const model = await loadModel(reference, [folderSource(join(import.meta.dirname, '../../../../models'), 1)])
  const lines: string[] = []
  for (const text of each(every, texts)) {
    const [found] = await model.detect([text], { threshold: 0.5 })
    lines.push(found!.map(({ start, end, label }) => `${start}+${end - start} ${label}`).join(', '))
  }
  await model.close?.()
  return lines
}

/** Every so-manieth of a list. */
export const each = <T>(every: number, list: readonly T[]): T[] => list.filter((_, n) => n % every === 0)

/** The label of each word of a text, by such a line; of the first entity that covers its beginning. */
export function wordLabels(text: string, line: string): string[] {
  const entities = [...line.matchAll(/(\d+)\+(\d+) (\w+)/g)].map(([, start, length, label]) => ({
    start: Number(start),
    end: Number(start) + Number(length),
    label: label!,
  }))
  return Array.from(
    text.matchAll(/[\p{L}\p{N}]+/gu),
    ({ index }) => entities.find(({ start, end }) => start <= index && index < end)?.label ?? 'none',
  )
}

// By itself it prints the labels: `node test/engine/models/everywhere/labels.ts > test/engine/models/everywhere/labels.txt`.
if (import.meta.main) console.log((await labelsHere(Number(process.argv[2] ?? 1))).join('\n'))
