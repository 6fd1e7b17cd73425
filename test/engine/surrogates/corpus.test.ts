import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { EngineError } from '../../../shared/engine/errors.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { modelLoader } from '../../../shared/engine/models.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { patternSource } from '../../../shared/engine/recognisers/index.ts'
import { fold } from '../../../shared/engine/surrogates/spelling.ts'
import { call } from '../call.ts'
import { corpusFiles } from '../formats/corpus-files.ts'

const entities = [
  'EMAIL',
  'PHONE',
  'IBAN',
  'PAYMENT_CARD',
  'IP_ADDRESS',
  'MAC_ADDRESS',
  'URL',
  'ID',
  'NATIONAL_ID',
  'PERSON',
]
const rule: PlannedRule = {
  ruleId: 'patterns',
  name: 'PATTERNS',
  detection: { type: 'AIMODEL', modelId: 'pii-patterns', modelVersion: '1.0.0', confidenceThreshold: 0.3, entities },
  replacement: { surrogate: {} },
}

/** What a file's surrogates were made of and are, or nothing where the file is refused. */
async function surrogatesIn(path: string) {
  const input = bufferInput(basename(path), readFileSync(path))
  const assetType = /\.(?:csv|tsv|xls[xm]|ods|ndjson|json|parquet)$/.test(path) ? 'TABLE' : 'DOCUMENT'
  const models = modelLoader([patternSource])
  try {
    const { matches } = await anonymise({ ...call({ input, rules: [rule], assetType }), models, listMatches: 100_000 })
    return matches!.map(({ value, replacement }) => [fold(value), fold(replacement.text)] as const)
  } catch (error) {
    if (error instanceof EngineError) return []
    throw error
  }
}

test.skipIf(corpusFiles.length === 0)(
  'over the corpus, no surrogate is a value that was found in any of its files',
  { timeout: 600_000 },
  async () => {
    const pairs: (readonly [string, string])[] = []
    for (const path of corpusFiles.filter(path => !/robust|image/.test(path))) pairs.push(...(await surrogatesIn(path)))
    const found = new Set(pairs.map(([value]) => value))
    expect(found.size).toBeGreaterThan(40)
    expect(pairs.filter(([, made]) => found.has(made))).toEqual([])
  },
)
