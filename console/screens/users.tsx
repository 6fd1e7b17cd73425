import { useState } from 'preact/hooks'
import type { User } from '../../shared/api/users.ts'
import { type CallError, call, callFull, may, user as me } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { asCallError, together, useLoad } from '../ui/load.ts'
import { Failure, Field, Pager, sure } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'

const LIMIT = 50

/** Everybody who may log in, with what an administrator can do about them. */
export function Users() {
  const words = t.value
  const [skip, setSkip] = useState(0)
  const [search, setSearch] = useState('')
  const people = useLoad(
    () => callFull('users', 'list', { query: { skip, limit: LIMIT, ...(search && { search }) } }),
    [skip, search],
  )
  const roles = useLoad(async () => (may('roles:manage') ? call('roles', 'list', { query: { limit: 1000 } }) : []), [])
  const { data, reload } = people
  const look = (text: string) => {
    setSkip(0)
    setSearch(text)
  }
  return (
    <section>
      <h1>{words.menu.users}</h1>
      <p class="muted">{words.user.hint}</p>
      <search>
        <Field label={words.search}>
          <input type="search" value={search} onInput={event => look(event.currentTarget.value)} />
        </Field>
      </search>
      <Pending of={together(people, roles)} what={words.menu.users} />
      {data?.body.length === 0 ? <p class="muted">{words.noneLikeThat}</p> : null}
      <ul class="cards">
        {data?.body.map(one => (
          <li key={one.id}>
            <Person one={one} roles={(roles.data ?? []).map(({ name }) => name)} reload={reload} />
          </li>
        ))}
      </ul>
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
    </section>
  )
}

function Person({ one, roles, reload }: { one: User; roles: string[]; reload(): void }) {
  const words = t.value.user
  const { id: user_id, name, email, role, blocked, createdAt } = one
  const [failure, setFailure] = useState<CallError>()
  const change = (field: HTMLSelectElement) => {
    const wanted = field.value
    // Arrow keys change the field as well: nobody gets a role by accident.
    if (sure(words.roleSure(name, wanted)))
      return act(() => call('users', 'update', { user_id, body: { role: wanted } }))
    field.value = role
  }
  const act = (operation: () => Promise<unknown>) => {
    setFailure(undefined)
    return operation().then(reload, reason => setFailure(asCallError(reason)))
  }
  return (
    <>
      <div class="row">
        <strong class="name">{name}</strong>
        <span class="muted">{email}</span>
        <span class="muted">{dateOf(createdAt)}</span>
        {blocked ? <span class="status failed">{words.blocked}</span> : null}
      </div>
      {user_id === me.value!.id ? (
        <p class="muted">{words.yourself}</p>
      ) : (
        <div class="row">
          <select
            class="short"
            aria-label={`${t.value.account.role}: ${name}`}
            value={role}
            onChange={event => change(event.currentTarget)}
          >
            {[...new Set([role, ...roles])].map(known => (
              <option key={known}>{known}</option>
            ))}
          </select>
          <Powers one={one} act={act} />
        </div>
      )}
      <Failure error={failure} />
    </>
  )
}

/** Blocking, a new password, and deletion with or without what the user owns. */
function Powers({ one, act }: { one: User; act(operation: () => Promise<unknown>): Promise<unknown> }) {
  const words = t.value.user
  const { id: user_id, name, blocked } = one
  const [password, setPassword] = useState<string>()
  const reset = async () => setPassword((await call('users', 'resetPassword', { user_id, body: {} })).temporaryPassword)
  const remove = (purge: 'true' | 'false') => call('users', 'delete', { user_id, query: { purge } })
  const powers = {
    [blocked ? words.unblock : words.block]: () => call('users', 'block', { user_id, body: { blocked: !blocked } }),
    [words.reset]: async () => sure(words.resetSure(name)) && reset(),
    [t.value.remove]: async () => sure(words.removeSure(name)) && remove('false'),
    [words.purge]: async () => sure(words.purgeSure(name)) && remove('true'),
  }
  return (
    <>
      {Object.entries(powers).map(([title, operation]) => (
        <button key={title} type="button" class="plain" aria-label={`${title}: ${name}`} onClick={() => act(operation)}>
          {title}
        </button>
      ))}
      {password ? (
        <p role="status">
          {words.temporary} <code>{password}</code>
        </p>
      ) : null}
    </>
  )
}
