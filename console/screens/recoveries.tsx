import { useState } from 'preact/hooks'
import type { NewReidentification, Reidentification } from '../../shared/api/reidentifications.ts'
import { type CallError, call, callFull, may, user } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { asCallError, useLoad } from '../ui/load.ts'
import { Empty, Failure, Field, Form, Pager } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { NewRecovery } from './new-recovery.tsx'

const LIMIT = 20

/** Requests to recover values: one's own, and those of others for whoever decides on them. */
export function Recoveries() {
  const words = t.value
  const [skip, setSkip] = useState(0)
  const loaded = useLoad(() => callFull('reidentifications', 'list', { body: { skip, limit: LIMIT } }), [skip])
  const { data } = loaded
  return (
    <section>
      <h1>{words.menu.recoveries}</h1>
      {may('tokens:request') ? (
        data?.total === 0 ? (
          <Empty text={words.recovery.empty} action={words.recovery.create} to="#/recoveries/create" />
        ) : (
          <p>
            <a class="button primary" href="#/recoveries/create">
              {words.recovery.create}
            </a>
          </p>
        )
      ) : null}
      <Pending of={loaded} what={words.menu.recoveries} />
      {data?.total === 0 && !may('tokens:request') ? <p class="muted">{words.recovery.empty}</p> : null}
      <ul class="cards">
        {data?.body.map(({ id, reason, status, purpose, ownerId, createdAt }) => (
          <li key={id}>
            <div class="row">
              <a class="name" href={`#/recoveries/${id}`}>
                {reason}
              </a>
              <span>{words.recovery.status[status]}</span>
            </div>
            <p class="muted">
              {[words.recovery.purposes[purpose], ownerId === user.value!.id && words.review.you, dateOf(createdAt)]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
    </section>
  )
}

/** One request: makes it, shows how far it is, decides on it, opens it. */
export function Recovery({ id }: { id: string }) {
  const loaded = useLoad(
    async () => (id === 'create' ? 'new' : call('reidentifications', 'get', { reidentification_id: id })),
    [id],
  )
  const { data, reload } = loaded
  if (!data) return <Pending of={loaded} what={t.value.menu.recoveries} isScreen />
  const send = async (body: NewReidentification) =>
    go('recoveries', (await call('reidentifications', 'create', { body })).id)
  if (data === 'new') return <NewRecovery send={send} />
  return <Shown request={data} reload={reload} />
}

function Shown({ request, reload }: { request: Reidentification; reload(): void }) {
  const words = t.value.recovery
  const { ownerId, status, reason, purpose, legalBasis, ticket, tokenCount, labels } = request
  const { jobId, assetId, approvals, approvalsNeeded, expiresAt, emergency, restoredJobId } = request
  const told: [title: string, value: string | number | null | undefined][] = [
    [words.purpose, words.purposes[purpose]],
    [words.legalBasis, legalBasis],
    [words.ticket, ticket],
    [words.values, tokenCount],
    [words.job, jobId],
    [words.asset, assetId],
    [words.labels, labels?.join(', ')],
    [words.approvals, `${approvals.length} / ${approvalsNeeded}`],
    [words.until, status === 'PENDING' || status === 'APPROVED' ? dateOf(expiresAt) : null],
  ]
  const isOwn = ownerId === user.value!.id
  return (
    <section>
      <h1>{reason}</h1>
      <p class="row">
        <strong>{words.status[status]}</strong>
        {emergency ? <span class="status failed">{words.emergency}</span> : null}
      </p>
      <dl>
        {told.map(([title, value]) =>
          value == null ? null : (
            <>
              <dt>{title}</dt>
              <dd>{value}</dd>
            </>
          ),
        )}
      </dl>
      {restoredJobId ? <a href={`#/jobs/${restoredJobId}`}>{words.restored}</a> : null}
      {status === 'PENDING' && !isOwn && may('tokens:approve') ? <Decide request={request} reload={reload} /> : null}
      {status === 'PENDING' && isOwn ? <p class="muted">{words.waits}</p> : null}
      {isOwn && (status === 'APPROVED' || status === 'OPENED') ? <Open request={request} reload={reload} /> : null}
    </section>
  )
}

/** Approval, of some kinds of values only where they are named, or rejection. */
function Decide({ request: { id, labels }, reload }: { request: Reidentification; reload(): void }) {
  const words = t.value.recovery
  const [only, setOnly] = useState(labels?.join(' ') ?? '')
  const [failure, setFailure] = useState<CallError>()
  const named = only.split(/[\s,]+/).filter(Boolean)
  const approve = async () => {
    const body = named.length > 0 ? { labels: named } : {}
    await call('reidentifications', 'approve', { reidentification_id: id, body })
    reload()
  }
  const reject = () =>
    call('reidentifications', 'reject', { reidentification_id: id }).then(reload, reason =>
      setFailure(asCallError(reason)),
    )
  return (
    <Form
      submit={approve}
      label={words.approve}
      isChanged={only !== (labels?.join(' ') ?? '')}
      extra={
        <button type="button" onClick={reject}>
          {words.reject}
        </button>
      }
    >
      <Field label={words.labels} hint={words.labelsHint}>
        <input maxLength={2000} value={only} onInput={event => setOnly(event.currentTarget.value)} />
      </Field>
      <Failure error={failure} />
    </Form>
  )
}

type Values = Awaited<ReturnType<typeof call<'reidentifications', 'open'>>>['values']

/** Opens an approved request, once. The values are shown until this screen is left, and kept nowhere. */
function Open({ request: { id, status, tokenCount }, reload }: { request: Reidentification; reload(): void }) {
  const words = t.value.recovery
  const [values, setValues] = useState<Values>()
  const open = async () => {
    setValues((await call('reidentifications', 'open', { reidentification_id: id })).values)
    reload()
  }
  return (
    <>
      {status === 'APPROVED' ? (
        <Form submit={open} label={tokenCount === null ? words.restore : words.open}>
          <p class="note">{words.openNote}</p>
        </Form>
      ) : null}
      {values && values.length > 0 ? (
        <section class="scroll" role="status" tabIndex={0} aria-label={words.values}>
          <table>
            <tbody>
              {values.map(({ token, value }, index) => (
                <tr key={`${token}${index}`}>
                  <td>
                    <code>{token}</code>
                  </td>
                  <td>{value ?? <span class="muted">{words.noValue}</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
    </>
  )
}
