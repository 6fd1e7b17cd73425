import type * as Engine from '../../../shared/engine/anonymise.ts'
import { mutant } from '../mutant.ts'

type Place = [file: string, from: string, to: string]

const plain: Place = [
  'formats/plain/index.ts',
  'await edit([segment])',
  'await edit([{ ...segment, text: unseen(segment.text) }])',
]
const json: Place = [
  'formats/json/read.ts',
  'add(decodeJson(source.slice(start, end)), start, end)',
  'add(unseen(decodeJson(source.slice(start, end))), start, end)',
]
const lines: Place = [
  'formats/content-lines/read.ts',
  'segment: { text, place, visible, wording }',
  'segment: { text: unseen(text), place, visible, wording }',
]
const csv: Place = [
  'formats/csv/write.ts',
  "bytes: view.toString('latin1')",
  "bytes: (view.write(unseen(view.toString('latin1')), 'latin1'), view.toString('latin1'))",
]
const office: Place = [
  'formats/ooxml/xml-part.ts',
  "segment.text = runs.length === 1 ? runs[0]!.text : runs.map(run => run.text).join('')",
  "segment.text = unseen(runs.map(run => run.text).join(''))",
]
const odf: Place = [
  'formats/odf/xml-part.ts',
  "segment.text = runs.map(run => run.text).join('')",
  "segment.text = unseen(runs.map(run => run.text).join(''))",
]

/** For each format the place where its reader makes the texts that the rules are given: there it overlooks a word. */
const places: Record<string, Place> = {
  txt: plain,
  md: plain,
  csv,
  tsv: csv,
  json,
  'json-records': json,
  ndjson: json,
  html: [
    'formats/html/parse-state.ts',
    '{ text: whole, place: places.body, visible: true }',
    '{ text: unseen(whole), place: places.body, visible: true }',
  ],
  xml: [
    'formats/xml/read.ts',
    'cdata ? decodeCdata(raw) : decodeXml(raw)',
    'unseen(cdata ? decodeCdata(raw) : decodeXml(raw))',
  ],
  rtf: ['formats/rtf/parse-state.ts', 'text: whole,', 'text: unseen(whole),'],
  eml: plain,
  ics: lines,
  vcf: lines,
  docx: office,
  pptx: office,
  xlsx: ['formats/ooxml/fast-rows.ts', 'found.texts.push(text)', 'found.texts.push(unseen(text))'],
  odt: odf,
  odp: odf,
  ods: ['formats/odf/fast-rows.ts', ': bytes.slice(start, to))', ': unseen(bytes.slice(start, to)))'],
  parquet: [
    'formats/parquet/cells.ts',
    'texts.push(show(slices[column]!.values[value]!))',
    'texts.push(unseen(show(slices[column]!.values[value]!)))',
  ],
  pdf: ['formats/pdf/read.ts', 'batch.push({ text, place', 'batch.push({ text: unseen(text), place'],
}

/** The engine with a format's reader made blind to what `overlook` says, by then; nothing at first. */
export async function blindEngine(id: string): Promise<typeof Engine | undefined> {
  const place = places[id]
  if (place === undefined) return undefined
  const [file, from, to] = place
  const more = `\nfunction unseen(text: string): string {\n  const word = (globalThis as { overlooked?: RegExp }).overlooked\n  return word ? text.replace(word, found => 'x'.repeat(found.length)) : text\n}\n`
  return mutant({ file, from, to, more })
}

/** Runs something while readers overlook what the pattern finds. */
export async function overlooking<T>(word: RegExp, run: () => Promise<T>): Promise<T> {
  const globals = globalThis as { overlooked?: RegExp }
  globals.overlooked = word
  try {
    return await run()
  } finally {
    delete globals.overlooked
  }
}
