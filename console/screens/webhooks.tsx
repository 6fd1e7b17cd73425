import { eventTitles } from 'console-events'
import { useEffect, useState } from 'preact/hooks'
import type { NewWebhook, Webhook, WebhookChanges } from '../../shared/api/webhooks.ts'
import { call, callFull, may } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { useDraft } from '../ui/draft.ts'
import { useLoad } from '../ui/load.ts'
import { Field, Form, NameField } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { RecordList } from '../ui/record-list.tsx'
import { Deliveries } from './deliveries.tsx'

/** The user's webhooks. */
export function Webhooks() {
  const words = t.value.webhook
  return (
    <RecordList<Webhook>
      screen="webhooks"
      words={words}
      list={query => callFull('webhooks', 'list', { query })}
      remove={({ id }) => call('webhooks', 'delete', { webhook_id: id })}
      about={webhook => [webhook.url, stateOf(webhook)].filter(Boolean).join(' · ')}
    />
  )
}

/** What keeps a webhook from being called, or soon will. */
function stateOf({ enabled, disabledBecause, failingSince }: Webhook): string | undefined {
  const words = t.value.webhook
  if (disabledBecause) return words.disabledBecause[disabledBecause]
  if (!enabled) return words.disabled
  return failingSince ? words.failingSince(dateOf(failingSince)) : undefined
}

type Draft = Pick<NewWebhook, 'name' | 'url' | 'scope' | 'signing' | 'enabled'> & { events: string[] }

const empty: Draft = { name: '', url: '', events: ['*'], scope: 'own', signing: 'hmac', enabled: true }

/** What a receiver needs to check signatures. */
type Key = Awaited<ReturnType<typeof call<'webhooks', 'create'>>>

/** Makes a webhook or changes one, which can be tried and given a new key, and shows what was sent to it. */
export function WebhookEditor({ id }: { id: string }) {
  const words = t.value
  const isNew = id === 'create'
  const loaded = useLoad(
    async () => ({ stored: isNew ? undefined : await call('webhooks', 'get', { webhook_id: id }) }),
    [id],
  )
  const { data, reload } = loaded
  const [made, setMade] = useState<Key>()
  const { draft, change, begin, changes, isChanged } = useDraft(empty)
  useEffect(() => {
    if (!data?.stored) return
    const { name, url, events, scope, signing, enabled } = data.stored
    begin({ name, url, events, scope, signing, enabled })
  }, [data?.stored?.id])
  if (!data) return <Pending of={loaded} what={words.menu.webhooks} isScreen />
  if (made) return <Made webhook={made} />
  const save = async () => {
    if (isNew) return setMade(await call('webhooks', 'create', { body: draft as NewWebhook }))
    // To be enabled once more would make it forget how long it has failed.
    await call('webhooks', 'update', { webhook_id: id, body: changes() as WebhookChanges })
    go('webhooks')
  }
  return (
    <section>
      <h1>{isNew ? words.webhook.create : data.stored!.name}</h1>
      <p class="muted">{words.webhook.hint}</p>
      {isNew ? null : <State webhook={data.stored!} />}
      <Form
        submit={save}
        label={words.save}
        cancel="#/webhooks"
        isReady={draft.events.length > 0}
        isChanged={isChanged}
      >
        <Settings draft={draft} change={change} isNew={isNew} />
      </Form>
      {isNew ? null : <NewKey webhook={data.stored!} reload={reload} />}
      {isNew ? null : <Deliveries webhook={id} />}
    </section>
  )
}

function State({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook)
  return state ? (
    <p class="note" role="status">
      {state}
    </p>
  ) : null
}

type Fields = { draft: Draft; change(part: Partial<Draft>): void }

function Settings({ draft, change, isNew }: Fields & { isNew: boolean }) {
  const words = t.value.webhook
  return (
    <>
      <NameField name={draft.name} set={name => change({ name })} />
      <Field label={words.url} hint={words.urlHint}>
        <input
          required
          type="url"
          maxLength={2000}
          placeholder="https://example.org/hooks"
          value={draft.url}
          onInput={event => change({ url: event.currentTarget.value })}
        />
      </Field>
      <Events chosen={draft.events} choose={events => change({ events })} />
      {isNew ? <AtCreation draft={draft} change={change} /> : null}
      {isNew ? null : (
        <label class="choice">
          <input
            type="checkbox"
            checked={draft.enabled}
            onChange={event => change({ enabled: event.currentTarget.checked })}
          />
          {words.enabled}
        </label>
      )}
    </>
  )
}

