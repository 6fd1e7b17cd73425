// npm run bench:texts [-- TEXTS]: what a warm function does for `POST /texts` between the log-in and the answer, with texts
// of 2 KB that are all different (300 unless given). CPU time of the whole process for each request, all threads.

import { TextsReply, TextsRequest } from '../shared/api/texts.ts'
import { anonymiseNow } from '../shared/texts/anonymise-now.ts'
import { median } from './workload.ts'

// No rule is looked up, but the name of the table must be known.
process.env.TABLE_RULES = 'none'
const count = Number(process.argv[2] ?? 300)
/** Characters of a text. */
const LENGTH = 2048

const people = ['Margaret Thompson', 'Jürgen Müller', 'Anna Kowalska', 'Luc Martin', 'Grace Miller', 'Olga Petrova']
const places = ['Nairobi', 'Leipzig', 'Rouen', 'Aberdeen', 'Bologna', 'Gdansk', 'Porto']
const plain = [
  'The meeting about the budget was moved to the larger room because more people than expected had signed up.',
  'Please have a look at the second page before you answer, since the numbers there were corrected again.',
  'Nobody has found out yet why the delivery took so long, and the warehouse does not pick up the phone.',
]

/** Sentences with and without personal data, another text for every number. */
function textOf(n: number): string {
  let text = ''
  for (let line = n; text.length < LENGTH; line++) {
    const [person, place] = [people[(line * 7 + n) % people.length]!, places[(line * 5 + n) % places.length]!]
    const digits = String((n * 7919 + line * 104729) % 1e6).padStart(6, '0')
    text += `${plain[line % plain.length]} ${person} from ${place} (customer C-${digits}) wrote to `
    text += `user${digits}@example.org on ${1 + (line % 28)}/0${1 + (n % 9)}/2024 and called +44 20 7946 0${digits.slice(3)}. `
  }
  return text.slice(0, LENGTH)
}

const regex = (pattern: string) => ({ type: 'REGEX' as const, config: { regexRuleConfig: { pattern } } })
const model = (modelId: string, modelVersion = '1.0.0') => ({
  type: 'AIMODEL' as const,
  config: { aiModelRuleConfig: { modelId, modelVersion, modelParameters: {} } },
})
const own = [regex('C-\\d{6}'), regex('[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+'), regex('\\+\\d[\\d ]{8,14}\\d')]
const cases: [name: string, asked: Omit<TextsRequest, 'texts'>][] = [
  ['three patterns', { rules: own }],
  ['patterns, and what pii-patterns knows', { rules: [...own, model('pii-patterns')] }],
  ['those, and pii-ner 1.0.0', { rules: [...own, model('pii-patterns'), model('pii-ner')] }],
  ['those, and pii-ner 2.5.0', { rules: [...own, model('pii-patterns'), model('pii-ner', '2.5.0')] }],
  ['the preset default', { presetId: 'default' }],
]

const caller = {
  ...{ id: '00000000-0000-4000-8000-000000000000', permissions: new Set<string>() },
  ...{ amr: 'pwd' as const, sessionId: 'bench', mustChangePassword: false, mustSetUpSecondFactor: false, authTime: 0 },
}

/** Milliseconds of CPU that a request takes, and how much it found. */
async function ask(asked: Omit<TextsRequest, 'texts'>, n: number) {
  const body = JSON.stringify({ ...asked, texts: [textOf(n)] })
  const before = process.cpuUsage()
  const reply = TextsReply.parse(await anonymiseNow(TextsRequest.parse(JSON.parse(body)), caller))
  JSON.stringify(reply)
  const { user, system } = process.cpuUsage(before)
  return { milliseconds: (user + system) / 1000, found: reply.texts![0]!.findings.length }
}

for (const [name, asked] of cases) {
  for (let n = 0; n < 50; n++) await ask(asked, count + n)
  const times: number[] = []
  let found = 0
  for (let n = 0; n < count; n++) {
    const told = await ask(asked, n)
    times.push(told.milliseconds)
    found += told.found
  }
  const at = (share: number) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!.toFixed(1)
  const figures = `median ${median(times).toFixed(1)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`
  console.log(`${name.padEnd(40)} ${figures}, ${(found / count).toFixed(1)} found`)
}
