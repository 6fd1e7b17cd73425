import type * as Engine from '../../../shared/engine/anonymise.ts'
import { mutant } from '../mutant.ts'

type Place = [file: string, from: string, to: string]

const plain: Place = [
  'formats/plain/open.ts',
  'await edit([segment])',
  'await edit([{ ...segment, text: unseen(segment.text) }])',
]
const json: Place = [
  'formats/json/read.ts',
  'this.#add(this.#decoded(start, end), start, end)',
  'this.#add(unseen(this.#decoded(start, end)), start, end)',
]
const lines: Place = [
  'formats/content-lines/read.ts',
  'segment: { text, place, visible, wording }',
  'segment: { text: unseen(text), place, visible, wording }',
]
const csvCells: Place = [
  'formats/csv/write.ts',
  "bytes: view.toString('latin1')",
  "bytes: (view.write(unseen(view.toString('latin1')), 'latin1'), view.toString('latin1'))",
]
const csvSegments: Place = [
  'formats/csv/segments.ts',
  'text: cellText(text, cell, dialect)',
  'text: unseen(cellText(text, cell, dialect))',
]
const office: Place = [
  'formats/ooxml/xml-part.ts',
  'segment.text = textOf(runs)',
  'segment.text = unseen(textOf(runs))',
]
const odf: Place = [
  'formats/odf/xml-part.ts',
  "segment.text = runs.map(run => run.text).join('')",
  "segment.text = unseen(runs.map(run => run.text).join(''))",
]

/** For each format the places where its reader makes the texts that the rules are given: there it overlooks a word. */
const places: Record<string, Place[]> = {
  txt: [plain],
  md: [plain],
  csv: [csvCells, csvSegments],
  tsv: [csvCells, csvSegments],
  json: [json],
  'json-records': [json],
  ndjson: [json],
  html: [
    [
      'formats/html/parse-state.ts',
      '{ text: whole, place: places.body, visible: true }',
      '{ text: unseen(whole), place: places.body, visible: true }',
    ],
  ],
  xml: [
    [
      'formats/xml/read.ts',
      'cdata ? decodeCdata(raw) : decodeXml(raw)',
      'unseen(cdata ? decodeCdata(raw) : decodeXml(raw))',
    ],
  ],
  rtf: [['formats/rtf/parse-state.ts', 'text: whole,', 'text: unseen(whole),']],
  eml: [plain],
  ics: [lines],
  vcf: [lines],
  docx: [office],
  pptx: [office],
  xlsx: [['formats/ooxml/fast-rows.ts', 'found.texts.push(text)', 'found.texts.push(unseen(text))']],
  odt: [odf],
  odp: [odf],
  ods: [['formats/odf/fast-rows.ts', 'to) : bytes.slice(start, to)', 'to) : unseen(bytes.slice(start, to))']],
  parquet: [
    [
      'formats/parquet/cells.ts',
      'const isFenced = bytes.includes(fence)',
      "bytes.write(unseen(bytes.toString('latin1')), 'latin1')\n  const isFenced = bytes.includes(fence)",
    ],
  ],
  pdf: [['formats/pdf/read.ts', 'batch.push({ text, place', 'batch.push({ text: unseen(text), place']],
}

/** What is overlooked while a test says so, and in which format. */
type Blindness = { format: string; word: RegExp }
const globals = globalThis as { blindness?: Blindness }

/** Put at the end of a reader's file: a text without the word that this reader is to overlook, where it reads such a format. */
const unseen = (formats: string[]) => `
function unseen(text: string): string {
  const { format, word } = (globalThis as { blindness?: { format: string; word: RegExp } }).blindness ?? {}
  return word && ${JSON.stringify(formats)}.includes(format!) ? text.replace(word, found => 'x'.repeat(found.length)) : text
}
`

/** The engine whose readers can be made blind, for a format that has a place for it. */
export async function blindEngine(id: string): Promise<typeof Engine | undefined> {
  if (!(id in places)) return undefined
  const mutations = [...new Set(Object.values(places).flat())].map(place => {
    const [file, from, to] = place
    const formats = Object.keys(places).filter(format => places[format]!.includes(place))
    return { file, from, to, more: unseen(formats) }
  })
  return mutant(...mutations)
}

/** Runs something while the reader of one format overlooks what the pattern finds. */
export async function overlooking<T>(blindness: Blindness, run: () => Promise<T>): Promise<T> {
  globals.blindness = blindness
  try {
    return await run()
  } finally {
    delete globals.blindness
  }
}
