import { useEffect } from 'preact/hooks'
import type { List } from '../../shared/api/lists.ts'
import type { Rule } from '../../shared/api/rules.ts'
import type { NewWorkflow, Workflow } from '../../shared/api/workflows.ts'
import { call, callFull, may } from '../api.ts'
import { t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { useDraft } from '../ui/draft.ts'
import { useLoad } from '../ui/load.ts'
import { Field, Form, NameField, ReviewField } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { RecordList } from '../ui/record-list.tsx'

type Config = NewWorkflow['config']
type Entry = Config['rules'][number]
type Replacement = Entry['replacement']

/** The user's workflows. */
export function Workflows() {
  const words = t.value.workflow
  return (
    <RecordList<Workflow>
      screen="workflows"
      words={words}
      list={body => callFull('workflows', 'list', { body })}
      remove={({ id }) => call('workflows', 'delete', { workflow_id: id })}
      about={({ supportedAssetType }) => words.type[supportedAssetType]}
    />
  )
}

const empty: NewWorkflow = { name: '', description: '', supportedAssetType: 'DOCUMENT', config: { rules: [] } }

/** Makes or changes a workflow. What the form has no field for stays as it was. */
export function WorkflowEditor({ id }: { id: string }) {
  const words = t.value
  const isNew = id === 'create'
  const loaded = useLoad(
    () =>
      Promise.all([
        call('rules', 'list', { body: { limit: 1000 } }),
        isNew ? undefined : call('workflows', 'get', { workflow_id: id }),
        may('lists:read') ? call('lists', 'list', { body: { limit: 1000 } }) : [],
      ]),
    [id],
  )
  const { data } = loaded
  const { draft, change, begin, isChanged } = useDraft(empty)
  useEffect(() => {
    const stored = data?.[1]
    if (!stored) return
    const { name, description, supportedAssetType, config } = stored
    begin({ name, description, supportedAssetType, config })
  }, [data])
  if (!data) return <Pending of={loaded} what={words.menu.workflows} isScreen />
  const force = data[1]?.config.exclusions?.force ?? false
  const save = async () => {
    if (isNew) await call('workflows', 'create', { body: draft })
    else await call('workflows', 'update', { workflow_id: id, body: draft })
    go('workflows')
  }
  return (
    <section>
      <h1>{isNew ? words.workflow.create : draft.name}</h1>
      <Form submit={save} label={words.save} cancel="#/workflows" isChanged={isChanged}>
        <NameField name={draft.name} set={name => change({ name })} />
        <Field label={words.workflow.kind}>
          <select
            value={draft.supportedAssetType}
            onChange={event => change({ supportedAssetType: event.currentTarget.value as 'DOCUMENT' | 'TABLE' })}
          >
            <option value="DOCUMENT">{words.workflow.type.DOCUMENT}</option>
            <option value="TABLE">{words.workflow.type.TABLE}</option>
          </select>
        </Field>
        <Entries
          rules={data[0]}
          entries={draft.config.rules}
          set={entries => change({ config: { ...draft.config, rules: entries } })}
        />
        <Exclusions
          lists={data[2]}
          chosen={draft.config.exclusions?.lists ?? []}
          choose={lists => change({ config: excluding(draft.config, lists, force) })}
        />
        <ReviewField
          approvers={draft.config.review?.approvers ?? 0}
          set={approvers => change({ config: askingFor(draft.config, approvers) })}
        />
      </Form>
    </section>
  )
}

/** How long a job waits for its review if nobody has said otherwise, days. */
const REVIEW_DAYS = 7

/** The config with a review by so many persons; what it says of the time stays. */
function askingFor({ review, ...config }: Config, approvers: number): Config {
  return approvers === 0 ? config : { ...config, review: { expiresInDays: REVIEW_DAYS, ...review, approvers } }
}

/** The config with these lists as exclusions, even of what a checksum proves if `force`. */
function excluding({ exclusions: _, ...config }: Config, lists: string[], force: boolean): Config {
  return lists.length === 0 ? config : { ...config, exclusions: { lists, force } }
}

/** Lists whose values are never replaced; one that is somebody else's is named by its id. */
function Exclusions({ lists, chosen, choose }: { lists: List[]; chosen: string[]; choose(lists: string[]): void }) {
  const unknown = chosen.filter(one => !lists.some(({ id }) => id === one)).map(id => ({ id, name: id }))
  if (lists.length === 0 && unknown.length === 0) return null
  return (
    <fieldset>
      <legend>{t.value.workflow.exclusions}</legend>
      {[...lists, ...unknown].map(({ id, name }) => (
        <label key={id} class="choice">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={event => choose(event.currentTarget.checked ? [...chosen, id] : chosen.filter(one => one !== id))}
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}

function Entries({ rules, entries, set }: { rules: Rule[]; entries: Entry[]; set(entries: Entry[]): void }) {
  const words = t.value.workflow
  const first = (name: string): Replacement => ({ text: `[${name.toUpperCase().slice(0, 40)}]` })
  const add = (ruleId: string) => {
    const rule = rules.find(one => one.id === ruleId)
    if (rule)
      set([...entries, { ruleId, replacement: rule.type === 'AIMODEL' ? { text: '[{{label}}]' } : first(rule.name) }])
  }
  return (
    <fieldset>
      <legend>{words.rules}</legend>
      {entries.map((entry, index) => (
        <div key={`${entry.ruleId}${index}`} class="entry">
          <strong>{rules.find(({ id }) => id === entry.ruleId)?.name ?? entry.ruleId}</strong>
          {entry.columns ? <small class="muted">{entry.columns.join(', ')}</small> : null}
          <ReplacementField
            replacement={entry.replacement}
            set={replacement => set(entries.with(index, { ...entry, replacement }))}
          />
          <button type="button" class="plain" onClick={() => set(entries.toSpliced(index, 1))}>
            {t.value.remove}
          </button>
        </div>
      ))}
      {rules.length === 0 ? (
        <p>
          {words.noRules} <a href="#/rules/create">{t.value.rule.create}</a>
        </p>
      ) : null}
      <Field label={words.addRule}>
        <select value="" onChange={event => add(event.currentTarget.value)}>
          <option value="" />
          {rules.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
    </fieldset>
  )
}

/** Forms that the console makes; others, made elsewhere, are kept as they are. */
const forms: Record<keyof ReturnType<typeof formNames>, Replacement> = {
  text: { text: '[{{label}}]' },
  mask: { mask: { char: '*', keepFirst: 0, keepLast: 4 } },
  hash: { hash: {} },
  pseudonym: { pseudonym: {} },
  remove: { remove: {} },
}
const formNames = () => t.value.workflow.forms

function ReplacementField({ replacement, set }: { replacement: Replacement; set(replacement: Replacement): void }) {
  const words = t.value.workflow
  const [form] = Object.keys(replacement) as [string]
  return (
    <>
      <Field label={words.replacement}>
        <select value={form} onChange={event => set(forms[event.currentTarget.value as keyof typeof forms])}>
          {Object.entries(formNames()).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
          {form in forms ? null : <option value={form}>{form}</option>}
        </select>
      </Field>
      {'mask' in replacement ? (
        <small class="muted">{words.masked(replacement.mask.keepFirst ?? 0, replacement.mask.keepLast ?? 0)}</small>
      ) : null}
      {'text' in replacement ? (
        <Field label={words.forms.text}>
          <input
            maxLength={1000}
            value={replacement.text}
            onInput={event => set({ text: event.currentTarget.value })}
          />
        </Field>
      ) : null}
    </>
  )
}
