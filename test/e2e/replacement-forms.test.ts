import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { beforeAll, expect, test } from 'vitest'
import { useOwnService } from '../api/setup.ts'
import { layers } from '../engine/formats/hiding.ts'
import { body as paragraph } from '../engine/formats/hiding-samples.ts'
import { makeDocx } from '../engine/formats/package.ts'
import { showPdf } from '../engine/formats/pdf-samples.ts'
import { tableKinds } from '../engine/formats/tables.ts'

/** Small enough to cut the table of text into several chunks. */
const CHUNK_BYTES = 6000
const service = await useOwnService({
  environment: { FAN_OUT_BYTES: String(CHUNK_BYTES), CHUNK_BYTES: String(CHUNK_BYTES) },
})
const { client } = service.admin

/** What is to be replaced by each form, as patterns find it. */
const forms = [
  { pattern: 'Anna Berg|Peter Holm', replacement: { surrogate: { as: 'PERSON' } } },
  { pattern: '\\d{4}-\\d\\d-\\d\\d', replacement: { dateShift: {} } },
  { pattern: '[a-z]+@[a-z.]+[a-z]', replacement: { token: { as: 'EMAIL' } } },
  { pattern: '\\d{4}(?: \\d{4}){3}', replacement: { fpe: { keep: { last: 4 }, check: 'luhn' } } },
] as const

const header = ['name', 'mail', 'born', 'seen', 'card', 'note']
const people = [
  ['Anna Berg', 'anna@klinik.de', '1980-05-17', '2021-03-04', '4111 1111 1111 1111'],
  ['Peter Holm', 'holm@praxis.de', '1975-11-30', '2021-03-29', '5500 0000 0000 0004'],
]
const originals = people.flat()
const rows = Array.from({ length: 300 }, (_, n) => [...people[n % 2]!, `a note ${n}`])
const lines = people.flatMap(([name, mail, born, seen, card]) => [
  `Name: ${name}`,
  `Mail: ${mail}`,
  `Born: ${born}, seen: ${seen}`,
  `Card: ${card}`,
])

async function makeLetter(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const page = document.addPage()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (const [n, line] of lines.entries()) page.drawText(line, { x: 50, y: 700 - 30 * n, size: 12, font })
  return document.save()
}

const table = (name: string) => tableKinds.find(kind => kind.name === name)!
const texts = new Map<string, string>()

async function makeWorkflow(supportedAssetType: 'DOCUMENT' | 'TABLE') {
  const rules = await Promise.all(
    forms.map(async ({ pattern, replacement }) => {
      const config = { regexRuleConfig: { pattern } }
      const rule = await client.rules.create({ body: { name: 'What a form replaces', type: 'REGEX', config } })
      return { ruleId: rule.id, replacement: structuredClone(replacement) as { surrogate: object } }
    }),
  )
  return (await client.workflows.create({ body: { name: 'Forms', supportedAssetType, config: { rules } } })).id
}

/** What a file shows, by readers that are not the engine's. */
async function shown(name: string, bytes: Buffer): Promise<string> {
  if (name.endsWith('.pdf')) return (await showPdf(bytes)).join('\n')
  if (name.endsWith('.docx')) return [...layers(bytes)].join('\n').replace(/<[^<>]*>/g, '\n')
  const kind = tableKinds.find(one => name.endsWith(one.name.slice(1)))
  return kind ? (await kind.read(bytes)).map(cells => cells.join('\n')).join('\n') : bytes.toString()
}

beforeAll(async () => {
  const files = [
    { name: 'letter.txt', content: lines.join('\n') },
    { name: 'letter.docx', content: makeDocx(lines.map(paragraph).join('')) },
    { name: 'letter.pdf', content: await makeLetter() },
    ...['t.csv', 't.xlsx', 't.parquet'].map(name => ({ name, content: table(name).make(header, rows) })),
  ].map(({ name, content }) => ({ name, content: Buffer.from(content) }))
  expect(files.find(({ name }) => name === 't.csv')!.content.length).toBeGreaterThan(3 * CHUNK_BYTES)
  const { id: job_id } = await client.jobs.upload({ body: { name: 'Forms' }, files })
  const [documents, tables] = [await makeWorkflow('DOCUMENT'), await makeWorkflow('TABLE')]
  const plan = [{ match: { type: 'TABLE' as const }, workflowId: tables }]
  await client.jobs.update({ job_id, body: { workflowId: documents, plan } })
  await client.jobs.execute({ job_id })
  while ((await client.jobs.status({ job_id })).status === 'IN_PROGRESS')
    await new Promise(resolve => setTimeout(resolve, 200))
  const { status, errors, result } = await client.jobs.get({ job_id })
  expect([status, errors]).toEqual(['SUCCEEDED', []])
  for (const { name, url } of result!.assets) {
    const bytes = Buffer.from(await (await fetch(url!)).arrayBuffer())
    for (const layer of layers(bytes))
      expect([name, originals.filter(value => layer.includes(value))]).toEqual([name, []])
    texts.set(name, await shown(name, bytes))
  }
}, 300_000)

/** What stands for the two people in a text, by column. */
function replacedIn(text: string) {
  const [one, two, ...others] = [...text.matchAll(/^(?:Name: )?(\p{Lu}\p{L}+ \p{Lu}\p{L}+)$/gmu)].map(
    ([, name]) => name!,
  )
  return {
    names: [...new Set([one!, two!, ...others])],
    dates: [...new Set(text.match(/\d{4}-\d\d-\d\d/g))],
    tokens: [...new Set(text.match(/EMAIL~\w+/g))],
    cards: [...new Set(text.match(/\d{4}(?: \d{4}){3}/g))],
  }
}

test('every form of replacement is the same in every format of a job', () => {
  expect(texts.size).toBe(6)
  const first = replacedIn(texts.get('letter.txt')!)
  for (const [column, count] of [
    ['names', 2],
    ['dates', 4],
    ['tokens', 2],
    ['cards', 2],
  ] as const)
    expect([column, first[column].length]).toEqual([column, count])
  for (const [name, text] of texts) expect({ name, ...replacedIn(text) }).toEqual({ name, ...first })
})

test('intervals between dates stay, and cards keep what they were asked to', () => {
  const { dates, cards } = replacedIn(texts.get('letter.txt')!)
  const days = (date: string) => Date.parse(date) / 86_400_000
  const before = people.flatMap(([, , born, seen]) => [born!, seen!])
  const shift = days(dates[0]!) - days(before[0]!)
  expect(dates.map(days)).toEqual(before.map(date => days(date) + shift))
  expect(cards.map(card => card.slice(-4))).toEqual(['1111', '0004'])
})

test('names in a PDF are of similar width', async () => {
  const font = await (await PDFDocument.create()).embedFont(StandardFonts.Helvetica)
  for (const [n, name] of replacedIn(texts.get('letter.pdf')!).names.entries()) {
    const factor = font.widthOfTextAtSize(name, 12) / font.widthOfTextAtSize(people[n]![0]!, 12)
    expect([name, factor > 1 / 1.15 && factor < 1.15]).toEqual([name, true])
  }
})
