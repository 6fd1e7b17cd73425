import { useState } from 'preact/hooks'
import type { Job } from '../../shared/api/job.ts'
import { call } from '../api.ts'
import { numberOf, t } from '../i18n/index.ts'
import { chosenBy, presetName } from '../ui/choice.tsx'
import { useLoad } from '../ui/load.ts'
import { Bars, Field, Form } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { Places } from './findings.tsx'
import { type Difference, MOST, SHOWN } from './shadow-compare.ts'
import { shadowRun, type ShadowRun as Told } from './shadow-run.ts'

/** Tells what another workflow would newly find in the inputs of a job, and what it would no longer find. */
export function ShadowRun({ job }: { job: Job }) {
  const words = t.value.shadow
  const loaded = useLoad(
    () => Promise.all([call('presets', 'list'), call('workflows', 'list', { body: { limit: 1000 } })]),
    [],
  )
  const [chosen, choose] = useState('')
  const [compared, setCompared] = useState<Told>()
  const { data } = loaded
  if (!data) return <Pending of={loaded} what={words.with} />
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
            {presets.map(preset => (
              <option key={preset.id} value={`preset:${preset.id}`}>
                {presetName(preset)}
              </option>
            ))}
          </select>
        </Field>
      </Form>
      {compared ? <Result compared={compared} /> : null}
    </div>
  )
}

function Result({ compared: { newly, gone, same, uncompared, cut, again } }: { compared: Told }) {
  const words = t.value.shadow
  return (
    <div role="status">
      <p>
        <strong>{words.told(newly.count, gone.count, same)}</strong>
      </p>
      {cut.length > 0 ? <p class="note">{words.cut(numberOf(MOST), cut)}</p> : null}
      <Group title={words.newly} difference={newly} />
      <Group title={words.gone} difference={gone} />
      {again.length > 0 ? <p class="muted">{words.again(again)}</p> : null}
      {uncompared.length > 0 ? <p class="muted">{t.value.found.unlisted(uncompared)}</p> : null}
    </div>
  )
}

function Group({ title, difference: { count, first, columns } }: { title: string; difference: Difference }) {
  if (count === 0) return null
  const names = new Map(first.map(({ assetId, file }) => [assetId, file]))
  return (
    <>
      <h3>{title}</h3>
      <Bars counts={barsOf(columns)} />
      <Places findings={first} names={names} title={title} />
      {count > SHOWN ? <p class="muted">{t.value.shown(1, SHOWN, count)}</p> : null}
    </>
  )
}

/** How many there are in each column of a table, under each label; none of documents. */
const barsOf = (columns: Difference['columns']): { label: string; count: number }[] =>
  [...columns.values()]
    .map(({ placed: { file, label, place }, count }) => ({
      ...{ label: `${file}, ${t.value.found.column(place.column!)}: ${label}` },
      count,
    }))
    .toSorted((a, b) => b.count - a.count)
