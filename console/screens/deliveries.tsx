import { meanings } from 'console-problems'
import { useState } from 'preact/hooks'
import type { Sending } from '../../shared/api/webhooks.ts'
import { type CallError, call, callFull, may } from '../api.ts'
import { dateOf, numberOf, t } from '../i18n/index.ts'
import { asCallError, useEvery, useLoad } from '../ui/load.ts'
import { Failure, Field, Form, Pager } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { Problem } from '../ui/told.tsx'

const LIMIT = 20
/** How often the list looks again while something is on its way, milliseconds. */
const LOOK_MS = 5000

const statuses = ['PENDING', 'DELIVERED', 'FAILED'] as const

/** What was sent to a webhook, newest first, and a test that is sent now. */
export function Deliveries({ webhook }: { webhook: string }) {
  const words = t.value.webhook
  const [skip, setSkip] = useState(0)
  const [status, setStatus] = useState('')
  const loaded = useLoad(
    () =>
      callFull('webhooks', 'deliveries', {
        webhook_id: webhook,
        query: { skip, limit: LIMIT, sort: '-createdAt', ...(status && { status }) },
      }),
    [webhook, skip, status],
  )
  const { data, reload } = loaded
  useEvery(data?.body.some(one => one.status === 'PENDING') ? LOOK_MS : undefined, reload)
  return (
    <>
      <h2>{words.deliveries}</h2>
      {may('webhooks:write') ? <Test webhook={webhook} reload={reload} /> : null}
      <search class="row">
        <Field label={t.value.job.progress}>
          <select
            value={status}
            onChange={event => {
              setSkip(0)
              setStatus(event.currentTarget.value)
            }}
          >
            <option value="">{t.value.job.all}</option>
            {statuses.map(one => (
              <option key={one} value={one}>
                {words.status[one]}
              </option>
            ))}
          </select>
        </Field>
      </search>
      <Pending of={loaded} what={words.deliveries} />
      {data?.body.length === 0 ? <p class="muted">{status ? t.value.noneLikeThat : words.nothingSent}</p> : null}
      <ul class="cards">
        {data?.body.map(sending => (
          <li key={sending.id}>
            <Delivery sending={sending} reload={reload} />
          </li>
        ))}
      </ul>
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
    </>
  )
}

const toneOf = { PENDING: 'in_progress', DELIVERED: 'succeeded', FAILED: 'failed' } as const

function Delivery({ sending, reload }: { sending: Sending; reload(): void }) {
  const words = t.value.webhook
  const { id, webhookId, type, status, createdAt } = sending
  const [failure, setFailure] = useState<CallError>()
  const again = () => {
    setFailure(undefined)
    const named = { webhook_id: webhookId, delivery_id: id }
    return call('webhooks', 'redeliver', named).then(reload, reason => setFailure(asCallError(reason)))
  }
  return (
    <>
      <div class="row">
        <code class="name">{type}</code>
        <span class={`status ${toneOf[status]}`}>{words.status[status]}</span>
        <span class="muted">{dateOf(createdAt)}</span>
        {may('webhooks:write') && status !== 'PENDING' ? (
          <button type="button" class="plain" aria-label={`${words.again}: ${type}`} onClick={again}>
            {words.again}
          </button>
        ) : null}
      </div>
      <Attempts of={sending} />
      <Failure error={failure} />
    </>
  )
}

/** How often it was tried, what was answered last, and when it is tried again. */
function Attempts({ of: { attempts, responseStatus, problem, milliseconds, nextAttemptAt } }: { of: Sending }) {
  const words = t.value.webhook
  const told = [
    words.attempts(attempts),
    responseStatus !== null && words.answered(responseStatus),
    milliseconds !== null && words.took(numberOf(milliseconds)),
    nextAttemptAt !== null && words.nextAt(dateOf(nextAttemptAt)),
  ]
  return (
    <p class="muted">
      {told.filter(Boolean).join(' · ')}
      {problem ? (
        <>
          {' · '}
          <Problem of={{ type: problem, msg: meanings[problem] ?? problem }} />
        </>
      ) : null}
    </p>
  )
}

/** Sends a test event once, and says what came of it. */
function Test({ webhook, reload }: { webhook: string; reload(): void }) {
  const words = t.value.webhook
  const [sent, setSent] = useState<Sending>()
  const test = async () => {
    setSent(undefined)
    setSent(await call('webhooks', 'test', { webhook_id: webhook }))
    reload()
  }
  return (
    <>
      <Form submit={test} label={words.test}>
        {null}
      </Form>
      {sent ? (
        <div role="status">
          <p class={`status ${toneOf[sent.status]}`}>{sent.status === 'DELIVERED' ? words.works : words.fails}</p>
          <Attempts of={sent} />
        </div>
      ) : null}
    </>
  )
}
