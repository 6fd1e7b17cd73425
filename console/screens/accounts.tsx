import { useEffect, useState } from 'preact/hooks'
import { defaultPermissions, forPeople, type PermissionName } from '../../shared/api/permission-names.ts'
import type { ServiceAccount } from '../../shared/api/service-accounts.ts'
import { type CallError, call, callFull, may, user } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { useDraft } from '../ui/draft.ts'
import { linesOf } from '../ui/lines.ts'
import { asCallError, useLoad } from '../ui/load.ts'
import { Failure, Field, Form, NameField, sure } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { RecordList } from '../ui/record-list.tsx'
import { Permissions } from './permissions.tsx'

type Draft = Pick<ServiceAccount, 'name' | 'description' | 'role' | 'permissions' | 'blocked'> & { networks: string }

/** The accounts that programs call the service with. */
export function Accounts() {
  const words = t.value.accounts
  return (
    <RecordList<ServiceAccount>
      screen="accounts"
      words={words}
      list={page => callFull('serviceAccounts', 'list', { query: { ...page, sort: 'name' } })}
      remove={({ id }) => call('serviceAccounts', 'delete', { account_id: id })}
      about={({ role, blocked }) => [role, blocked && t.value.user.blocked].filter(Boolean).join(' · ')}
    />
  )
}

const empty: Draft = { name: '', description: '', role: 'user', permissions: [], blocked: false, networks: '' }

/** An account as the service takes it. */
function accountOf({ name, description, role, permissions, blocked, networks: lines }: Draft) {
  const networks = linesOf(lines)
  return { name, description, role, permissions, blocked, networks }
}

/** Makes or changes a service account; of one that is there, its keys too. */
export function AccountEditor({ id }: { id: string }) {
  const words = t.value
  const isNew = id === 'create'
  const loaded = useLoad(
    async () => ({
      stored: isNew ? undefined : await call('serviceAccounts', 'get', { account_id: id }),
      roles: may('roles:manage') ? await call('roles', 'list', { query: { limit: 1000, sort: 'name' } }) : [],
    }),
    [id],
  )
  const { data, reload } = loaded
  const { draft, change, begin, isChanged } = useDraft(empty, accountOf)
  useEffect(() => {
    if (data?.stored) begin({ ...data.stored, networks: data.stored.networks.join('\n') })
  }, [data?.stored?.id])
  if (!data) return <Pending of={loaded} what={words.menu.accounts} isScreen />
  const save = async () => {
    const { blocked, ...body } = accountOf(draft)
    if (isNew) go('accounts', (await call('serviceAccounts', 'create', { body })).id)
    else {
      await call('serviceAccounts', 'update', { account_id: id, body: { ...body, blocked } })
      go('accounts')
    }
  }
  return (
    <section>
      <h1>{isNew ? words.accounts.create : data.stored!.name}</h1>
      {isNew ? <p class="muted">{words.accounts.empty}</p> : <Keys account={data.stored!} reload={reload} />}
      <Form
        submit={save}
        label={words.save}
        isReady={draft.permissions.length > 0}
        cancel="#/accounts"
        isChanged={isChanged}
      >
        <Settings draft={draft} change={change} roles={data.roles.map(({ name }) => name)} isNew={isNew} />
      </Form>
    </section>
  )
}

/** What a permission allows; nothing of one's own. */
const about = (name: string): string => defaultPermissions[name as PermissionName] ?? ''

type SettingsProps = { draft: Draft; change(part: Partial<Draft>): void; roles: string[]; isNew: boolean }

function Settings({ draft, change, roles, isNew }: SettingsProps) {
  const words = t.value
  const { name, description, role, permissions, blocked, networks } = draft
  const own = (user.value?.permissions ?? []).filter(one => !forPeople.has(one))
  return (
    <>
      <NameField name={name} set={name => change({ name })} />
      <Field label={words.description}>
        <input
          maxLength={2000}
          value={description}
          onInput={event => change({ description: event.currentTarget.value })}
        />
      </Field>
      <Field label={words.account.role}>
        <select value={role} onChange={event => change({ role: event.currentTarget.value })}>
          {[...new Set([role, ...roles])].map(known => (
            <option key={known}>{known}</option>
          ))}
        </select>
      </Field>
      <Field label={words.accounts.networks} hint={words.accounts.networksHint}>
        <textarea
          rows={2}
          class="code"
          spellcheck={false}
          value={networks}
          onInput={event => change({ networks: event.currentTarget.value })}
        />
      </Field>
      <fieldset>
        <legend>{words.role.permissions}</legend>
        <p class="muted">{words.accounts.permissionsHint}</p>
        <Permissions
          all={[...new Set([...own, ...permissions])]
            .sort()
            .map(name => ({ id: name, name, description: about(name) }))}
          chosen={permissions}
          choose={permissions => change({ permissions })}
        />
      </fieldset>
      {isNew ? null : (
        <label class="choice">
          <input
            type="checkbox"
            checked={blocked}
            onChange={event => change({ blocked: event.currentTarget.checked })}
          />
          {words.user.blocked}
        </label>
      )}
    </>
  )
}

/** The keys of an account, without the keys themselves: one is shown when it is made, and never again. */
function Keys({ account: { id: account_id, keys }, reload }: { account: ServiceAccount; reload(): void }) {
  const words = t.value.accounts
  const [days, setDays] = useState('90')
  const [made, setMade] = useState<string>()
  const make = async () => {
    const body = { expiresInDays: Number(days) }
    setMade((await call('serviceAccounts', 'createKey', { account_id, body })).key)
    reload()
  }
  return (
    <>
      <h2>{words.keys}</h2>
      {keys.length === 0 ? <p class="muted">{words.noKeys}</p> : null}
      <ul class="cards">
        {keys.map(key => (
          <li key={key.id}>
            <Key account_id={account_id} keyOf={key} reload={reload} />
          </li>
        ))}
      </ul>
      <Form submit={make} label={words.createKey}>
        <Field label={words.days}>
          <input
            required
            class="short"
            type="number"
            min={1}
            max={365}
            value={days}
            onInput={event => setDays(event.currentTarget.value)}
          />
        </Field>
      </Form>
      {made ? (
        <p role="status" class="note">
          {words.shownOnce} <code>{made}</code>
        </p>
      ) : null}
    </>
  )
}

type KeyProps = { account_id: string; keyOf: ServiceAccount['keys'][number]; reload(): void }

function Key({ account_id, keyOf: { id, createdAt, expiresAt, revokedAt }, reload }: KeyProps) {
  const words = t.value.accounts
  const [failure, setFailure] = useState<CallError>()
  const isOver = revokedAt !== null || new Date(expiresAt) <= new Date()
  const revoke = async () => {
    if (!sure(words.revokeSure)) return
    await call('serviceAccounts', 'revokeKeys', { account_id, body: { keyIds: [id] } })
    reload()
  }
  const told = revokedAt ? words.revoked(dateOf(revokedAt)) : words.until(dateOf(createdAt), dateOf(expiresAt))
  return isOver ? (
    <p class="muted">{told}</p>
  ) : (
    <>
      <div class="row">
        <span class="name">{told}</span>
        <button type="button" class="plain" onClick={() => revoke().catch(reason => setFailure(asCallError(reason)))}>
          {words.revoke}
        </button>
      </div>
      <Failure error={failure} />
    </>
  )
}
