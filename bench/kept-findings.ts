import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Found, ModelSource } from '../shared/engine/models/model.ts'

/**
 * The same models, whose findings are kept in a folder by what was asked: patterns and propagation can be measured again
 * without reading all texts anew. The folder is for one state of the models; delete it when they change.
 */
export const keepingFindings =
  (source: ModelSource, folder: string): ModelSource =>
  async reference => {
    const model = await source(reference)
    if (!model) return undefined
    mkdirSync(folder, { recursive: true })
    const fileOf = (text: string, asked: unknown) =>
      join(
        folder,
        createHash('sha256')
          .update(JSON.stringify([reference, asked, text]))
          .digest('hex'),
      )
    return {
      ...model,
      async detect(texts, options) {
        const { threshold, entities, language } = options
        const all: Found[][] = []
        for (const text of texts) {
          const file = fileOf(text, { threshold, entities, language })
          if (!existsSync(file)) writeFileSync(file, JSON.stringify((await model.detect([text], options))[0]))
          all.push(JSON.parse(readFileSync(file, 'utf8')))
        }
        return all
      },
    }
  }