/** What can't be changed later: whose events, and how they are signed. */
function AtCreation({ draft, change }: Fields) {
  const words = t.value.webhook
  return (
    <>
      {may('webhooks:any') ? (
        <Field label={words.scope}>
          <select
            value={draft.scope}
            onChange={event => change({ scope: event.currentTarget.value as Draft['scope'] })}
          >
            <option value="own">{words.scopes.own}</option>
            <option value="all">{words.scopes.all}</option>
          </select>
        </Field>
      ) : null}
      <Field label={words.signing} hint={words.signingHint}>
        <select
          value={draft.signing}
          onChange={event => change({ signing: event.currentTarget.value as Draft['signing'] })}
        >
          <option value="hmac">{words.signings.hmac}</option>
          <option value="ed25519">{words.signings.ed25519}</option>
        </select>
      </Field>
    </>
  )
}

const titleOf = (name: string): string => t.value.events[name]?.[0] ?? eventTitles[name] ?? name

/** Events to tick: all there are, or some; families that were named elsewhere are shown by their events. */
function Events({ chosen, choose }: { chosen: string[]; choose(events: string[]): void }) {
  const words = t.value.webhook
  const isAll = chosen.includes('*')
  const isOn = (name: string) => chosen.includes(name) || chosen.includes(name.replace(/\..*/, '.*'))
  const names = Object.keys(eventTitles)
  const toggle = (name: string) => choose(names.filter(one => (one === name ? !isOn(one) : isOn(one))))
  return (
    <fieldset>
      <legend>{words.events}</legend>
      <label class="line">
        <input type="checkbox" checked={isAll} onChange={() => choose(isAll ? [] : ['*'])} /> {words.all}
      </label>
      {isAll
        ? null
        : names.map(name => (
            <label key={name} class="line">
              <input type="checkbox" checked={isOn(name)} onChange={() => toggle(name)} /> {titleOf(name)}{' '}
              <code class="muted">{name}</code>
            </label>
          ))}
    </fieldset>
  )
}

/** A webhook that was made just now, with its secret, which is shown this once. */
const Made = ({ webhook }: { webhook: Key }) => (
  <section>
    <h1>{webhook.name}</h1>
    <KeyShown of={webhook} />
    <p>
      <a class="button primary" href={`#/webhooks/${webhook.id}`}>
        {t.value.webhook.goOn}
      </a>
    </p>
  </section>
)

const KeyShown = ({ of: { secret, publicKey } }: { of: Key }) => (
  <p role="status" class="note">
    {secret ? t.value.webhook.shownOnce : t.value.webhook.publicKey} <code>{secret ?? publicKey}</code>
  </p>
)

/** The public key, and another secret or key in place of the one there is. */
function NewKey({ webhook: { id, publicKey, previousKeyUntil }, reload }: { webhook: Webhook; reload(): void }) {
  const words = t.value.webhook
  const [hours, setHours] = useState('24')
  const [made, setMade] = useState<Key>()
  const rotate = async () => {
    setMade(await call('webhooks', 'rotate', { webhook_id: id, body: { overlapHours: Number(hours) } }))
    reload()
  }
  const isOverlapping = previousKeyUntil !== null && new Date(previousKeyUntil) > new Date()
  return (
    <>
      <h2>{words.key}</h2>
      {publicKey && !made ? (
        <p>
          {words.publicKey} <code>{publicKey}</code>
        </p>
      ) : null}
      {isOverlapping ? <p class="muted">{words.previousUntil(dateOf(previousKeyUntil))}</p> : null}
      <Form submit={rotate} label={words.rotate}>
        <Field label={words.overlap} hint={words.overlapHint}>
          <input
            required
            class="short"
            type="number"
            min={0}
            max={168}
            value={hours}
            onInput={event => setHours(event.currentTarget.value)}
          />
        </Field>
      </Form>
      {made ? <KeyShown of={made} /> : null}
    </>
  )
}
