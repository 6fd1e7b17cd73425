import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { toDays } from '../../../shared/engine/dates/civil.ts'
import { readDate } from '../../../shared/engine/dates/written-date.ts'
import { memoryNumbering } from '../../../shared/engine/in-memory.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { Replacement } from '../../../shared/engine/operators/index.ts'
import { splitAsset } from '../../../shared/engine/split.ts'
import { anonymiseTexts } from '../../../shared/engine/texts.ts'
import { call, regexRule, secrets } from '../call.ts'
import { type TableKind, tableKinds } from '../formats/tables.ts'

const date = String.raw`\d{4}-\d\d-\d\d`
const patient = regexRule('patient', String.raw`\bp-\d+\b`, { replacement: { pseudonym: {} } })
const rules = (by: { column: string } | { rule: string }) => [
  patient,
  regexRule('date', date, { replacement: { dateShift: { by } } as Replacement }),
]

async function outputOf(name: string, bytes: Uint8Array, plan: ReturnType<typeof rules>, more: object = {}) {
  const assetType = name.endsWith('.txt') ? 'DOCUMENT' : 'TABLE'
  const { output } = await anonymise({ ...call({ input: bufferInput(name, bytes), rules: plan, assetType }), ...more })
  return Buffer.from(await output.read(0, output.size))
}

const daysOf = (text: string) => toDays(readDate(text)!.civil)
const iso = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10)

/** 2,500 records of seven patients, some without one, with a date each, which stands before the patient. */
const rows = Array.from({ length: 2500 }, (_, n) => [
  iso(18_000 + n * 3),
  n % 10 === 9 ? '' : `p-${n % 7}`,
  `note ${n} of a visit`,
])
const offsets = (made: string[][]) => made.map(([day], n) => daysOf(day!) - daysOf(rows[n]![0]!))

test.each(tableKinds.map(kind => [kind.name, kind] as const))(
  'dates of a patient in a %s move alike, those of others otherwise',
  async (name, kind: TableKind) => {
    const bytes = kind.make(['day', 'id', 'note'], rows)
    const byColumn = await outputOf(name, bytes, rules({ column: 'id' }))
    const shifts = offsets(await kind.read(byColumn))
    const named = shifts.filter((_, n) => n % 10 !== 9)
    expect(new Set(named).size).toBe(7)
    const patients = rows.flatMap(([, id]) => id || [])
    expect(new Set(named.map((shift, n) => `${patients[n]} ${shift}`)).size).toBe(7)
    // Records of nobody move each by a number of days of its own, and none stays.
    expect(new Set(shifts.filter((_, n) => n % 10 === 9)).size).toBeGreaterThan(5)
    expect(shifts.filter(shift => Math.abs(shift) < 2)).toEqual([])
    // What a rule finds in the record tells the same.
    const byRule = await outputOf(name, bytes, rules({ rule: patient.ruleId }))
    expect(offsets(await kind.read(byRule)).filter((_, n) => n % 10 !== 9)).toEqual(named)
  },
)

test('a patient’s dates move alike in all chunks of a table and in a letter', async () => {
  const kind = tableKinds.find(({ name }) => name === 't.csv')!
  const bytes = kind.make(['day', 'id', 'note'], rows)
  const input = bufferInput('t.csv', bytes)
  const cut = await splitAsset({ input, size: 20_000, signal: new AbortController().signal })
  expect(cut!.ranges.length).toBeGreaterThan(2)
  const pieces: Buffer[] = []
  for (const range of cut!.ranges)
    pieces.push(await outputOf('t.csv', bytes, rules({ column: 'id' }), { range, options: cut!.options }))
  const whole = offsets(await kind.read(Buffer.concat(pieces)))
  const letter = Buffer.from('Seen on 2021-03-04 and 2021-05-06. Patient: P-3, once p-5. Born 1980-01-02.')
  const plan = rules({ rule: patient.ruleId }).map(rule => ({ ...rule, detection: { ...rule.detection, flags: 'i' } }))
  const made = (await outputOf('letter.txt', letter, plan)).toString()
  const shifted = made.match(/\d{4}-\d\d-\d\d/g)!.map(daysOf)
  const before = letter
    .toString()
    .match(/\d{4}-\d\d-\d\d/g)!
    .map(daysOf)
  expect(new Set(shifted.map((day, n) => day - before[n]!))).toEqual(new Set([whole[3]]))
})

test('a table that lacks the column fails', async () => {
  const bytes = Buffer.from('day,note\n2021-03-04,x\n')
  await expect(outputOf('t.csv', bytes, rules({ column: 'id' }))).rejects.toMatchObject({ type: 'invalid_workflow' })
})

test('a rule that the workflow has not fails', async () => {
  await expect(outputOf('a.txt', Buffer.from('2021-03-04'), rules({ rule: 'none' }))).rejects.toMatchObject({
    type: 'invalid_workflow',
  })
})

test('each of several texts goes by its own patient', async () => {
  const ofNobody = Array.from({ length: 6 }, () => 'on 2021-03-04')
  const texts = ['p-1 on 2021-03-04', 'p-2 on 2021-03-04', 'p-1 on 2021-03-05', ...ofNobody]
  const { signal } = new AbortController()
  const plan = { rules: rules({ rule: patient.ruleId }), assetType: 'DOCUMENT' as const }
  const made = await anonymiseTexts({ texts, plan, secrets, numbering: memoryNumbering(), signal })
  const [one, two, three, ...others] = made.map(({ text }) => daysOf(/\d{4}-\d\d-\d\d/.exec(text)![0]))
  expect(three! - one!).toBe(1)
  expect(two).not.toBe(one)
  // Texts of nobody move by chance, each by itself: one of them may move as far as a patient's.
  expect(new Set(others).size).toBeGreaterThan(1)
})
