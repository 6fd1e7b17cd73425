import { useState } from 'preact/hooks'
import type { ParkedEntry, ScheduleRun } from '../../shared/api/schedules.ts'
import { type CallError, call, callFull, may } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { asCallError, useEvery, useLoad } from '../ui/load.ts'
import { Failure, Form, Pager } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { Problem } from '../ui/told.tsx'

const LIMIT = 10
/** How often the runs are looked at again while one goes on, milliseconds. */
const LOOK_MS = 3000

/** The runs of a schedule, newest first, and another one now; with what they could not process. */
export function Runs({ schedule, reload: reloadSchedule }: { schedule: string; reload(): void }) {
  const words = t.value.schedule
  const [skip, setSkip] = useState(0)
  const loaded = useLoad(
    () => callFull('schedules', 'runs', { schedule_id: schedule, query: { skip, limit: LIMIT, sort: '-createdAt' } }),
    [schedule, skip],
  )
  const { data, reload } = loaded
  useEvery(data?.body.some(({ status }) => status === 'IN_PROGRESS') ? LOOK_MS : undefined, reload)
  const run = async () => {
    await call('schedules', 'run', { schedule_id: schedule })
    setSkip(0)
    await reload()
    reloadSchedule()
  }
  return (
    <>
      <h2>{words.runs}</h2>
      {may('schedules:write') ? (
        <Form submit={run} label={words.run}>
          {null}
        </Form>
      ) : null}
      <Pending of={loaded} what={words.runs} />
      {data?.body.length === 0 ? <p class="muted">{words.noRuns}</p> : null}
      <ul class="cards">
        {data?.body.map(one => (
          <li key={one.id}>
            <Run run={one} />
          </li>
        ))}
      </ul>
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
      <Parked schedule={schedule} after={data?.body.map(({ id, status }) => id + status).join()} />
    </>
  )
}

function Run({ run: { status, step, trigger, plannedAt, jobId, counts, errors } }: { run: ScheduleRun }) {
  const words = t.value.schedule
  const { taken, succeeded, delivered, parked, returned } = counts
  const told = [
    words.triggers[trigger],
    (taken > 0 || status === 'SUCCEEDED') && words.taken(taken),
    succeeded > 0 && words.succeeded(succeeded),
    delivered > 0 && words.delivered(delivered),
    parked > 0 && words.parkedCount(parked),
    returned > 0 && words.returned(returned),
  ]
  return (
    <>
      <div class="row">
        <span class="name">{dateOf(plannedAt)}</span>
        <span class={`status ${status.toLowerCase()}`}>
          {status === 'IN_PROGRESS' && step ? words.steps[step] : t.value.job.status[status]}
        </span>
        {jobId ? <a href={`#/jobs/${jobId}`}>{words.job}</a> : null}
      </div>
      <p class="muted">{told.filter(Boolean).join(' · ')}</p>
      {errors.map(({ type, msg }) => (
        <p key={type + msg}>
          <Problem of={{ type, msg }} />
        </p>
      ))}
    </>
  )
}

/** Files and tables that could not be processed, until the next run is to take them again; looked at anew `after` a run. */
function Parked({ schedule, after }: { schedule: string; after: string | undefined }) {
  const words = t.value.schedule
  const [skip, setSkip] = useState(0)
  const [failure, setFailure] = useState<CallError>()
  const loaded = useLoad(
    () => callFull('schedules', 'parked', { schedule_id: schedule, query: { skip, limit: LIMIT } }),
    [schedule, skip, after],
  )
  const { data, reload } = loaded
  const retry = (names?: string[]) => {
    setFailure(undefined)
    const body = names ? { names } : {}
    return call('schedules', 'retry', { schedule_id: schedule, body }).then(reload, reason =>
      setFailure(asCallError(reason)),
    )
  }
  if (!data?.total && !loaded.error) return null
  return (
    <>
      <h2>{words.parked}</h2>
      <Pending of={loaded} what={words.parked} />
      <p class="muted">{words.parkedHint}</p>
      {data && may('schedules:write') ? (
        <button type="button" onClick={() => retry()}>
          {words.retryAll}
        </button>
      ) : null}
      <Failure error={failure} />
      <ul class="cards">
        {data?.body.map(entry => (
          <li key={entry.name}>
            <ParkedOne entry={entry} retry={() => retry([entry.name])} />
          </li>
        ))}
      </ul>
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
    </>
  )
}

function ParkedOne({ entry: { name, jobId, error, createdAt }, retry }: { entry: ParkedEntry; retry(): void }) {
  const words = t.value.schedule
  return (
    <>
      <div class="row">
        <strong class="name">{name}</strong>
        <span class="muted">{dateOf(createdAt)}</span>
        {jobId ? <a href={`#/jobs/${jobId}`}>{words.job}</a> : null}
        {may('schedules:write') ? (
          <button type="button" class="plain" aria-label={`${words.retry}: ${name}`} onClick={retry}>
            {words.retry}
          </button>
        ) : null}
      </div>
      <p>
        <Problem of={error} />
      </p>
    </>
  )
}
