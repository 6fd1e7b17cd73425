import type { NewEstimate, Estimate as Told } from '../../shared/api/estimates.ts'
import { call } from '../api.ts'
import { locale, t } from '../i18n/index.ts'
import { useLoad } from './load.ts'

/** What a job will take and cost; nothing where the service can't say. */
export function Estimate({ of }: { of: NewEstimate }) {
  const { data, error } = useLoad(() => call('jobs', 'estimate', { body: of }), [JSON.stringify(of)])
  if (!data || error || data.assets + data.uncounted === 0) return null
  return (
    <p class="muted" role="status">
      {sentences(data).join(' ')}
    </p>
  )
}

function sentences({ assets, seconds, dollars, pageSeconds, uncounted, unmeasured }: Told): string[] {
  const words = t.value.estimate
  return [
    ...(assets > 0 ? [words.told(timeOf(seconds), costOf(dollars))] : []),
    ...(pageSeconds ? [words.scans(timeOf(pageSeconds))] : []),
    ...(uncounted > 0 ? [words.uncounted(uncounted)] : []),
    ...(unmeasured ? [words.unmeasured] : []),
  ]
}

type Range = { from: number; to: number }

const units = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const
type Unit = (typeof units)[number]

/** A range of seconds, each end in the largest unit of which it has one. */
function timeOf({ from, to }: Range): string {
  const [low, high] = [unitOf(from), unitOf(to)]
  const format = ([unit]: Unit) => new Intl.NumberFormat(locale.value, { style: 'unit', unit, unitDisplay: 'long' })
  const least = Math.max(1, Math.round(from / low[1]))
  const most = Math.max(1, Math.round(to / high[1]))
  if (low === high) return format(low).formatRange(least, most)
  return t.value.estimate.range(format(low).format(least), format(high).format(most))
}

const unitOf = (seconds: number): Unit => units.find(([, size]) => seconds >= size) ?? units[2]

function costOf({ from, to }: Range): string {
  const words = t.value.estimate
  if (to <= 0.01) return words.cent
  const format = new Intl.NumberFormat(locale.value, { style: 'currency', currency: 'USD' })
  return from < 0.01 ? words.upTo(format.format(to)) : format.formatRange(from, to)
}
