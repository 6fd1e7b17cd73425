import { useState } from 'preact/hooks'
import type { Job } from '../../shared/api/job.ts'
import { call } from '../api.ts'
import { t } from '../i18n/index.ts'
import { chosenBy } from '../ui/choice.tsx'
import { useLoad } from '../ui/load.ts'
import { Bars, Failure, Field, Form, Loading } from '../ui/parts.tsx'
import { Places } from './findings.tsx'
import { type Compared, type Placed, shadowRun } from './shadow-run.ts'

/** Places that are shown of each kind. */
const SHOWN = 200

/** Tells what another workflow would newly find in the inputs of a job, and what it would no longer find. */
export function ShadowRun({ job }: { job: Job }) {
  const words = t.value.shadow
  const { data, error } = useLoad(
    () => Promise.all([call('presets', 'list'), call('workflows', 'list', { body: { limit: 1000 } })]),
    [],
  )
  const [chosen, choose] = useState('')
  const [compared, setCompared] = useState<Compared>()
  if (!data) return error ? <Failure error={error} /> : <Loading />
  const [presets, workflows] = data
  const run = async () => {
    setCompared(undefined)
    setCompared(await shadowRun(job, chosenBy(chosen)))
  }
  return (
    <div class="report">
      <p class="muted">{words.hint}</p>
      <Form submit={run} label={words.run} isReady={chosen !== ''}>
        <Field label={words.with}>
          <select value={chosen} onChange={event => choose(event.currentTarget.value)}>
            <option value="" />
            {workflows.map(({ id, name }) => (
              <option key={id} value={`workflow:${id}`}>
                {name}
              </option>
            ))}
            {presets.map(({ id, name }) => (
              <option key={id} value={`preset:${id}`}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      </Form>
      {compared ? <Result compared={compared} /> : null}
    </div>
  )
}

function Result({ compared: { newly, gone, same, uncompared, again } }: { compared: Compared }) {
  const words = t.value.shadow
  return (
    <div role="status">
      <p>
        <strong>{words.told(newly.length, gone.length, same)}</strong>
      </p>
      <Group title={words.newly} findings={newly} />
      <Group title={words.gone} findings={gone} />
      {again.length > 0 ? <p class="muted">{words.again(again)}</p> : null}
      {uncompared.length > 0 ? <p class="muted">{t.value.found.unlisted(uncompared)}</p> : null}
    </div>
  )
}

function Group({ title, findings }: { title: string; findings: Placed[] }) {
  if (findings.length === 0) return null
  const names = new Map(findings.map(({ assetId, file }) => [assetId, file]))
  return (
    <>
      <h3>{title}</h3>
      <Bars counts={byColumn(findings)} />
      <Places findings={findings.slice(0, SHOWN)} names={names} title={title} />
      {findings.length > SHOWN ? <p class="muted">{t.value.shown(1, SHOWN, findings.length)}</p> : null}
    </>
  )
}

/** How many there are in each column of a table, under each label; none of documents. */
function byColumn(findings: Placed[]): { label: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { file, label, place } of findings) {
    if (place.column === undefined) continue
    const name = `${file}, ${t.value.found.column(place.column)}: ${label}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([label, count]) => ({ label, count })).toSorted((a, b) => b.count - a.count)
}
