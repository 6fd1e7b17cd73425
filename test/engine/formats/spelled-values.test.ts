import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { formats } from '../../../shared/engine/formats/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { modelLoader } from '../../../shared/engine/models/model-loader.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { findPreset, presetRules } from '../../../shared/engine/presets.ts'
import { patternSource } from '../../../shared/engine/recognisers/index.ts'
import { call, regexRule } from '../call.ts'
import { documentKinds } from './documents.ts'
import { tableKinds } from './tables.ts'

/** A rule on names, and the patterns of the default preset. */
const rules: PlannedRule[] = [
  regexRule('NAME', '(?<![\\p{L}\\p{N}])(?:Margaret Johnson|Griffin)(?![\\p{L}\\p{N}])'),
  ...presetRules(findPreset('default')!).filter(
    ({ detection }) => detection.type === 'AIMODEL' && detection.modelId === 'pii-patterns',
  ),
]

/** Values as people and programs spell them, by what stands in their place. */
const spelt: [label: string, value: string][] = [
  ['NAME', 'Margaret\u00a0Johnson'],
  ['NAME', 'Margaret\u202fJohnson'],
  ['NAME', 'Mar\u00adgaret John\u200bson'],
  ['NAME', 'Margaret \u200eJohnson'],
  ['NAME', 'Ｍａｒｇａｒｅｔ Ｊｏｈｎｓｏｎ'],
  ['NAME', 'Gri\ufb03n'],
  ['EMAIL', 'ann.ber\ufb02ing@example.org'],
  ['EMAIL', 'bert.k\u200b@example.org'],
  ['EMAIL', 'carl.k@exam\u00adple.org'],
  ['EMAIL', 'dora.k＠example.org'],
  ['EMAIL', 'emil\u2011k@example.org'],
  ['IBAN', 'DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000'],
  ['IBAN', 'DE89\u202f3704\u202f0044\u202f0532\u202f0130\u202f00'],
  ['IBAN', 'ＤＥ８９３７０４００４４０５３２０１３０００'],
  ['IBAN', 'DE8937040044\u200b0532013000'],
  ['PAYMENT_CARD', '4111\u00a01111\u00a01111\u00a01111'],
  ['PAYMENT_CARD', '4111\u20111111\u20111111\u20111111'],
  ['PAYMENT_CARD', '４１１１１１１１１１１１１１１１'],
  ['PAYMENT_CARD', '4111\u00ad1111\u00ad1111\u00ad1111'],
  ['PHONE', '+49\u00a0170\u00a01234567'],
  ['PHONE', '+49\u202f171\u202f7654321'],
  ['PHONE', '+1\u2011415\u2011555\u20112671'],
  ['PHONE', '＋４９ １７０ ９８７６５４３'],
  ['PHONE', '+49 \u2060172 \u200b5554433'],
]

/** Values beside what is no part of them: escapes of strings that logs and programs hold as they are, of which an address takes a letter along. */
const glued: [before: string, label: string, value: string, behind: string][] = [
  ['see\\n', 'NAME', 'Margaret Johnson', '\\tend'],
  ['see\\r\\n\\t', 'NAME', 'Griffin', '\\n\\nend'],
  ['see\\', 'EMAIL', 'nanna.k@example.org', '\\nend'],
  ['see\\t', 'IBAN', 'DE89370400440532013000', '\\nend'],
  ['see\\n', 'PAYMENT_CARD', '4111111111111111', '\\tend'],
  ['see\\t', 'PHONE', '+49 170 1234567', '\\r\\nend'],
  // Numbers of notes behind values, and in front of them.
  ['see ', 'NAME', 'Margaret Johnson', '\u00b9 end'],
  ['see \u00b2', 'NAME', 'Griffin', ' end'],
  ['see ', 'EMAIL', 'anna.k@example.org', '\u00b3 end'],
  ['see ', 'IBAN', 'DE89370400440532013000', '\u2075 end'],
  ['see ', 'PAYMENT_CARD', '4111 1111 1111 1111', '\u00b9\u2070 end'],
  ['see ', 'PHONE', '+49 170 1234567', '\u00b2 end'],
  ['see \u00b3', 'PHONE', '+49 170 1234567', ' end'],
]

const linesOf = (entries: readonly (readonly [before: string, label: string, value: string, behind: string])[]) => ({
  texts: entries.map(([before, , value, behind], n) => `Entry ${n}: ${before}${value}${behind}`),
  wanted: entries.map(([before, label, , behind], n) => `Entry ${n}: ${before}[${label}]${behind}`),
})
const letters = linesOf(spelt.map(([label, value]) => ['', label, value, ' end']))
const escapes = linesOf(glued)

async function run(name: string, bytes: Uint8Array, assetType: 'DOCUMENT' | 'TABLE') {
  const { output, findings } = await anonymise(
    call({ input: bufferInput(name, bytes), rules, assetType, models: modelLoader([patternSource]) }),
  )
  return { bytes: await output.read(0, output.size), count: findings.reduce((sum, { count }) => sum + count, 0) }
}

describe.each([
  { which: 'in unusual letters', ...letters, documents: documentKinds },
  // A page of PDF has blanks between words that are drawn apart.
  {
    which: 'beside escapes and numbers of notes',
    ...escapes,
    documents: documentKinds.filter(({ what }) => what !== 'pdf'),
  },
])('values $which are found by the default rules and by a pattern', ({ texts, wanted, documents }) => {
  test.each(documents)('in $what', async ({ name, make, read }) => {
    const { bytes, count } = await run(name, await make(texts), 'DOCUMENT')
    const shown = (await read(bytes)).map(text => text.trim()).filter(text => text.startsWith('Entry'))
    expect(shown).toEqual(wanted)
    expect(count).toBe(texts.length)
  })

  test.each(tableKinds)('in $name', async ({ name, make, read }) => {
    const rows = texts.map(text => [text, 'x'])
    const { bytes, count } = await run(name, make(['note', 'other'], rows), 'TABLE')
    expect(await read(bytes)).toEqual(wanted.map(text => [text, 'x']))
    expect(count).toBe(texts.length)
  })
})

test('every format that has letters is among them', () => {
  const tested = new Set([...documentKinds, ...tableKinds].map(({ name }) => name.split('.').at(-1)))
  const untested = formats.filter(({ extensions }) => extensions.length > 0 && !extensions.some(one => tested.has(one)))
  // Pictures have no letters but those that are read in them, and WMF has those of a code page only.
  expect(untested.map(({ id }) => id)).toEqual(['jpg', 'png', 'webp', 'tiff', 'gif', 'wmf'])
})
