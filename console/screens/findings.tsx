import { useEffect, useState } from 'preact/hooks'
import type { PlacedFinding } from '../../shared/api/findings.ts'
import type { Job } from '../../shared/api/job.ts'
import { call } from '../api.ts'
import { scoreOf, t } from '../i18n/index.ts'
import { useAsk } from '../ui/load.ts'
import { Field } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'

/** Scores up to this one are worth a look: the rule was not sure. */
export const DOUBTFUL = 0.8

/** Where something was found in the files of a job, and why; values are not shown, because none are kept. */
export function Findings({ job }: { job: Job }) {
  const words = t.value.found
  const [label, setLabel] = useState('')
  const [isDoubtful, setDoubtful] = useState(false)
  const { findings, more, unlisted, loaded } = useFindings(job.id, label, isDoubtful)
  const names = new Map(job.Assets.map(({ id, name }) => [id, name]))
  return (
    <>
      <h2>{words.title}</h2>
      <div class="row">
        <Field label={words.label}>
          <select value={label} onChange={event => setLabel(event.currentTarget.value)}>
            <option value="">{words.all}</option>
            {job.result!.counts.labels.map(one => (
              <option key={one.label}>{one.label}</option>
            ))}
          </select>
        </Field>
        <label>
          <input type="checkbox" checked={isDoubtful} onChange={event => setDoubtful(event.currentTarget.checked)} />{' '}
          {words.doubtful}
        </label>
      </div>
      <Pending of={loaded} what={words.title} />
      {findings ? <Places findings={findings} names={names} /> : null}
      {unlisted.size > 0 ? <p class="muted">{words.unlisted([...unlisted].map(id => names.get(id) ?? id))}</p> : null}
      {more ? (
        <button type="button" onClick={more}>
          {words.more}
        </button>
      ) : null}
    </>
  )
}

/** The findings so far, and what loads the next page of them. */
function useFindings(id: string, label: string, isDoubtful: boolean) {
  const [findings, setFindings] = useState<PlacedFinding[]>()
  const [unlisted, setUnlisted] = useState<ReadonlySet<string>>(new Set())
  const [cursor, setCursor] = useState<string | null>(null)
  const { error, reload, ask } = useAsk()
  const load = async (from: string | undefined, isWanted: () => boolean) => {
    const query = { ...(label && { label }), ...(isDoubtful && { maxScore: DOUBTFUL }), ...(from && { cursor: from }) }
    const page = await call('jobs', 'findings', { job_id: id, query })
    if (!isWanted()) return
    setFindings((before = []) => [...(from ? before : []), ...page.findings])
    setUnlisted(before => new Set([...before, ...page.unlisted]))
    setCursor(page.cursor)
  }
  useEffect(() => {
    let isCurrent = true
    ask(() => load(undefined, () => isCurrent))
    return () => {
      isCurrent = false
    }
  }, [id, label, isDoubtful])
  const loaded = { data: findings, error, reload }
  return { findings, unlisted, loaded, more: cursor ? () => ask(() => load(cursor, () => true)) : undefined }
}

type PlacesProps = { findings: PlacedFinding[]; names: Map<string, string>; title?: string }

/** Findings as a table of labels, files and places. */
export function Places({ findings, names, title = t.value.found.title }: PlacesProps) {
  const { found: words, text, noneLikeThat } = t.value
  if (findings.length === 0) return <p class="muted">{noneLikeThat}</p>
  return (
    <section class="scroll" tabIndex={0} aria-label={title}>
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{words.label}</th>
            <th scope="col">{words.file}</th>
            <th scope="col">{words.place}</th>
            <th scope="col" class="number">
              {text.score}
            </th>
            <th scope="col">{words.why}</th>
          </tr>
        </thead>
        <tbody>
          {findings.map(({ id, assetId, label, place, score, reason }) => (
            <tr key={assetId + id}>
              <td class="head">
                <code>{label}</code>
              </td>
              <td data-title={words.file}>{names.get(assetId)}</td>
              <td data-title={words.place}>{placeOf(place)}</td>
              <td data-title={text.score} class="number">
                {scoreOf(score)}
              </td>
              <td data-title={words.why} class="muted">
                {text.by[reason.by]} {reason.pattern ? <code>{reason.pattern}</code> : null}{' '}
                {reason.context ? text.context(reason.context) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Where something stands, in words. */
export function placeOf({ kind, part, page, row, rows = 1, column }: PlacedFinding['place']): string {
  const { kinds, page: ofPage, row: ofRow, column: ofColumn } = t.value.found
  const places = [
    kinds[kind],
    page === undefined ? undefined : ofPage(page),
    row === undefined ? undefined : ofRow(row, row + rows - 1),
    column === undefined ? undefined : ofColumn(column),
    part,
  ]
  return places.filter(place => place !== undefined).join(', ')
}
