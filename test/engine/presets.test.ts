import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { createDetector } from '../../shared/engine/detect/detector.ts'
import { checkPattern } from '../../shared/engine/detect/regex/check.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { shippedModels } from '../../shared/engine/models/catalogue.ts'
import { modelLoader } from '../../shared/engine/models/model-loader.ts'
import { checkReplacement } from '../../shared/engine/operators/index.ts'
import { findPreset, type Preset, presetRules, presets } from '../../shared/engine/presets.ts'
import { patternSource } from '../../shared/engine/recognisers/index.ts'
import { call } from './call.ts'

const shippedLabels = new Set(shippedModels.flatMap(({ labels }) => labels))
const all = ({ labels, patterns = [] }: Preset) => [
  ...labels.direct,
  ...labels.quasi,
  ...patterns.map(({ name }) => name),
]

/** A preset without the rules that need a model to be loaded. */
const rulesOf = (id: string) =>
  presetRules(findPreset(id)!).filter(
    ({ detection }) => detection.type === 'REGEX' || (detection.type === 'AIMODEL' && detection.modelId !== 'pii-ner'),
  )

async function applied(id: string, text: string): Promise<string> {
  const models = modelLoader([patternSource])
  const input = bufferInput('a.txt', Buffer.from(text))
  const { output } = await anonymise(call({ input, rules: rulesOf(id), models }))
  return (await output.read(0, output.size)).toString()
}

test.each(presets)('$id can be run as it is', async preset => {
  const { id, version, labels, patterns = [], replacements = {} } = preset
  expect(id).toMatch(/^[a-z0-9-]+$/)
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  // Rules with longer names could not be created.
  expect(presetRules(preset).filter(({ name }) => name.length > 200)).toEqual([])
  expect(new Set(all(preset)).size).toBe(all(preset).length)
  expect([...labels.direct, ...labels.quasi].filter(label => !shippedLabels.has(label))).toEqual([])
  expect(Object.keys(replacements).filter(name => !all(preset).includes(name))).toEqual([])
  for (const pattern of patterns) expect(checkPattern(pattern)).toMatchObject({ ok: true })
  const rules = presetRules(preset)
  for (const { replacement } of rules) expect(checkReplacement(replacement)).toEqual([])
  expect(new Set(rules.map(({ ruleId }) => ruleId)).size).toBe(rules.length)
  const found = rules.flatMap(({ name, detection }) => (detection.type === 'AIMODEL' ? detection.entities! : [name]))
  expect(new Set(found)).toEqual(new Set(all(preset)))
})

test('the default looks for all that the shipped models find but quantities', () => {
  expect(new Set(all(findPreset('default')!))).toEqual(shippedLabels.difference(new Set(['QUANTITY'])))
})

test('every item of HIPAA Safe Harbor is found by something that the preset looks for, or left to people', () => {
  const preset = findPreset('hipaa-safe-harbor')!
  const items = preset.items!
  expect(items.map(({ item }) => item)).toEqual([...'ABCDEFGHIJKLMNOPQR'])
  for (const { by, note } of items) expect(by.length > 0 || note).toBeTruthy()
  // Each pattern and label is there for an item, and each item names only what is looked for.
  expect(new Set(items.flatMap(({ by }) => by))).toEqual(new Set(all(preset)))
})

const numbers: [string, string, string][] = [
  ['hipaa-safe-harbor', 'MRN: 00-48213, seen by us', 'MRN: [MEDICAL_RECORD], seen by us'],
  ['hipaa-safe-harbor', 'Member ID: XJH88213A.', 'Member ID: [HEALTH_PLAN].'],
  ['hipaa-safe-harbor', 'License plate 7ABC 123 was noted', 'License plate [PLATE] was noted'],
  ['hipaa-safe-harbor', 'Pacemaker serial no. PJ-44521/B', 'Pacemaker serial no. [DEVICE_SERIAL]'],
  ['hipaa-safe-harbor', 'a group of 12 patients, order of visit 2', 'a group of 12 patients, order of visit 2'],
  [
    'pci-dss',
    'Card 4111 1111 1111 1111 exp. 09/27 CVV 123',
    'Card 4111 1*********1111 exp. [EXPIRY] CVV [SECURITY_CODE]',
  ],
  ['pci-dss', ';4111111111111111=27091010000012300000?', '[TRACK_DATA]'],
  ['pci-dss', 'PIN: 4711, room 4711', 'PIN: [PIN], room 4711'],
  ['secrets', 'password=hunter22x from 10.1.2.3', 'password=[SECRET] from 10.1.2.3'],
  ['doctor-letter-de', 'Fall-Nr.: 2023/00815, Pat.-Nr. 4711-A', 'Fall-Nr.: [FALLNUMMER], Pat.-Nr. [PATIENTENNUMMER]'],
  ['doctor-letter-de', 'LANR 123456601, Kalium 4,1 mmol/l', 'LANR [ARZTNUMMER], Kalium 4,1 mmol/l'],
  ['doctor-letter-de', 'geboren am 03.04.1957', 'geboren am 1957'],
]

test.each(numbers)('%s makes of %j %j', async (id, text, expected) => {
  expect(await applied(id, text)).toBe(expected)
})

test('patterns of presets take linear time', async () => {
  const patterns = presets.flatMap(preset => presetRules(preset)).filter(({ detection }) => detection.type === 'REGEX')
  const detector = await createDetector(
    { rules: patterns, assetType: 'DOCUMENT' },
    { signal: AbortSignal.timeout(20_000) },
  )
  for (const text of ['1'.repeat(200_000), 'account no '.repeat(20_000), `;${'1'.repeat(19)}=`.repeat(9000)])
    await detector.detect([{ text, place: { kind: 'body' }, visible: true }])
})
