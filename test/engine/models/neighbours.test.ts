import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lettersOf } from '../../../bench/letters-set.ts'
import { folderSource } from '../../../shared/engine/models/classifier.ts'
import { loadModel } from '../../../shared/engine/models/load-model.ts'

/** The cell of a table must keep its label when the cells around it change: a text is read as if it stood alone. */
const shipped = join(import.meta.dirname, '../../../models')
const model = await loadModel({ modelId: 'pii-ner', modelVersion: '2.5.0' }, [folderSource(shipped, 1)])
const find = (texts: string[]) => model.detect(texts, { threshold: 0.05 })

/** Lines of a few words, as cells are, and whole letters of several windows. */
const letters = Array.from(lettersOf(), ({ text }) => text).slice(0, 12)
const texts = [
  ...new Set([...letters.flatMap(text => text.split('\n')).filter(line => line.trim() !== ''), ...letters]),
]
const alone: Awaited<ReturnType<typeof find>> = []
for (const text of texts) alone.push((await find([text]))[0]!)

test('a text has the same entities and scores alone and among any others', { timeout: 300_000 }, async () => {
  expect(alone.flat().length).toBeGreaterThan(200)
  const some = fc.uniqueArray(fc.nat(texts.length - 1), { minLength: 2, maxLength: 60, size: 'max' })
  await fc.assert(
    fc.asyncProperty(some, async places => {
      expect(await find(places.map(at => texts[at]!))).toEqual(places.map(at => alone[at]!))
    }),
    { numRuns: 12 },
  )
})

test('two threads find the same as one', { timeout: 300_000 }, async () => {
  const two = (await folderSource(shipped, 2)({ modelId: 'pii-ner', modelVersion: '2.5.0' }))!
  expect(await two.detect(texts, { threshold: 0.05 })).toEqual(alone)
  await two.close?.()
})

test('rules that name the version before are read by this one', async () => {
  const before = (await folderSource(shipped, 1)({ modelId: 'pii-ner', modelVersion: '2.1.0' }))!
  expect(before.modelVersion).toBe('2.1.0')
  expect(await before.detect([letters[0]!], { threshold: 0.05 })).toEqual(await find([letters[0]!]))
  await before.close?.()
})
