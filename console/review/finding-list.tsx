import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { scoreOf, t } from '../i18n/index.ts'
import type { Finding } from './proposals.ts'

/** Entries that are shown at once: those around the current one. */
const PAGE = 50

/** Where keys write text. */
export const fields = 'input:not([type=radio], [type=checkbox]), select, textarea, dialog'

/** What is decided on with one stroke: a finding, or all of the file with its value and label. */
export type Entry = { finding: Finding; count: number }

/** The findings as a list, which is also their accessible form: the one that is current has the focus. */
export function FindingList({
  entries,
  current,
  choose,
}: {
  entries: Entry[]
  current: Signal<Finding | undefined>
  choose(finding: Finding): void
}) {
  const words = t.value.review
  const list = useRef<HTMLOListElement>(null)
  const index = Math.max(
    0,
    entries.findIndex(({ finding }) => finding === current.value),
  )
  const first = index - (index % PAGE)
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>('[aria-current]')
    item?.scrollIntoView({ block: 'nearest' })
    if (!document.activeElement?.closest(fields)) item?.focus({ preventScroll: true })
  }, [current.value])
  if (entries.length === 0) return <p class="muted">{t.value.noneLikeThat}</p>
  return (
    <>
      <ol ref={list} start={first + 1} aria-label={t.value.found.title}>
        {entries.slice(first, first + PAGE).map(entry => (
          <li key={entry.finding.id}>
            <Item entry={entry} isCurrent={entry.finding === current.value} choose={choose} />
          </li>
        ))}
      </ol>
      {entries.length > PAGE ? (
        <p class="row pager">
          <button type="button" disabled={first === 0} onClick={() => choose(entries[first - PAGE]!.finding)}>
            {words.before}
          </button>
          <span class="muted">{t.value.shown(first + 1, Math.min(entries.length, first + PAGE), entries.length)}</span>
          <button
            type="button"
            disabled={first + PAGE >= entries.length}
            onClick={() => choose(entries[first + PAGE]!.finding)}
          >
            {words.after}
          </button>
        </p>
      ) : null}
    </>
  )
}

function Item({ entry: { finding, count }, isCurrent, choose }: ItemProps) {
  const words = t.value.review
  const { value, label, rule, score, column, rows, verdict } = finding
  const decided = verdict.value
  return (
    <button
      type="button"
      class={`finding ${decided?.action ?? 'open'}`}
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => choose(finding)}
    >
      <span class="value">{value}</span>
      <span class="verdict">{decided ? words.verdicts[decided.action] : words.undecided}</span>
      <small class="muted">
        <code>{decided?.relabelled ?? label}</code> {scoreOf(score)}
        {column === null ? null : ` · ${t.value.found.column(column)}`}
        {count > 1 ? ` · ${words.times(count)}` : null}
        {rows.length > 0 ? ` · ${words.rows(rows)}` : null}
        {rule === label ? null : ` · ${rule}`}
      </small>
    </button>
  )
}

type ItemProps = { entry: Entry; isCurrent: boolean; choose(finding: Finding): void }
