import { withHouseParts } from '../detect/address-parts.ts'
import type { Column } from '../detect/entity-model.ts'
import { loadLanguages, primary } from '../detect/language.ts'
import { searchMany } from '../detect/regex/many-patterns.ts'
import { pushAll } from '../lists.ts'
import type { DetectOptions, Found, LoadedModel, ModelSource } from '../models/model.ts'
import { accountsOfNames } from './accounts-of-names.ts'
import { addresses } from './addresses.ts'
import { ages } from './ages.ts'
import { circumstances } from './circumstances.ts'
import { fits, isOwnHeading, profileOf } from './columns.ts'
import { contact } from './contact.ts'
import { crypto } from './crypto.ts'
import { bareYears, dates } from './dates.ts'
import { daysOfLines } from './days-of-lines.ts'
import { documents } from './documents.ts'
import { finance } from './finance.ts'
import { health } from './health.ts'
import { initials } from './initials.ts'
import { labelled, speakers } from './labelled.ts'
import { listedNames } from './listed-names.ts'
import { namesInLowerCase } from './lower-case.ts'
import { names } from './names.ts'
import { network } from './network.ts'
import { fileNumbers, numbers as labelledNumbers } from './numbers.ts'
import { organisations } from './organisations.ts'
import { people } from './people.ts'
import { phones } from './phones.ts'
import { places } from './places.ts'
import { quantities } from './quantities.ts'
import { foundIn, prepare, type Recogniser } from './recogniser.ts'
import { secrets } from './secrets.ts'
import { shells } from './shells.ts'
import { spelledNames } from './spelled-names.ts'
import { spokenNumbers } from './spoken-numbers.ts'
import { spokenSecrets } from './spoken-secrets.ts'
import { sqlTables } from './sql-tables.ts'
import { tax } from './tax.ts'
import { type TextCell, textTables } from './text-tables.ts'
import { kindLabels, wholeCell } from './whole-cells.ts'

/** Every recogniser that ships, as data. */
export const recognisers: readonly Recogniser[] = [
  ...contact,
  ...network,
  ...finance,
  ...crypto,
  ...secrets,
  ...spokenSecrets,
  ...shells,
  ...dates,
  ...people,
  ...names,
  ...health,
  ...tax,
  ...documents,
  ...labelledNumbers,
  ...addresses,
  ...ages,
  ...organisations,
  ...places,
  ...quantities,
  ...circumstances,
]

const { prepared, patterns } = prepare(recognisers)
const search = searchMany(patterns)
/** What takes several words isn't looked for in texts of one, as most cells of tables are. */
const severalWords = new Set<Recogniser>([
  ...names,
  ...labelledNumbers,
  ...addresses,
  ...organisations,
  ...places,
  ...quantities,
  ...circumstances,
])
/** What is told in sentences: of a cell its column says more. */
const ofSentences = new Set<Recogniser>([...quantities, ...circumstances, ...bareYears, ...fileNumbers])
const ofOneWord = prepared.filter(({ row }) => !severalWords.has(row))
const labels = [...new Set([...recognisers.map(row => row.label), 'PHONE', ...kindLabels])].sort()

/** Lowest score of its own with which a checksum decides what a number is against forms that check nothing. */
const proven = 0.4

const overlap = (a: Found, b: Found) => a.start < b.end && b.start < a.end

/**
 * What has a checksum wins over what has none: where both are taken for the same digits and no word says which it is, the
 * one that is proven takes the score that the place has anyhow.
 */
function preferProven(all: Found[]): Found[] {
  const forms = all.filter(({ evidence }) => evidence.by === 'pattern' && !evidence.context)
  return all.map(found => {
    if (found.evidence.by !== 'checksum' || found.score < proven) return found
    const rivals = forms.filter(form => overlap(form, found) && form.score > found.score && form.score <= 0.75)
    const covers = rivals.filter(({ start, end }) => found.start <= start && end <= found.end)
    return covers.length === 0 ? found : { ...found, score: Math.max(...covers.map(({ score }) => score)) }
  })
}

