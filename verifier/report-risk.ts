import { isObject } from './bytes.ts'
import { cell, escaped, list, object, objects, paragraph, percent, section, table } from './report-parts.ts'
import type { Leaf } from './statement.ts'

/** A value before and after, each a share from 0 to 1. */
type Pair = { name: string; before: number; after: number }

const COLOURS = { before: '#8b8f97', after: '#1d5fb8' }
const SIDES = ['before', 'after'] as const

const share = (value: unknown): number => (typeof value === 'number' ? Math.min(1, Math.max(0, value)) : 0)

const text = (x: number, y: number, words: string, anchor = 'start'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(words)}</text>`

const rectangle = (x: number, y: number, width: number, height: number, side: 'before' | 'after'): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${COLOURS[side]}"/>`

const legend = (x: number): string =>
  SIDES.map((side, n) => rectangle(x + n * 70, 2, 10, 10, side) + text(x + n * 70 + 15, 11, side)).join('')

/** A drawing with its title above and all of its values in words for those who can't see it. */
function figure(title: string, pairs: readonly Pair[], size: [width: number, height: number], drawing: string): string {
  const told = pairs.map(({ name, before, after }) => `${name}: ${percent(before)} before, ${percent(after)} after`)
  const [width, height] = size
  return (
    `<figure><figcaption>${escaped(title)}</figcaption><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" aria-label="${escaped(`${title}. ${told.join('; ')}`)}">${drawing}</svg></figure>`
  )
}

/** Bars side by side, one pair above each name. */
function columns(title: string, pairs: readonly Pair[]): string {
  const [left, top, tall, step, bar] = [8, 34, 120, 80, 32]
  // The longest bar is as tall as can be: shares are spread over all of them.
  const most = Math.max(...pairs.flatMap(({ before, after }) => [before, after])) || 1
  const drawn = pairs.map((pair, n) => {
    const x = left + n * step
    const bars = SIDES.map((side, at) => {
      const height = Math.round((pair[side] / most) * tall)
      const start = x + at * (bar + 2)
      const label = text(start + bar / 2, top + tall - height - 4, percent(pair[side])!, 'middle')
      return rectangle(start, top + tall - height, bar, height, side) + label
    })
    return bars.join('') + text(x + bar + 1, top + tall + 16, pair.name, 'middle')
  })
  const width = left * 2 + pairs.length * step
  const floor = `<line x1="0" y1="${top + tall + 0.5}" x2="${width}" y2="${top + tall + 0.5}" stroke="#444"/>`
  return figure(title, pairs, [width, top + tall + 24], legend(left) + drawn.join('') + floor)
}

/** Bars below each other, each pair behind its name. */
function rows(title: string, pairs: readonly Pair[]): string {
  const [left, top, wide, step, bar] = [190, 26, 220, 40, 14]
  const drawn = pairs.map((pair, n) => {
    const y = top + n * step
    const bars = SIDES.map((side, at) => {
      const width = Math.max(1, Math.round(pair[side] * wide))
      const start = y + at * (bar + 2)
      return rectangle(left, start, width, bar, side) + text(left + width + 5, start + 11, percent(pair[side])!)
    })
    return text(0, y + bar + 5, pair.name) + bars.join('')
  })
  return figure(title, pairs, [left + wide + 56, top + pairs.length * step], legend(left) + drawn.join(''))
}

/** Share of the records by the size of their class; nothing where the certificate does not tell the sizes. */
function histogramOf(before: Record<string, unknown>, after: Record<string, unknown>): string {
  const sides = { before: objects(before.histogram), after: objects(after.histogram) }
  if (sides.before.length === 0 || sides.before.length !== sides.after.length) return ''
  const counts = (side: 'before' | 'after') =>
    sides[side].map(({ records }) => (typeof records === 'number' ? records : 0))
  const shares = (side: 'before' | 'after') => {
    const all = counts(side).reduce((sum, count) => sum + count, 0)
    return counts(side).map(count => share(all === 0 ? 0 : count / all))
  }
  const [first, second] = [shares('before'), shares('after')]
  const pairs = sides.before.map(({ from, to }, n) => {
    const name =
      from === to ? `${cell(from)}` : typeof to === 'number' ? `${cell(from)}–${to}` : `${cell(from)} or more`
    return { name, before: first[n]!, after: second[n]! }
  })
  return columns('Records by how many are alike (k)', pairs)
}

function risksOf(before: Record<string, unknown>, after: Record<string, unknown>, threshold: unknown): string {
  const [was, is] = [object(before.prosecutor), object(after.prosecutor)]
  return rows('Risk that a person is recognised', [
    { name: 'Highest', before: share(was.highest), after: share(is.highest) },
    { name: 'Average', before: share(was.average), after: share(is.average) },
    {
      name: `Records above ${percent(threshold) ?? 'the threshold'}`,
      before: share(was.recordsAtRisk),
      after: share(is.recordsAtRisk),
    },
    { name: 'Records like no other', before: share(before.uniqueness), after: share(after.uniqueness) },
  ])
}

function tableOf({ output, assetId, risk }: Leaf): string {
  const { quasiIdentifiers, threshold, before, after } = object(risk)
  const sides = { before: object(before), after: object(after) }
  const told = SIDES.map(side => {
    const { records, suppressed, classes, k } = sides[side]
    return [side, ...[records, suppressed, classes, k].map(cell)]
  })
  return [
    `<h3>${escaped(output?.name ?? assetId)}</h3>`,
    paragraph(`By the columns ${list(quasiIdentifiers).join(', ')}.`),
    table(['', 'Records', 'Suppressed', 'Classes', 'Smallest class (k)'], told),
    histogramOf(sides.before, sides.after),
    risksOf(sides.before, sides.after, threshold),
  ].join('')
}

/** Tables that a report draws. */
const DRAWN = 20

const isMeasured = ({ risk }: Leaf): boolean => isObject(risk)

/** Share of the records that are above the threshold after all. */
const atRisk = ({ risk }: Leaf): unknown => object(object(object(risk).after).prosecutor).recordsAtRisk

/** Whether every output is a table of which no record is above the threshold of risk any more. */
export function isLow(leaves: readonly Leaf[]): boolean {
  const made = leaves.filter(({ output }) => output !== null)
  return made.length > 0 && made.every(leaf => isMeasured(leaf) && atRisk(leaf) === 0)
}

/** What was measured of tables: how many records are alike, and the risks before and after. */
export function riskSection(leaves: readonly Leaf[]): string {
  const measured = leaves.filter(isMeasured).toSorted((a, b) => share(atRisk(b)) - share(atRisk(a)))
  const how =
    'For an attacker who knows that a person is in the table, and all that these columns say of them. Records that are alike in ' +
    'these columns form a class; a suppressed record takes no part.'
  if (measured.length === 0) return section('Risk of being recognised', '<p>Was not measured.</p>')
  const rest =
    measured.length > DRAWN ? paragraph(`The ${DRAWN} of ${measured.length} tables with the most records at risk.`) : ''
  return section('Risk of being recognised', paragraph(how), rest, ...measured.slice(0, DRAWN).map(tableOf))
}
