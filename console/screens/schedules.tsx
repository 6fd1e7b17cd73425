import { useEffect } from 'preact/hooks'
import type { NewSchedule, Schedule } from '../../shared/api/schedules.ts'
import type { Source } from '../../shared/api/sources.ts'
import { call, callFull, may } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { Choice } from '../ui/choice.tsx'
import { useDraft } from '../ui/draft.ts'
import { useLoad } from '../ui/load.ts'
import { Empty, Field, Form, NameField } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { RecordList } from '../ui/record-list.tsx'
import { type Draft, draftOf, empty, scheduleOf, type Unit } from './schedule-draft.ts'
import { Runs } from './schedule-runs.tsx'

/** The user's schedules. */
export function Schedules() {
  const words = t.value.schedule
  return (
    <RecordList<Schedule>
      screen="schedules"
      words={words}
      list={body => callFull('schedules', 'list', { body })}
      remove={({ id }) => call('schedules', 'delete', { schedule_id: id })}
      about={({ nextRunAt }) => (nextRunAt ? words.nextAt(dateOf(nextRunAt)) : words.paused)}
    />
  )
}

/** Makes a schedule or changes one; of one that is there, what came of its runs too. */
export function ScheduleEditor({ id }: { id: string }) {
  const words = t.value
  const isNew = id === 'create'
  const loaded = useLoad(
    () =>
      Promise.all([
        may('sources:read') ? call('sources', 'list', { body: { limit: 1000 } }) : [],
        isNew ? undefined : call('schedules', 'get', { schedule_id: id }),
      ]),
    [id],
  )
  const { data, reload } = loaded
  const holdsTables = ({ stored, sourceId }: Draft) =>
    stored ? stored.tables !== undefined : (data?.[0].find(one => one.id === sourceId)?.kind.startsWith('DB_') ?? false)
  const sent = (one: Draft) => scheduleOf(one, holdsTables(one))
  const { draft, change, begin, changes, isChanged } = useDraft(empty, sent)
  useEffect(() => {
    if (data?.[1]) begin(draftOf(data[1]))
  }, [data?.[1]?.id])
  if (!data) return <Pending of={loaded} what={words.menu.schedules} isScreen />
  const [sources, stored] = data
  const isDatabase = holdsTables(draft)
  const save = async () => {
    const settings = scheduleOf(draft, isDatabase)
    const { sourceId } = draft
    if (isNew)
      return go('schedules', (await call('schedules', 'create', { body: { ...settings, sourceId } as NewSchedule })).id)
    // Others than its owner can only pause it, and one whose source is gone can be paused, too.
    await call('schedules', 'update', { schedule_id: id, body: changes() })
    go('schedules')
  }
  if (isNew && sources.length === 0)
    return (
      <section>
        <h1>{words.schedule.create}</h1>
        <Empty text={words.schedule.noSource} action={words.source.create} to="#/sources/create" />
      </section>
    )
  return (
    <section>
      <h1>{isNew ? words.schedule.create : stored!.name}</h1>
      <p class="muted">{stored ? toldOf(stored) : words.schedule.empty}</p>
      {stored ? <Runs schedule={id} reload={reload} /> : null}
      {stored ? <h2>{words.list.settings}</h2> : null}
      <Form submit={save} label={words.save} cancel="#/schedules" isChanged={isChanged}>
        <NameField name={draft.name} set={name => change({ name })} />
        <Times draft={draft} change={change} />
        <Taken draft={draft} change={change} sources={sources} isDatabase={isDatabase} isNew={isNew} />
        <Done draft={draft} change={change} />
        {draft.isLook ? null : <Delivery draft={draft} change={change} sources={sources} isDatabase={isDatabase} />}
        {isNew ? null : (
          <label class="choice">
            <input
              type="checkbox"
              checked={draft.enabled}
              onChange={event => change({ enabled: event.currentTarget.checked })}
            />
            {words.schedule.enabled}
          </label>
        )}
      </Form>
    </section>
  )
}

/** When a schedule has run, and runs next. */
function toldOf({ nextRunAt, lastRunAt }: Schedule): string {
  const words = t.value.schedule
  const told = [
    nextRunAt ? words.nextAt(dateOf(nextRunAt)) : words.paused,
    lastRunAt && words.lastAt(dateOf(lastRunAt)),
  ]
  return told.filter(Boolean).join(' · ')
}

type Fields = { draft: Draft; change(part: Partial<Draft>): void }

