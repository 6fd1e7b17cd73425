import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { memoryNumbering } from '../../shared/engine/in-memory.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { folderSource } from '../../shared/engine/models/classifier.ts'
import { modelLoader } from '../../shared/engine/models/model-loader.ts'
import type { Plan, PlannedRule } from '../../shared/engine/plan.ts'
import { patternSource } from '../../shared/engine/recognisers/index.ts'
import { anonymiseTexts } from '../../shared/engine/texts.ts'
import { call, regexRule, secrets } from './call.ts'

const models = modelLoader([patternSource, folderSource(new URL('../../models', import.meta.url).pathname)])

function modelRule(modelId: string): PlannedRule {
  const detection = { type: 'AIMODEL' as const, modelId, modelVersion: '1.0.0', confidenceThreshold: 0.5 }
  return { ruleId: modelId, name: modelId, detection, replacement: { text: '[{{label}} {{n}}]' } }
}

const plan = (...rules: PlannedRule[]): Plan => ({ assetType: 'DOCUMENT', rules })
const all = plan(
  regexRule('customer', '\\bC-\\d{6}\\b'),
  regexRule('card', '\\d{4}(?: \\d{4}){3}', {
    validator: 'luhn',
    replacement: { mask: { keepLast: 4, keepFirst: 0, char: '*' } },
  }),
  modelRule('pii-patterns'),
  modelRule('pii-ner'),
)
/** Without the model of language, which takes its time over long texts. */
const quick = plan(...all.rules.slice(0, -1))
const signal = new AbortController().signal
const numbered = () => ({ secrets, numbering: memoryNumbering(), signal, models })

/** What a job makes of a file of this text, in which both list what they replace. */
async function asFile(text: string, rules: Plan) {
  const input = bufferInput('a.txt', Buffer.from(text))
  const result = await anonymise({ ...call({ input, rules: rules.rules, models }), listMatches: 10_000 })
  const output = Buffer.from(await result.output.read(0, result.output.size)).toString()
  return { text: output, matches: result.matches, findings: result.findings }
}

const letter = `Dear Margaret Thompson, your card 4111 1111 1111 1111 of customer C-123456 was charged.
Write to margaret@example.org. Margaret Thompson lives in Berlin; so said Thompson, too. Grüße, Jürgen Müller 😀`

test('finds and replaces what a job finds and replaces in a file of the same text', async () => {
  const long = `${'x y '.repeat(17_000)}\n${letter}\n${'z w '.repeat(2000)}\n${letter}`
  for (const [text, rules] of [
    [letter, all],
    ['nothing here', all],
    [long, quick],
  ] as const) {
    const [made] = await anonymiseTexts({ texts: [text], plan: rules, ...numbered() })
    const { findings, ...expected } = await asFile(text, rules)
    expect(made).toEqual(expected)
    const counts = rules.rules.map((_, n) => made!.matches.filter(({ rule }) => rule === n).length)
    expect(counts).toEqual(findings.map(({ count }) => count))
  }
})

test('tells where each value stood and where its replacement stands, and why it was found', async () => {
  const found: string[][] = []
  for (const [text, rules] of [
    [letter, all],
    [`${'x y '.repeat(20_000)}\n${letter}`, quick],
  ] as const) {
    const [made] = await anonymiseTexts({ texts: [text], plan: rules, ...numbered() })
    expect(made!.matches.length).toBeGreaterThan(2)
    for (const { start, end, label, value, reason, replacement } of made!.matches) {
      expect(text.slice(start, end)).toBe(value)
      expect(made!.text.slice(replacement.start, replacement.end)).toBe(replacement.text)
      found.push([label, reason.by])
    }
  }
  expect(found).toContainEqual(['customer', 'regex'])
  expect(found).toContainEqual(['card', 'checksum'])
  expect(found).toContainEqual(['EMAIL', 'pattern'])
  expect(found).toContainEqual(['PERSON', 'model'])
})

test('a match that reaches over the pieces of a long text is one match', async () => {
  const long = `${'a'.repeat(64 * 1024 - 10)} ${'1'.repeat(300)} ${'b'.repeat(20_000)}`
  const rules = plan(regexRule('ones', '1{300}'))
  const [made] = await anonymiseTexts({ texts: [long], plan: rules, ...numbered() })
  expect(made).toEqual({ ...(await asFile(long, rules)), findings: undefined })
  expect(made!.matches).toHaveLength(1)
  expect(made!.matches[0]).toMatchObject({ start: 65527, end: 65827, value: '1'.repeat(300) })
  expect(made!.text).toBe(long.replace('1'.repeat(300), '[ones]'))
})

test('what a model finds in one of the texts is replaced in all that belong together, and in no others', async () => {
  const rules = plan({ ...modelRule('names'), replacement: { text: '[{{label}}]' } })
  const find = async (all: string[]) =>
    all.map(text => (text.startsWith('I am') ? [{ label: 'PERSON', score: 1, start: 5, end: 15 }] : []))
  const textsOf = async (together: boolean) => {
    const texts = ['key Qrtplm Vwk;', 'I am Qrtplm Vwk.']
    const made = await anonymiseTexts({ texts, together, plan: rules, ...numbered(), models: async () => ({ find }) })
    return made.map(({ text }) => text)
  }
  expect(await textsOf(true)).toEqual(['key [PERSON];', 'I am [PERSON].'])
  expect(await textsOf(false)).toEqual(['key Qrtplm Vwk;', 'I am [PERSON].'])
})

test('values that were replaced before are replaced again, though nothing finds them now', async () => {
  const before = [{ label: 'PERSON', value: 'Qrtplm Vwk' }]
  const rules = plan({ ...modelRule('pii-ner'), replacement: { text: '[{{label}}]' } })
  const make = (more: object) => anonymiseTexts({ texts: ['key Qrtplm Vwk;'], plan: rules, ...numbered(), ...more })
  const [made] = await make({ before })
  expect(made!.text).toBe('key [PERSON];')
  expect(made!.matches[0]).toMatchObject({ value: 'Qrtplm Vwk', reason: { by: 'repeat' } })
})

test('refuses texts in which a replaced value stands in an encoded form, and halves of characters', async () => {
  const rules = plan(regexRule('name', 'Margaret Thompson'))
  const hidden = 'Margaret Thompson so Margaret=20Thompson said'
  const attempt = (text: string) => anonymiseTexts({ texts: [text], plan: rules, ...numbered() })
  await expect(attempt(hidden)).rejects.toMatchObject({ type: 'leak_detected' })
  await expect(asFile(hidden, rules)).rejects.toMatchObject({ type: 'leak_detected' })
  await expect(attempt('\ud800')).rejects.toMatchObject({ type: 'corrupt_file' })
})
