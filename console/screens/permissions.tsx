import { useState } from 'preact/hooks'
import type { Permission } from '../../shared/api/permissions.ts'
import { type CallError, call } from '../api.ts'
import { t } from '../i18n/index.ts'
import { asCallError } from '../ui/load.ts'
import { Failure, Field } from '../ui/parts.tsx'

type Shown = Pick<Permission, 'id' | 'name' | 'description'>
type Chosen = { all: Shown[]; chosen: string[]; choose(names: string[]): void }

/** Permissions to tick, by what they are for; each group can be ticked as a whole. */
export function Permissions({ all, chosen, choose }: Chosen) {
  const groups = Object.groupBy(all, ({ name }) => name.split(':')[0]!)
  return (
    <>
      {Object.entries(groups).map(([resource, members]) => (
        <Group key={resource} resource={resource} all={members!} chosen={chosen} choose={choose} />
      ))}
    </>
  )
}

function Group({ resource, all, chosen, choose }: Chosen & { resource: string }) {
  const words = t.value.permission
  const names = all.map(({ name }) => name)
  const ticked = names.filter(name => chosen.includes(name)).length
  const set = (some: string[], isOn: boolean) =>
    choose([...chosen.filter(name => !some.includes(name)), ...(isOn ? some : [])])
  const title = words.groups[resource] ?? resource
  return (
    <fieldset>
      <legend>{title}</legend>
      {all.length > 1 ? (
        <label class="line">
          <input
            type="checkbox"
            checked={ticked === all.length}
            ref={box => {
              if (box) box.indeterminate = ticked > 0 && ticked < all.length
            }}
            onChange={event => set(names, event.currentTarget.checked)}
          />{' '}
          {words.whole(title)}
        </label>
      ) : null}
      {all.map(({ id, name, description }) => (
        <label key={id} class="line">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={event => set([name], event.currentTarget.checked)}
          />{' '}
          <code>{name}</code> <span class="muted">{words.about[name] ?? description}</span>
        </label>
      ))}
    </fieldset>
  )
}

type NewPermissionProps = { name: string; setName(name: string): void; made(permission: Permission): void }

/** Makes a permission of one's own, which other systems read from the roles that have it. */
export function NewPermission({ name, setName, made }: NewPermissionProps) {
  const words = t.value.permission
  const [error, setError] = useState<CallError>()
  const make = async () => {
    setError(undefined)
    try {
      made(await call('permissions', 'create', { body: { name, description: '' } }))
      setName('')
    } catch (reason) {
      setError(asCallError(reason))
    }
  }
  return (
    <details>
      <summary>{words.own}</summary>
      <Field label={words.called} hint={words.ownHint}>
        <input
          maxLength={64}
          placeholder="reports:read"
          value={name}
          onInput={event => setName(event.currentTarget.value)}
        />
      </Field>
      <Failure error={error} />
      <button type="button" disabled={name === ''} onClick={make}>
        {words.make}
      </button>
    </details>
  )
}