/** What is found in a cell when it is read behind its label, as in a line of a letter. */
function besideLabel(text: string, options: DetectOptions, { name }: Column): Found[] {
  const begin = name.length + 1
  return recognise(`${name} ${text}`, options)
    .filter(({ start }) => start >= begin)
    .map(found => ({ ...found, start: found.start - begin, end: found.end - begin }))
}

/** The cells of the tables within a text, in their order. */
function cellsIn(text: string): TextCell[] {
  const closed = [...sqlTables(text)]
  const [first, last] = [closed[0]?.start ?? text.length, closed.at(-1)?.end ?? text.length]
  const others = [...textTables(text)].filter(({ start, end }) => end <= first || start >= last)
  return [...others, ...closed].sort((a, b) => a.start - b.start)
}

/** What is found in the cells of tables within a text. */
function* inTables(text: string, options: DetectOptions, cells: readonly TextCell[]): Generator<Found> {
  for (const { start, end, column } of cells)
    for (const found of recognise(text.slice(start, end), options, column))
      yield { ...found, start: found.start + start, end: found.end + start }
}

/** Quantities are looked for where they are asked for by name only: alone they are nobody's. */
const asksForQuantities = ({ entities }: DetectOptions) => entities?.includes('QUANTITY') ?? false

const asksForPersons = ({ entities }: DetectOptions) => entities?.includes('PERSON') ?? true

/** The persons who speak in a text, and those whose names the lists have. */
function persons(text: string, options: DetectOptions): Found[] {
  const speaking = speakers(text)
  if (!asksForPersons(options)) return speaking
  return [...speaking, ...namesInLowerCase(text, options.language, speaking), ...listedNames(text, options.language)]
}

/** Where the first cell stands that ends behind a place. */
function cellBehind(cells: readonly TextCell[], place: number): number {
  let [from, to] = [0, cells.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (cells[middle]!.end > place) to = middle
    else from = middle + 1
  }
  return from
}

/** Score of a part at most: what its column says of a cell is surer. */
const scoreOfPart = 0.6

/** What of something found lies in the closed cells that it reaches into; undefined where there are none. */
function inClosedCells(found: Found, cells: readonly TextCell[]): Found[] | undefined {
  const parts: Found[] = []
  for (let n = cellBehind(cells, found.start); n < cells.length && cells[n]!.start < found.end; n++) {
    const { start, end, isClosed } = cells[n]!
    if (!isClosed) return undefined
    parts.push({ ...found, start: Math.max(start, found.start), end: Math.min(end, found.end) })
  }
  if (parts.length < 2) return parts.length === 0 ? undefined : parts
  return parts.map(part => ({ ...part, score: Math.min(part.score, scoreOfPart) }))
}

/** What reaches from one cell of a table into others, each part by itself; what a checksum proves and addresses may stand in several. */
function byCells(found: Found, text: string, cells: readonly TextCell[]): Found[] {
  const closed = inClosedCells(found, cells)
  if (closed) return closed
  if (cells.length === 0 || found.evidence.by === 'checksum' || found.label === 'ADDRESS') return [found]
  const parts: Found[] = []
  let { start } = found
  for (let n = cellBehind(cells, start) + 1; n <= cells.length && start < found.end; n++) {
    const end = Math.min(cells[n]?.start ?? found.end, found.end)
    const length = text.slice(start, end).replace(/[\s|;,]+$/, '').length
    if (length > 0) parts.push({ ...found, start, end: start + length })
    start = end
  }
  return parts.length > 1 ? parts.map(part => ({ ...part, score: Math.min(part.score, scoreOfPart) })) : [found]
}

/** What is found by its lines and words, where a text is no cell. */
function* inWholeText(text: string, options: DetectOptions, cells: readonly TextCell[]): Generator<Found> {
  yield* labelled(text)
  yield* inTables(text, options, cells)
  yield* daysOfLines(text)
  yield* accountsOfNames(text)
  yield* initials(text)
  yield* spelledNames(text)
  yield* spokenNumbers(text)
  yield* persons(text, options)
}

/**
 * What the recognisers find in a text; of two matches one of which holds the other, the surer, and of two as sure the one
 * with a checksum. `misses` adds what was found wanting (a wrong checksum, or a score below the threshold) and what else a
 * match may be. A cell is judged by its column.
 */