/** When it runs: every so often, or at times as cron names them. */
function Times({ draft, change }: Fields) {
  const words = t.value.schedule
  return (
    <>
      <div class="row" role="radiogroup" aria-label={words.when}>
        {(['rate', 'cron'] as const).map(by => (
          <label key={by} class="choice">
            <input type="radio" name="by" checked={draft.by === by} onChange={() => change({ by })} />
            {words.by[by]}
          </label>
        ))}
      </div>
      {draft.by === 'rate' ? (
        <div class="row">
          <Field label={words.every}>
            <input
              required
              class="short"
              type="number"
              min={1}
              max={9999}
              value={draft.every}
              onInput={event => change({ every: event.currentTarget.value })}
            />
          </Field>
          <Field label={words.unit}>
            <select value={draft.unit} onChange={event => change({ unit: event.currentTarget.value as Unit })}>
              {(['minutes', 'hours', 'days'] as const).map(unit => (
                <option key={unit} value={unit}>
                  {words.units[unit]}
                </option>
              ))}
            </select>
          </Field>
        </div>
      ) : (
        <div class="row">
          <Field label={words.cron} hint={words.cronHint}>
            <input
              required
              class="short"
              maxLength={100}
              spellcheck={false}
              value={draft.cron}
              onInput={event => change({ cron: event.currentTarget.value })}
            />
          </Field>
          <TimeZone zone={draft.timezone} set={timezone => change({ timezone })} />
        </div>
      )}
    </>
  )
}

const TimeZone = ({ zone, set }: { zone: string; set(zone: string): void }) => (
  <Field label={t.value.schedule.timezone}>
    <select value={zone} onChange={event => set(event.currentTarget.value)}>
      {[...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map(one => (
        <option key={one}>{one}</option>
      ))}
    </select>
  </Field>
)

type TakenProps = Fields & { sources: Source[]; isDatabase: boolean }

/** What it takes: files of a folder, or tables. The source stays the one that it was made with. */
function Taken({ draft, change, sources, isDatabase, isNew }: TakenProps & { isNew: boolean }) {
  const words = t.value.schedule
  return (
    <>
      <Field label={words.source}>
        <select
          required
          disabled={!isNew}
          value={draft.sourceId}
          onChange={event => change({ sourceId: event.currentTarget.value })}
        >
          <option value="" />
          <SourceOptions sources={sources} chosen={draft.sourceId} />
        </select>
      </Field>
      {isDatabase ? (
        <Field label={words.tables} hint={words.tablesHint}>
          <textarea
            required
            rows={3}
            class="code"
            spellcheck={false}
            value={draft.tables}
            onInput={event => change({ tables: event.currentTarget.value })}
          />
        </Field>
      ) : (
        <>
          <Field label={words.folder} hint={words.folderHint}>
            <input
              maxLength={1024}
              value={draft.folder}
              onInput={event => change({ folder: event.currentTarget.value })}
            />
          </Field>
          <Field label={words.files} hint={words.filesHint}>
            <input
              maxLength={255}
              placeholder="*.pdf"
              value={draft.files}
              onInput={event => change({ files: event.currentTarget.value })}
            />
          </Field>
        </>
      )}
    </>
  )
}

/** One that is gone, or somebody else's, is named by its id. */
const SourceOptions = ({ sources, chosen }: { sources: Source[]; chosen: string }) => (
  <>
    {sources.map(({ id, name, kind }) => (
      <option key={id} value={id}>
        {name} ({t.value.source.kinds[kind]})
      </option>
    ))}
    {chosen && !sources.some(({ id }) => id === chosen) ? <option value={chosen}>{chosen}</option> : null}
  </>
)

/** What is done with it. */
function Done({ draft, change }: Fields) {
  const words = t.value
  return (
    <>
      {draft.chosen ? (
        <Choice chosen={draft.chosen} choose={chosen => change({ chosen })} />
      ) : (
        <p class="muted">{words.schedule.plan}</p>
      )}
      <label class="choice">
        <input
          type="checkbox"
          checked={draft.isLook}
          onChange={event => change({ isLook: event.currentTarget.checked })}
        />
        {words.new.inspect}
      </label>
    </>
  )
}

/** Where results go. */
function Delivery({ draft, change, sources, isDatabase }: TakenProps) {
  const words = t.value.schedule
  const targets = sources.filter(({ kind }) => kind.startsWith('DB_') === isDatabase)
  return (
    <>
      <Field label={words.target}>
        <select value={draft.target} onChange={event => change({ target: event.currentTarget.value })}>
          <option value="">{words.noTarget}</option>
          <SourceOptions sources={targets} chosen={draft.target} />
        </select>
      </Field>
      {draft.target ? (
        <Field label={isDatabase ? words.schema : words.targetFolder} hint={isDatabase ? undefined : words.targetHint}>
          <input
            maxLength={1024}
            value={draft.targetFolder}
            onInput={event => change({ targetFolder: event.currentTarget.value })}
          />
        </Field>
      ) : null}
    </>
  )
}
