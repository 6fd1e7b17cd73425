import { t } from '../i18n/index.ts'
import { add } from './decide.ts'
import { additionsTo, type OpenReview } from './open-review.ts'

/** Says of a job that was proposed anew why it waits again. */
export function Again({ review: { round, gone } }: { review: { round: number; gone: number } }) {
  const words = t.value.review
  return round === 0 ? null : (
    <p class="note">
      {words.again} {gone > 0 ? words.goneInAll(gone) : null}
    </p>
  )
}

/** What was to be replaced in the file that is open and is not proposed any more, until it is added. */
export function Gone({ review }: { review: OpenReview }) {
  const words = t.value.review
  const added = new Set(additionsTo(review).map(({ value }) => value))
  const gone = review.proposals.value.gone.filter(({ value }) => !added.has(value))
  if (gone.length === 0) return null
  return (
    <details class="additions" open>
      <summary>{words.gone(gone.length)}</summary>
      <ul>
        {gone.map(({ assetId, value, label, column }) => (
          <li key={`${column}\n${label}\n${value}`}>
            <span class="value">{value}</span> <code>{label}</code>
            {column === null ? null : <small class="muted"> {t.value.found.column(column)}</small>}{' '}
            <button
              type="button"
              onClick={() => add(review, { assetId, value, label, ...(column !== null && { column }) })}
            >
              {words.replaceAgain}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
