import type { Column } from '../detect/entity-model.ts'
import { type LabelGroup, labelGroup } from '../models/label-groups.ts'
import type { Found } from '../models/model.ts'
import { profileOf } from '../recognisers/columns.ts'
import { recognise } from '../recognisers/index.ts'
import { isCommonName, listedName } from '../recognisers/name-lexicon.ts'
import { isKeyOfThing, isNumber, nameCell, nameInAnyCase, toldBy } from './headings.ts'

/** What a column is, as far as its heading and some of its values tell. Holds none of them. */
export type ClassifiedColumn = {
  name: string
  /** Values that were looked at: none that are empty. */
  values: number
  /**
   * `identified`: the cells are one thing, or say one thing of a person. `text`: sentences, in which anything may stand. `nothing`: neither.
   * `unknown`: too few values to tell.
   */
  status: 'identified' | 'text' | 'nothing' | 'unknown'
  /** What the cells are. Of a text: the labels of what was found in it, the most frequent first. */
  labels: string[]
  /** What they tell of a person. */
  role?: LabelGroup | 'sensitive'
  /** Share of the values in which it was found, 0 to 1. */
  share: number
  /** How sure that is, 0 to 1. */
  score: number
  /** What it was told by. */
  basis?: 'heading' | 'checksum' | 'form'
  /** Name of the recogniser that most of the values were told by. */
  recogniser?: string
}

/** Threshold of the recognisers, and the share of the values that makes a column. */
const threshold = 0.5
const half = 0.5
/** The share of a cell that something takes to be what the cell is: a title or a sign may stand beside it. */
const nearly = 0.6
/** The share of values with something in them that makes a column one in which anything may stand. */
const some = 0.05
/** The same where only the heading tells what the cells are. */
const most = 0.8
const scoreOfHeading = 0.7
/** The same where the lists of names tell it. */
const [mostNames, scoreOfNames] = [0.6, 0.6]
/** Characters of a heading that are read. */
const longestHeading = 200
/** What stands in a cell that holds nothing. */
const standsForNothing = /^(?:[-–—./?*]*|n\/?a|null|none|nil|nan|\\n|unknown)$/i
/** Fewest values that tell anything without a heading. */
const fewest = 5
/** What a column of text has on average, at least. */
const [textWords, textCharacters] = [4, 20]

type Tally = { label: string; whole: number; values: number; score: number; checked: number; by: Map<string, number> }

/** What was found in values, by label; they are judged by their column unless they are read as any text. */
function tally(values: readonly string[], column?: Column): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const text of values) {
    const [start, end] = [text.length - text.trimStart().length, text.trimEnd().length]
    const isWhole = (found: Found) => found.end - found.start >= (end - start) * nearly
    const seen = new Set<string>()
    for (const found of recognise(text, { threshold }, column)) {
      const { label, score, evidence } = found
      const one = tallies.get(label) ?? { label, whole: 0, values: 0, score: 0, checked: 0, by: new Map() }
      tallies.set(label, one)
      if (seen.has(label)) continue
      seen.add(label)
      one.values++
      if (!isWhole(found)) continue
      one.whole++
      one.score += score
      if (evidence.by === 'checksum') one.checked++
      const name = evidence.pattern ?? evidence.by
      one.by.set(name, (one.by.get(name) ?? 0) + 1)
    }
  }
  return [...tallies.values()]
}

const isText = (values: readonly string[]) => {
  const words = values.reduce((sum, text) => sum + text.split(/\s+/).filter(word => /\p{L}/u.test(word)).length, 0)
  const characters = values.reduce((sum, text) => sum + text.length, 0)
  return words >= values.length * textWords && characters >= values.length * textCharacters
}

/** The share of the values that are full names, as far as the lists of given names tell. */
function shareOfNames({ name, values }: Column): number {
  const cell = /name/i.test(name) ? nameInAnyCase : nameCell
  const isGiven = (word: string) => !isCommonName(word, undefined) && (listedName(word, undefined)?.given ?? 0) !== 0
  const isName = (text: string) => {
    const words = text.toLowerCase().split(/[\s,]+/)
    return cell.test(text) && words.length > 1 && words.length < 6 && words.some(isGiven)
  }
  return values.filter(text => isName(text.trim())).length / values.length
}

