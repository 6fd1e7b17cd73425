import type { AssetRisk } from '../../shared/api/risk.ts'
import { numberOf, percentOf, t } from '../i18n/index.ts'

type Figures = AssetRisk['before']
type Size = { from: number; to: number | null; before: number; after: number }

/** How identifiable the records of a table were and are: figures, and a chart of how many others each of them is like. */
export function Risk({ risk: { quasiIdentifiers, sensitive, threshold, before, after } }: { risk: AssetRisk }) {
  const words = t.value.risk
  const rows = figuresOf(threshold).map(([name, of]) => [name, of(before), of(after)] as const)
  return (
    <section aria-label={words.title}>
      <h3>{words.title}</h3>
      <p class="muted">
        {words.about(quasiIdentifiers)} {sensitive.length > 0 ? words.sensitive(sensitive) : null}
      </p>
      <Comparison head="" rows={rows} />
      <Chart before={before} after={after} />
      {after.sensitive.length > 0 ? <Sensitive before={before} after={after} /> : null}
    </section>
  )
}

const figuresOf = (threshold: number): [string, (figures: Figures) => string][] => {
  const words = t.value.risk
  return [
    [words.k, ({ k }) => numberOf(k)],
    [words.classes, ({ classes }) => numberOf(classes)],
    [words.average, ({ averageClassSize }) => numberOf(Number(averageClassSize.toFixed(1)))],
    [words.alone, ({ uniqueRecords, uniqueness }) => `${numberOf(uniqueRecords)} (${percentOf(uniqueness)})`],
    [words.highest, ({ prosecutor }) => percentOf(prosecutor.highest)],
    [words.atRisk(percentOf(threshold)), ({ prosecutor }) => percentOf(prosecutor.recordsAtRisk)],
    [words.expected, ({ marketer }) => percentOf(marketer.average)],
    [words.suppressed, ({ suppressed }) => numberOf(suppressed)],
  ]
}

/** A table of what was before and is now. */
function Comparison({ head, rows }: { head: string; rows: (readonly [string, string, string])[] }) {
  const { before, after } = t.value.job
  return (
    <table class="figures">
      <thead>
        <tr>
          {head ? <th scope="col">{head}</th> : <td />}
          <th scope="col" class="number">
            {before}
          </th>
          <th scope="col" class="number">
            {after}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, one, two]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{one}</td>
            <td class="number">{two}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The share of the records in groups of each size, from 0 to 1, for all sizes that there are. */
function sizesOf(before: Figures, after: Figures): Size[] {
  const sizes = new Map<number, Size>()
  for (const [when, { histogram = [], records }] of Object.entries({ before, after }) as [
    'before' | 'after',
    Figures,
  ][])
    for (const { from, to, records: here } of histogram) {
      const size = sizes.get(from) ?? { from, to, before: 0, after: 0 }
      sizes.set(from, { ...size, [when]: here / Math.max(1, records) })
    }
  return [...sizes.values()].toSorted((a, b) => a.from - b.from)
}

/** Measures of the chart, in its own units. */
const [height, room, bar, gap] = [140, 18, 16, 14]

/** Bars for the records before and after, by the size of the groups that they are in; the same follows as a table. */
function Chart({ before, after }: { before: Figures; after: Figures }) {
  const words = t.value.risk
  const { before: was, after: is } = t.value.job
  const sizes = sizesOf(before, after)
  if (sizes.length === 0) return null
  const most = Math.max(...sizes.flatMap(size => [size.before, size.after]), Number.MIN_VALUE)
  const width = sizes.length * (2 * bar + gap) + gap
  const named = sizes.map(size => ({ ...size, name: words.size(numberOf(size.from), to(size)) }))
  return (
    <figure class="plot">
      <figcaption>
        {words.chart} <span class="was">{was}</span> <span class="is">{is}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height + room}`} role="img" aria-label={words.told(before.k, after.k)}>
        {named.map(({ name, before: one, after: two }, n) => {
          const left = gap + n * (2 * bar + gap)
          return (
            <g key={name}>
              <Bar share={one / most} left={left} class="was" title={`${was}, ${name}: ${percentOf(one)}`} />
              <Bar share={two / most} left={left + bar} class="is" title={`${is}, ${name}: ${percentOf(two)}`} />
              <text x={left + bar} y={height + room - 5} text-anchor="middle">
                {name}
              </text>
            </g>
          )
        })}
      </svg>
      <details>
        <summary>{words.asTable}</summary>
        <Comparison
          head={words.group}
          rows={named.map(({ name, ...size }) => [name, percentOf(size.before), percentOf(size.after)])}
        />
      </details>
    </figure>
  )
}

const to = ({ from, to }: Size): string | undefined => (to === null ? '' : to > from ? numberOf(to) : undefined)

function Bar({ share, left, title, class: name }: { share: number; left: number; title: string; class: string }) {
  return (
    <rect class={name} x={left} y={height - share * height} width={bar - 2} height={share * height}>
      <title>{title}</title>
    </rect>
  )
}

/** How varied the sensitive values are within groups. */
function Sensitive({ before, after }: { before: Figures; after: Figures }) {
  const words = t.value.risk
  const was = new Map(before.sensitive.map(one => [one.column, one]))
  const value = (number: number | null | undefined) =>
    number === null || number === undefined ? '–' : numberOf(Number(number.toFixed(2)))
  const rows = after.sensitive.flatMap(one => [
    [words.distinct(one.column), value(was.get(one.column)?.distinctL), value(one.distinctL)] as const,
    [words.distance(one.column), value(was.get(one.column)?.tEqual), value(one.tEqual)] as const,
  ])
  return <Comparison head={words.values} rows={rows} />
}
