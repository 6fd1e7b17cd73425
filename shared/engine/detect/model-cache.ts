import type { Column, Entity } from './entity-model.ts'

/** Finds entities, which may say more of themselves than where they are. */
export type Finding<E extends Entity> = {
  find(texts: string[], signal: AbortSignal, columns?: readonly (Column | undefined)[]): Promise<E[][]>
}

/** Bytes that are kept of texts and their entities; beyond that the ones not asked for longest are forgotten. */
const maxBytes = 32 * 1024 * 1024
/** What a text takes beside its characters, and what an entity does, roughly, bytes: most of all where texts are cells. */
const ofText = 64
const ofEntity = 160

const weight = (text: string, entities: readonly Entity[]) => ofText + text.length + ofEntity * entities.length

/**
 * The same model, asked once for each text: a document is gone through twice when what was found is looked for in the
 * whole of it, and the cells of a table repeat themselves, from its first row to its last.
 */
export function cachedFinder<E extends Entity>(model: Finding<E>, most = maxBytes): Finding<E> {
  const known = new Map<string, E[]>()
  let held = 0
  const keep = (text: string, entities: E[]) => {
    known.set(text, entities)
    held += weight(text, entities)
    for (const [oldest, its] of known) {
      if (held <= most) return
      known.delete(oldest)
      held -= weight(oldest, its)
    }
  }
  return {
    async find(texts, signal, columns) {
      // The same value in another column is another question.
      const keys = columns ? texts.map((text, index) => `${text}\u0000${columns[index]?.name ?? ''}`) : texts
      const found = new Map<string, E[]>()
      const fresh = new Map<string, number>()
      for (const [index, key] of keys.entries()) {
        const entities = known.get(key)
        if (!entities) {
          fresh.set(key, index)
          continue
        }
        found.set(key, entities)
        known.delete(key)
        known.set(key, entities)
      }
      if (fresh.size > 0) {
        const asked = [...fresh.values()]
        const lists = await model.find(
          asked.map(index => texts[index]!),
          signal,
          columns && asked.map(index => columns[index]),
        )
        asked.forEach((index, place) => {
          found.set(keys[index]!, lists[place]!)
          keep(keys[index]!, lists[place]!)
        })
      }
      return keys.map(key => found.get(key)!)
    },
  }
}
