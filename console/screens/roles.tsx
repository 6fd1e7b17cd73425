import { useEffect, useState } from 'preact/hooks'
import type { Permission } from '../../shared/api/permissions.ts'
import type { NewRole, Quota, Role } from '../../shared/api/roles.ts'
import { call, callFull } from '../api.ts'
import { t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { useDraft } from '../ui/draft.ts'
import { useLoad } from '../ui/load.ts'
import { Field, Form } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { RecordList } from '../ui/record-list.tsx'
import { NewPermission, Permissions } from './permissions.tsx'

/** The roles that users can have. */
export function Roles() {
  const words = t.value.role
  return (
    <RecordList<Role>
      screen="roles"
      words={words}
      list={page => callFull('roles', 'list', { query: { ...page, sort: 'name' } })}
      remove={({ id }) => call('roles', 'delete', { role_id: id })}
      about={({ builtIn, permissions }) => (builtIn ? words.builtIn : words.count(permissions.length))}
      isFixed={({ builtIn }) => builtIn}
    />
  )
}

const empty: NewRole = { name: '', description: '', permissions: [] }

/** Makes or changes a role; those that are built in are only shown. */
export function RoleEditor({ id }: { id: string }) {
  const words = t.value
  const isNew = id === 'create'
  const loaded = useLoad(
    () =>
      Promise.all([
        call('permissions', 'list', { query: { limit: 1000, sort: 'name' } }),
        isNew ? undefined : call('roles', 'get', { role_id: id }),
      ]),
    [id],
  )
  const { data } = loaded
  const { draft, change, begin, isChanged } = useDraft(empty)
  const [own, setOwn] = useState<Permission[]>([])
  const [newName, setNewName] = useState('')
  useEffect(() => {
    const stored = data?.[1]
    if (!stored) return
    const { name, description, permissions, quota } = stored
    begin({ name, description, permissions, quota })
  }, [data])
  if (!data) return <Pending of={loaded} what={words.menu.roles} isScreen />
  const isFixed = Boolean(data[1]?.builtIn)
  const { name, description, permissions, quota = {} } = draft
  const save = async () => {
    if (isNew) await call('roles', 'create', { body: draft })
    else await call('roles', 'update', { role_id: id, body: draft })
    go('roles')
  }
  return (
    <section>
      <h1>{isNew ? words.role.create : name}</h1>
      {isFixed ? <p class="muted">{words.role.builtIn}</p> : null}
      <Form
        submit={save}
        label={words.save}
        isReady={!isFixed}
        cancel="#/roles"
        isChanged={isChanged || newName !== ''}
      >
        <fieldset class="bare" disabled={isFixed}>
          <Field label={words.name} hint={words.role.nameHint}>
            <input
              required
              maxLength={64}
              pattern="[a-z][a-z0-9_\-]*"
              value={name}
              onInput={event => change({ name: event.currentTarget.value })}
            />
          </Field>
          <Field label={words.description}>
            <input
              maxLength={2000}
              value={description}
              onInput={event => change({ description: event.currentTarget.value })}
            />
          </Field>
          <h2>{words.role.quota}</h2>
          <p class="muted">{words.role.quotaHint}</p>
          <Limit label={words.role.bytesPerDay} name="bytesPerDay" quota={quota} change={quota => change({ quota })} />
          <Limit label={words.role.jobsPerDay} name="jobsPerDay" quota={quota} change={quota => change({ quota })} />
          <h2>{words.role.permissions}</h2>
          <Permissions
            all={[...data[0], ...own]}
            chosen={permissions}
            choose={permissions => change({ permissions })}
          />
          <NewPermission
            name={newName}
            setName={setNewName}
            made={one => {
              setOwn([...own, one])
              change({ permissions: [...permissions, one.name] })
            }}
          />
        </fieldset>
      </Form>
    </section>
  )
}

type LimitProps = { label: string; name: keyof Quota; quota: Quota; change(quota: Quota): void }

/** One limit of a quota; empty for none. */
const Limit = ({ label, name, quota, change }: LimitProps) => (
  <Field label={label}>
    <input
      class="short"
      type="number"
      min={1}
      step={1}
      value={quota[name] ?? ''}
      onInput={({ currentTarget: { value } }) => {
        const { [name]: _, ...others } = quota
        change(value === '' ? others : { ...others, [name]: Number(value) })
      }}
    />
  </Field>
)