export function recognise(text: string, options: DetectOptions, column?: Column): Found[] {
  const { misses = false } = options
  const profile = column && profileOf(column)
  if (profile && isOwnHeading(profile, text)) return []
  const searched = search(text)
  const met = new Map<number | undefined, boolean>([[undefined, true]])
  const isMet = (needs?: number) => {
    if (!met.has(needs)) met.set(needs, !searched.matches(needs!)[Symbol.iterator]().next().done)
    return met.get(needs)
  }
  const all: Found[] = []
  for (const one of /\S\s+\S/.test(text) ? prepared : ofOneWord) {
    if (profile && ofSentences.has(one.row)) continue
    if (one.row.label === 'QUANTITY' && !asksForQuantities(options)) continue
    if (!searched.mayMatch(one.pattern) || !isMet(one.needs)) continue
    const matches = Array.from(searched.matches(one.pattern))
    if (matches.length === 0) continue
    const verdict = profile?.verdict(one, text)
    const heading = verdict === 'named' ? profile!.heading : undefined
    for (const found of foundIn(one, text, matches, { misses, heading }))
      if (!profile || fits(profile, text, found, verdict))
        all.push(found.label === 'ADDRESS' ? withHouseParts(text, found) : found)
  }
  const numbers = phones(text, profile?.phones)
  pushAll(all, profile ? numbers.filter(one => fits(profile, text, one, undefined)) : numbers)
  if (column?.label) all.push(...besideLabel(text, options, column))
  if (profile?.kind) all.push(...wholeCell(profile.kind, text))
  const cells = profile ? [] : cellsIn(text)
  if (!profile) pushAll(all, inWholeText(text, options, cells))
  const isAsked = ({ label }: Found) => options.entities?.includes(label) ?? true
  const asked = all.filter(isAsked).flatMap(found => byCells(found, text, cells))
  const weighed = preferProven(asked)
  const rank = ({ evidence }: Found) => (evidence.by === 'checksum' ? 0 : 1)
  weighed.sort(
    (a, b) => b.score - a.score || rank(a) - rank(b) || b.end - b.start - (a.end - a.start) || a.start - b.start,
  )
  const enough = misses ? weighed : weighed.filter(({ score }) => score >= options.threshold)
  return withoutHeld(enough, (a, b) => !misses || a.label === b.label).sort((a, b) => a.start - b.start)
}

/** Characters of a text that are looked at together for what stands there. */
const stretch = 256

/** Those of some finds that none of the earlier ones holds, if the two are alike. */
function withoutHeld(all: readonly Found[], areAlike: (a: Found, b: Found) => boolean): Found[] {
  const byStretch = new Map<number, Found[]>()
  return all.filter(found => {
    const near = byStretch.get(Math.floor(found.start / stretch)) ?? []
    if (near.some(other => other.start <= found.start && found.end <= other.end && areAlike(other, found))) return false
    for (let n = Math.floor(found.start / stretch); n * stretch < found.end; n++) {
      const here = byStretch.get(n)
      if (here) here.push(found)
      else byStretch.set(n, [found])
    }
    return true
  })
}

/** The recognisers as a model: `pii-patterns` `1.0.0`. It tells the language of each text by itself and needs no files. */
const model: LoadedModel = {
  modelId: 'pii-patterns',
  modelVersion: '1.0.0',
  labels,
  languages: [],
  readsColumns: true,
  anyText: true,
  async detect(texts, options) {
    const tellLanguage = asksForPersons(options) ? await loadLanguages() : undefined
    const known = new Map<string, Found[]>()
    return texts.map((text, index) => {
      options.signal?.throwIfAborted()
      const column = options.columns?.[index]
      const key = column ? `${text}\u0000${column.name}` : text
      const language = options.language ? primary(options.language) : column ? undefined : tellLanguage?.(text)
      const found = known.get(key) ?? recognise(text, { ...options, language }, column)
      known.set(key, found)
      return found
    })
  },
}

/** The source of `pii-patterns`. */
export const patternSource: ModelSource = async ({ modelId, modelVersion }) =>
  modelId === model.modelId && modelVersion === model.modelVersion ? model : undefined
