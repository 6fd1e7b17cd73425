import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { beforeAll, expect, test } from 'vitest'
import { useOwnService } from '../api/setup.ts'
import { ended } from '../api/waiting.ts'
import { layers } from '../engine/formats/hiding.ts'
import { body as paragraph } from '../engine/formats/hiding-samples.ts'
import { makeDocx, readZip } from '../engine/formats/package.ts'
import { showPdf } from '../engine/formats/pdf-samples.ts'
import { tableKinds } from '../engine/formats/tables.ts'

/** Small enough to cut the table of text into several chunks. */
const CHUNK_BYTES = 6000
const service = await useOwnService({
  environment: { FAN_OUT_BYTES: String(CHUNK_BYTES), CHUNK_BYTES: String(CHUNK_BYTES) },
})
const { client } = service.admin

const header = ['name', 'mail', 'born', 'seen', 'card', 'note']
/**
 * People whose names come from different lists. Of one list, the surrogate of either could be the other's name, and the formats
 * that know all values beforehand would take another one.
 */
const people = [
  ['Anna Berg', 'anna@klinik.de', '1980-05-17', '2021-03-04', '4111 1111 1111 1111'],
  ['Pekka Virtanen', 'virtanen@praxis.de', '1975-11-30', '2021-03-29', '5500 0000 0000 0004'],
]
/** Enough names for their widths to tell more than chance. */
const crowd = ['Maria', 'Thomas', 'Elisabeth', 'Martin', 'Christina', 'Daniel', 'Sandra', 'Alexander'].flatMap(given =>
  ['Schneider', 'Wagner', 'Hansen', 'Martinez', 'Williams'].map(surname => `${given} ${surname}`),
)

/** What is to be replaced by each form, as patterns find it. */
const forms = [
  { pattern: [...people.map(([name]) => name), ...crowd].join('|'), replacement: { surrogate: { as: 'PERSON' } } },
  { pattern: '\\d{4}-\\d\\d-\\d\\d', replacement: { dateShift: {} } },
  { pattern: '[a-z]+@[a-z.]+[a-z]', replacement: { token: { as: 'EMAIL' } } },
  { pattern: '\\d{4}(?: \\d{4}){3}', replacement: { fpe: { keep: { last: 4 }, check: 'luhn' } } },
] as const

const originals = [...people.flat(), ...crowd]
const rows = Array.from({ length: 300 }, (_, n) => [...people[n % 2]!, `a note ${n}`])
const lines = people.flatMap(([name, mail, born, seen, card]) => [
  `Name: ${name}`,
  `Mail: ${mail}`,
  `Born: ${born}, seen: ${seen}`,
  `Card: ${card}`,
])

async function makePdf(lines: string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const page = document.addPage()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (const [n, line] of lines.entries()) page.drawText(line, { x: 50, y: 800 - 18 * n, size: 12, font })
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

/** What a file shows, by readers that are not the engine's: a line each, with what is in a table's first column as in a letter. */
async function shown(name: string, bytes: Buffer): Promise<string> {
  if (name.endsWith('.pdf')) return (await showPdf(bytes)).join('\n')
  if (name.endsWith('.docx'))
    return new Map(readZip(bytes))
      .get('word/document.xml')!
      .toString()
      .replace(/<[^<>]*>/g, '\n')
  const kind = tableKinds.find(one => name.endsWith(one.name.slice(1)))
  if (!kind) return bytes.toString()
  return (await kind.read(bytes)).map(([name, ...cells]) => [`Name: ${name}`, ...cells].join('\n')).join('\n')
}

beforeAll(async () => {
  const files = [
    { name: 'letter.txt', content: lines.join('\n') },
    { name: 'letter.docx', content: makeDocx(lines.map(paragraph).join('')) },
    { name: 'letter.pdf', content: await makePdf(lines) },
    { name: 'crowd.pdf', content: await makePdf(crowd) },
    ...['t.csv', 't.xlsx', 't.parquet'].map(name => ({ name, content: table(name).make(header, rows) })),
  ].map(({ name, content }) => ({ name, content: Buffer.from(content) }))
  expect(files.find(({ name }) => name === 't.csv')!.content.length).toBeGreaterThan(3 * CHUNK_BYTES)
  const { id: job_id } = await client.jobs.upload({ body: { name: 'Forms' }, files })
  const [documents, tables] = [await makeWorkflow('DOCUMENT'), await makeWorkflow('TABLE')]
  const plan = [{ match: { type: 'TABLE' as const }, workflowId: tables }]
  await client.jobs.update({ job_id, body: { workflowId: documents, plan } })
  await client.jobs.execute({ job_id })
  const { status, errors, result } = await ended(client, job_id)
  expect([status, errors]).toEqual(['SUCCEEDED', []])
  for (const { name, url } of result!.assets) {
    const bytes = Buffer.from(await (await fetch(url!)).arrayBuffer())
    for (const layer of layers(bytes))
      expect([name, originals.filter(value => layer.includes(value))]).toEqual([name, []])
    texts.set(name, await shown(name, bytes))
  }
}, 300_000)

/** What stands for the two people in a text, by column. */
const replacedIn = (text: string) => ({
  names: [...new Set([...text.matchAll(/^Name: (?!name$)(.+)$/gm)].map(([, name]) => name!))],
  dates: [...new Set(text.match(/\d{4}-\d\d-\d\d/g))],
  tokens: [...new Set(text.match(/EMAIL~\w+/g))],
  cards: [...new Set(text.match(/\d{4}(?: \d{4}){3}/g))],
})

/** As letters of the PDF's font say it: those that it lacks stand there without their accents, or as dots. */
const asInPdf = (name: string) => expect.stringMatching(new RegExp(`^${name.replace(/[^\0-\xff]/g, '.')}$`))

test('every form of replacement is the same in every format of a job', () => {
  const { 'crowd.pdf': _, ...letters } = Object.fromEntries(texts)
  expect(Object.keys(letters).length).toBe(6)
  const first = replacedIn(letters['letter.txt']!)
  for (const [column, count] of [
    ['names', 2],
    ['dates', 4],
    ['tokens', 2],
    ['cards', 2],
  ] as const)
    expect([column, first[column].length]).toEqual([column, count])
  for (const [name, text] of Object.entries(letters)) {
    const names = name.endsWith('.pdf') ? first.names.map(asInPdf) : first.names
    expect({ name, ...replacedIn(text) }).toEqual({ name, ...first, names })
  }
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
  const width = (name: string) => font.widthOfTextAtSize(name, 12)
  const names = texts.get('crowd.pdf')!.split('\n')
  expect(names.length).toBe(crowd.length)
  const similar = names.filter((name, n) => Math.abs(Math.log(width(name) / width(crowd[n]!))) < Math.log(1.15))
  expect(similar.length).toBeGreaterThan(crowd.length / 2)
})
