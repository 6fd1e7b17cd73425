import type { Entity } from './model.ts'

/** Finds entities, which may say more of themselves than where they are. */
export type Finding<E extends Entity> = { find(texts: string[], signal: AbortSignal): Promise<E[][]> }

/** Characters of texts whose entities are kept; beyond that the ones not asked for longest are forgotten. */
const mostCharacters = 8 * 1024 * 1024

/**
 * The same model, asked once for each text: a document is gone through twice when what was found is looked for in the
 * whole of it, and the cells of a table repeat themselves, from its first row to its last.
 */
export function remembering<E extends Entity>(model: Finding<E>, most = mostCharacters): Finding<E> {
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
    async find(texts, signal) {
      const found = new Map<string, E[]>()
      const fresh = new Set<string>()
      for (const text of texts) {
        const entities = known.get(text)
        if (!entities) {
          fresh.add(text)
          continue
        }
        found.set(text, entities)
        known.delete(text)
        known.set(text, entities)
      }
      if (fresh.size > 0) {
        const asked = [...fresh]
        const lists = await model.find(asked, signal)
        asked.forEach((text, index) => {
          found.set(text, lists[index]!)
          keep(text, lists[index]!)
        })
      }
      return texts.map(text => found.get(text)!)
    },
  }
}
