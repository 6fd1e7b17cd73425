import { kinds } from 'console-sources'
import { useEffect, useState } from 'preact/hooks'
import type { SourceField, SourceForm } from '../../shared/api/source-forms.ts'
import type { NewSource, Source, SourceTest } from '../../shared/api/sources.ts'
import { type CallError, call, callFull } from '../api.ts'
import { t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { useDraft } from '../ui/draft.ts'
import { asCallError, useLoad } from '../ui/load.ts'
import { Failure, Field, Form, NameField } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { RecordList } from '../ui/record-list.tsx'
import { Note, Problem } from '../ui/told.tsx'
import { Browse } from './browse.tsx'
import { configOf, formOf, type Settings, settingsOf } from './settings.ts'

/** The user's sources. */
export function Sources() {
  const words = t.value.source
  return (
    <RecordList<Source>
      screen="sources"
      words={words}
      list={body => callFull('sources', 'list', { body })}
      remove={({ id }) => call('sources', 'delete', { source_id: id })}
      about={({ kind }) => words.kinds[kind]}
    />
  )
}

type Draft = { name: string; kind: Source['kind']; form: number; settings: Settings }

const empty: Draft = { name: '', kind: 'LOCAL_ASSET', form: 0, settings: {} }

/** A source as the service takes it. */
const sourceOf = ({ name, kind, form, settings }: Draft) =>
  ({ name, kind, config: configOf(kinds[kind]![form]!, settings) }) as Pick<NewSource, 'name' | 'kind' | 'config'>

/** Makes or changes a source, tests it, and shows what is in it. */
export function SourceEditor({ id }: { id: string }) {
  const words = t.value
  const isNew = id === 'create'
  const loaded = useLoad(
    async () => ({ stored: isNew ? undefined : await call('sources', 'get', { source_id: id }) }),
    [id],
  )
  const { data } = loaded
  const { draft, change, begin, isChanged } = useDraft(empty, sourceOf)
  useEffect(() => {
    if (!data?.stored) return
    const { name, kind, config } = data.stored
    const settings = settingsOf(config)
    begin({ name, kind, form: formOf(kinds[kind]!, settings), settings })
  }, [data])
  if (!data) return <Pending of={loaded} what={words.menu.sources} isScreen />
  const { name, kind, settings } = draft
  const form = kinds[kind]![draft.form]!
  const { config } = sourceOf(draft)
  const save = async () => {
    if (isNew) await call('sources', 'create', { body: { name, kind, config } as NewSource })
    else await call('sources', 'update', { source_id: id, body: { name, config } })
    go('sources')
  }
  const test = () =>
    call('sources', 'test', {
      body: isNew ? ({ kind, config } as SourceTest) : { sourceId: id, config },
    })
  return (
    <section>
      <h1>{isNew ? words.source.create : name}</h1>
      <Form submit={save} label={words.save} cancel="#/sources" isChanged={isChanged}>
        <NameField name={name} set={name => change({ name })} />
        <KindField draft={draft} isNew={isNew} change={change} />
        {form.fields.map(field => (
          <Setting
            key={kind + field.name}
            field={field}
            isStored={field.name in (data.stored?.secrets ?? {})}
            value={settings[field.name] ?? ''}
            set={value => change({ settings: { ...settings, [field.name]: value } })}
          />
        ))}
      </Form>
      <Test test={test} />
      {isNew ? null : <Browse id={id} kind={kind} />}
    </section>
  )
}

/** The kind of a source, and which variant of it; the kind of one that exists can't be changed. */
function KindField({ draft, isNew, change }: { draft: Draft; isNew: boolean; change(part: Partial<Draft>): void }) {
  const words = t.value.source
  const variants = kinds[draft.kind]!
  const titleOf = ({ fixed }: SourceForm) => Object.values(fixed).map(value => words.variants[value] ?? value)
  return (
    <>
      <Field label={words.kind}>
        <select
          disabled={!isNew}
          value={draft.kind}
          onChange={event => change({ kind: event.currentTarget.value as Source['kind'], form: 0 })}
        >
          {Object.entries(words.kinds).map(([kind, title]) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      {variants.length > 1 ? (
        <Field label={words.variant}>
          <select value={draft.form} onChange={event => change({ form: Number(event.currentTarget.value) })}>
            {variants.map((variant, index) => (
              <option key={index} value={index}>
                {titleOf(variant)}
              </option>
            ))}
          </select>
        </Field>
      ) : null}
    </>
  )
}

type SettingProps = { field: SourceField; isStored: boolean; value: string; set(value: string): void }

function Setting({ field: { name, type, isSecret, isRequired, options }, isStored, value, set }: SettingProps) {
  const words = t.value.source
  const label = words.fields[name] ?? name
  const required = isRequired && !isStored
  const common: Common = { required, value, onInput: event => set(event.currentTarget.value) }
  if (type === 'consent')
    return (
      <label class="choice">
        <input
          type="checkbox"
          required={required}
          checked={value !== ''}
          onChange={event => set(event.currentTarget.checked ? 'true' : '')}
        />
        {label}
      </label>
    )
  return (
    <Field
      label={isRequired || type === 'choice' ? label : words.optional(label)}
      hint={isStored ? words.stored : undefined}
    >
      {type === 'choice' ? (
        <select value={value || options[0]} onChange={event => set(event.currentTarget.value)}>
          {options.map(option => (
            <option key={option} value={option}>
              {words.variants[option] ?? option}
            </option>
          ))}
        </select>
      ) : type === 'block' || type === 'list' ? (
        <textarea rows={3} class="code" spellcheck={false} autocomplete="off" {...common} />
      ) : (
        <Line isSecret={isSecret} type={type} common={common} />
      )}
    </Field>
  )
}

type Common = { required: boolean; value: string; onInput(event: { currentTarget: { value: string } }): void }

const Line = ({ isSecret, type, common }: { isSecret: boolean; type: SourceField['type']; common: Common }) =>
  isSecret ? (
    <input type="password" autocomplete="new-password" {...common} />
  ) : (
    <input
      type="text"
      autocomplete="off"
      spellcheck={false}
      pattern={type === 'number' ? '\\d*' : undefined}
      {...common}
    />
  )

type Tested = Awaited<ReturnType<typeof call<'sources', 'test'>>>

/** Tries the connection with what stands in the form. */
function Test({ test }: { test(): Promise<Tested> }) {
  const words = t.value.source
  const [tested, setTested] = useState<Tested>()
  const [failure, setFailure] = useState<CallError>()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setTested(undefined)
    setFailure(undefined)
    await test().then(setTested, reason => setFailure(asCallError(reason)))
    setBusy(false)
  }
  return (
    <>
      <p>
        <button type="button" disabled={isBusy} onClick={run}>
          {words.test}
        </button>
      </p>
      <Failure error={failure} />
      {tested ? (
        <div role="status">
          <p class={`status ${tested.ok ? 'succeeded' : 'failed'}`}>{tested.ok ? words.works : words.fails}</p>
          <ul>
            {tested.checks.map(({ name, ok, msg }) => (
              <li key={name}>
                {ok ? '✓' : '✗'} {words.checks[name]}
                {ok ? null : <>: {tested.problem ? <Problem of={{ type: tested.problem, msg }} /> : msg}</>}
              </li>
            ))}
            {tested.warnings.map(warning => (
              <li key={warning}>
                <Note of={warning} />
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </>
  )
}
