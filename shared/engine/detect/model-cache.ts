import type { Column, Entity } from './entity-model.ts'

/** Finds entities, which may say more of themselves than where they are. */
export type Finding<E extends Entity> = {
  find(texts: string[], signal: AbortSignal, columns?: readonly (Column | undefined)[]): Promise<E[][]>
}

/** Characters of texts whose entities are kept; beyond that the ones not asked for longest are forgotten. */
const maxCharacters = 8 * 1024 * 1024

/**
 * The same model, asked once for each text: a document is gone through twice when what was found is looked for in the
 * whole of it, and the cells of a table repeat themselves, from its first row to its last.
 */
export function cachedFinder<E extends Entity>(model: Finding<E>, most = maxCharacters): Finding<E> {
  const known = new Map<string, E[]>()
  let held = 0
  const keep = (text: string, entities: E[]) => {
    known.set(text, entities)
    held += text.length
    for (const oldest of known.keys()) {
      if (held <= most) return
      known.delete(oldest)
      held -= oldest.length
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
