import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CallError } from '../api.ts'
import { t } from '../i18n/index.ts'
import { useUnsaved } from '../unsaved.ts'
import { asCallError } from './load.ts'
import { Problem } from './told.tsx'

/** Why something failed: every problem that the service named, with its place. */
export function Failure({ error, title = t.value.failed }: { error: CallError | undefined; title?: string }) {
  if (!error) return null
  const { offline, noReason } = t.value
  return (
    <div class="failure" role="alert">
      <strong>{title}</strong>
      {error.status === 0 ? <p>{offline}</p> : error.detail.length === 0 ? <p>{noReason(error.status)}</p> : null}
      {error.detail.map(({ loc, msg, type }) => (
        <p key={loc.join('.') + msg}>
          <Problem of={{ type, msg }} /> {loc.length > 1 ? <code>{loc.slice(1).join('.')}</code> : null}
        </p>
      ))}
    </div>
  )
}

export const Loading = () => <p class="muted">{t.value.loading}</p>

/** What stands where there is nothing yet: what would be here, and how it comes here. */
export const Empty = ({ text, action, to }: { text: string; action: string; to: string }) => (
  <div class="empty">
    <p>{text}</p>
    <a class="button primary" href={to}>
      {action}
    </a>
  </div>
)

/** A labelled control. */
export const Field = ({
  label,
  hint,
  children,
}: {
  label: string
  hint?: ComponentChildren
  children: ComponentChildren
}) => (
  <label class="field">
    <span>{label}</span>
    {children}
    {hint ? <small class="muted">{hint}</small> : null}
  </label>
)

/** The name of a record. */
export const NameField = ({ name, set }: { name: string; set(name: string): void }) => (
  <Field label={t.value.name}>
    <input required maxLength={200} value={name} onInput={event => set(event.currentTarget.value)} />
  </Field>
)

/** A field for the password of somebody who has one, or for one that is chosen now. */
export const PasswordField = ({ label, value, set, isNew }: PasswordProps) => (
  <Field label={label} hint={isNew ? t.value.login.passwordHint : undefined}>
    <input
      required
      type="password"
      autocomplete={isNew ? 'new-password' : 'current-password'}
      minLength={isNew ? 12 : 1}
      value={value}
      onInput={event => set(event.currentTarget.value)}
    />
  </Field>
)

type PasswordProps = { label: string; value: string; set(value: string): void; isNew?: boolean }

/** A form that runs `submit`, shows what went wrong, and can't be sent twice at once. Whoever would lose changes by leaving is asked first. */
export function Form({
  submit,
  label,
  children,
  extra,
  cancel,
  isReady = true,
  isChanged = false,
}: {
  submit: () => Promise<unknown>
  label: string
  children: ComponentChildren
  extra?: ComponentChildren
  /** Where it leads to give up what the form holds. */
  cancel?: string
  isReady?: boolean
  isChanged?: boolean
}) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<CallError>()
  const settle = useUnsaved(isChanged)
  const run = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    // Before the browser tells of another address.
    await submit().then(settle, reason => setError(asCallError(reason)))
    setBusy(false)
  }
  return (
    <form onSubmit={run}>
      {children}
      <Failure error={error} />
      <div class="row">
        <button type="submit" class="primary" disabled={busy || !isReady}>
          {label}
        </button>
        {extra}
        {cancel ? (
          <a href={cancel} onClick={event => isHere(event) && settle()}>
            {t.value.cancel}
          </a>
        ) : null}
      </div>
    </form>
  )
}

/** Whether a click on a link leads away from here, and not to another tab. */
const isHere = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) => !ctrlKey && !metaKey && !shiftKey

/** Asks how many persons must release what is made; 0 for no review. */
export function ReviewField({ approvers, set }: { approvers: number; set(approvers: number): void }) {
  const { asked, approvers: ways } = t.value.review
  return (
    <Field label={asked}>
      <select value={approvers} onChange={event => set(Number(event.currentTarget.value))}>
        {ways.map((way, count) => (
          <option key={way} value={count}>
            {way}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** Newer and older pages of a list, once it is known how many records there are; never one behind the last. */
export function Pager({
  skip,
  limit,
  total,
  go,
}: {
  skip: number
  limit: number
  total: number | undefined
  go(skip: number): void
}) {
  useEffect(() => {
    if (total !== undefined && skip > 0 && skip >= total) go(Math.max(0, limit * (Math.ceil(total / limit) - 1)))
  }, [skip, total])
  if (total === undefined || total <= limit) return null
  const { previous, next, shown } = t.value
  return (
    <nav class="row pager" aria-label={shown(skip + 1, Math.min(total, skip + limit), total)}>
      <button type="button" disabled={skip === 0} onClick={() => go(Math.max(0, skip - limit))}>
        {previous}
      </button>
      <span class="muted">{shown(skip + 1, Math.min(total, skip + limit), total)}</span>
      <button type="button" disabled={skip + limit >= total} onClick={() => go(skip + limit)}>
        {next}
      </button>
    </nav>
  )
}

/** Bars for counts, the largest as wide as there is room; each is also there as text. */
export function Bars({ counts }: { counts: { label: string; count: number }[] }) {
  const largest = Math.max(1, ...counts.map(({ count }) => count))
  return (
    <table class="bars">
      <tbody>
        {counts.map(({ label, count }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>
              <svg width="100%" height="12" aria-hidden="true">
                <rect width={`${(100 * count) / largest}%`} height="12" rx="3" />
              </svg>
            </td>
            <td class="number">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A question whose answer can't be undone, asked by the browser's own dialog. */
export const sure = (question: string): boolean => confirm(question)
