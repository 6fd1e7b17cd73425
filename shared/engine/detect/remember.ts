import type { Entity, EntityModel } from './model.ts'

/** Characters of texts whose entities are kept; beyond that the memory is emptied. */
const mostCharacters = 8 * 1024 * 1024

/**
 * The same model, asked once for each text: a document is gone through twice when what was found is looked for in the
 * whole of it, and the cells of a table repeat themselves.
 */
export function remembering(model: EntityModel): EntityModel {
  const known = new Map<string, Entity[]>()
  let held = 0
  return {
    async find(texts, signal) {
      const fresh = [...new Set(texts.filter(text => !known.has(text)))]
      const found = new Map<string, Entity[]>()
      for (const text of texts) if (known.has(text)) found.set(text, known.get(text)!)
      if (fresh.length > 0) {
        const lists = await model.find(fresh, signal)
        fresh.forEach((text, index) => {
          const entities = lists[index]!
          found.set(text, entities)
          if (held + text.length > mostCharacters) {
            known.clear()
            held = 0
          }
          known.set(text, entities)
          held += text.length
        })
      }
      return texts.map(text => found.get(text)!)
    },
  }
}
