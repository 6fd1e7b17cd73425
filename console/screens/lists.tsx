import { useEffect } from 'preact/hooks'
import type { List } from '../../shared/api/lists.ts'
import { call, callFull, may } from '../api.ts'
import { numberOf, t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { useDraft } from '../ui/draft.ts'
import { useLoad } from '../ui/load.ts'
import { Field, Form, NameField } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { RecordList } from '../ui/record-list.tsx'
import { Values } from './list-values.tsx'

/** The user's lists of values. */
export function Lists() {
  const words = t.value.list
  return (
    <RecordList<List>
      screen="lists"
      words={words}
      list={body => callFull('lists', 'list', { body })}
      remove={({ id }) => call('lists', 'delete', { list_id: id })}
      about={({ entries }) => words.count(entries, numberOf(entries))}
    />
  )
}

const empty = { name: '', description: '' }

/** Makes a list or changes one, with the values on it. */
export function ListEditor({ id }: { id: string }) {
  const words = t.value
  const isNew = id === 'create'
  const loaded = useLoad(
    async () => ({ stored: isNew ? undefined : await call('lists', 'get', { list_id: id }) }),
    [id],
  )
  const { data } = loaded
  const { draft, change, begin, isChanged } = useDraft(empty)
  useEffect(() => {
    if (data?.stored) begin({ name: data.stored.name, description: data.stored.description })
  }, [data])
  if (!data) return <Pending of={loaded} what={words.menu.lists} isScreen />
  const save = async () => {
    if (isNew) return go('lists', (await call('lists', 'create', { body: draft })).id)
    await call('lists', 'update', { list_id: id, body: draft })
    go('lists')
  }
  return (
    <section>
      <h1>{isNew ? words.list.create : data.stored!.name}</h1>
      <p class="muted">{words.list.hint}</p>
      {isNew ? null : <Values list={id} mayChange={may('lists:write')} />}
      {isNew ? null : <h2>{words.list.settings}</h2>}
      <Form submit={save} label={words.save} cancel="#/lists" isChanged={isChanged}>
        <NameField name={draft.name} set={name => change({ name })} />
        <Field label={words.description}>
          <input
            maxLength={2000}
            value={draft.description}
            onInput={event => change({ description: event.currentTarget.value })}
          />
        </Field>
      </Form>
    </section>
  )
}