const round = (share: number) => Math.round(share * 1000) / 1000

/** A column in which anything may stand, with what was found in it. */
function asText(tallies: readonly Tally[], values: number) {
  const found = tallies.toSorted((a, b) => b.values - a.values)
  const share = round((found[0]?.values ?? 0) / values)
  return { status: 'text' as const, labels: found.map(({ label }) => label), share, score: share }
}

/** Labels of forms and check digits that numbers of other kinds have too: what the heading says of them counts more. */
const uncertain = new Set([
  'PHONE',
  'NATIONAL_ID',
  'SOCIAL_SECURITY',
  'TAX_ID',
  'HEALTH_ID',
  'PASSPORT',
  'DRIVING_LICENCE',
  'VEHICLE_ID',
  'BANK_ACCOUNT',
  'ID',
])

/** Whether the labels are of such a form. */
export const isUncertain = (labels: readonly string[]): boolean => labels.some(label => uncertain.has(label))

/** What most of the values are by themselves. */
function byValues(best: Tally | undefined, values: number) {
  if (!best || best.whole === 0 || best.whole < values * half) return undefined
  const [recogniser] = [...best.by].toSorted((a, b) => b[1] - a[1])[0]!
  const share = best.whole / values
  const isChecked = best.checked >= best.whole / 2
  return {
    status: 'identified' as const,
    labels: [best.label],
    role: labelGroup(best.label),
    share: round(share),
    score: round((best.score / best.whole) * share),
    basis: isChecked
      ? ('checksum' as const)
      : recogniser.startsWith('column.')
        ? ('heading' as const)
        : ('form' as const),
    recogniser,
  }
}

/** What the heading says that they are, where they look like it. */
function byHeading(column: Column) {
  const { values } = column
  const shareOf = (cell: RegExp) => values.filter(text => cell.test(text.trim())).length / values.length
  const told = toldBy(column.name, profileOf(column).heading, cell => shareOf(cell) >= most)
  if (!told) return undefined
  const labels = told.label ? [told.label] : []
  const share = round(shareOf(told.cell))
  return {
    status: 'identified' as const,
    labels,
    role: told.role,
    share,
    score: scoreOfHeading,
    basis: 'heading' as const,
  }
}

/** Whether the heading tells better than its values what kind of number a column holds. */
const isMoreCertain = (
  told: ReturnType<typeof byHeading>,
  { basis }: { basis: string },
): told is NonNullable<typeof told> =>
  told !== undefined &&
  (basis === 'checksum' ? isUncertain(told.labels) && told.labels[0] !== 'ID' : told.labels[0] !== 'DATE')

/** Says what a column is by its name, by some of its values, and by the names of the columns beside it. */
export function classifyColumn({ name, values: given, beside }: Column): ClassifiedColumn {
  const values = given.filter(text => !standsForNothing.test(text.trim()))
  const base = { name, values: values.length }
  if (values.length === 0) return { ...base, status: 'unknown', labels: [], share: 0, score: 0 }
  const column = { name: name.slice(0, longestHeading), values, beside }
  const ofThing = isKeyOfThing(profileOf(column).heading)
  const tallies = tally(values, column).filter(({ label }) => !ofThing || label !== 'ID')
  const found = byValues(tallies.toSorted((a, b) => b.whole - a.whole || b.score - a.score)[0], values.length)
  const told = byHeading(column)
  if (found) return { ...base, ...(isUncertain(found.labels) && isMoreCertain(told, found) ? told : found) }
  if (told) return { ...base, ...told }
  if (isText(values)) return { ...base, ...asText(tally(values), values.length) }
  const names = shareOfNames(column)
  if (names >= mostNames) {
    const person = { labels: ['PERSON'], role: 'direct' as const, share: round(names), score: scoreOfNames }
    return { ...base, ...person, status: 'identified', basis: 'form' }
  }
  const scattered = tallies.filter(one => one.values >= values.length * some)
  if (scattered.length > 0) return { ...base, ...asText(scattered, values.length) }
  const isTold = values.length >= fewest || values.every(isNumber)
  return { ...base, status: isTold ? 'nothing' : 'unknown', labels: [], share: 0, score: 0 }
}
