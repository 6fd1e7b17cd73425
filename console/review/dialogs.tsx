import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { JobUnderReview } from '../../shared/api/reviews.ts'
import { t } from '../i18n/index.ts'
import { Field } from '../ui/parts.tsx'
import type { Selected } from './text-view.tsx'

/** What a finding is called, and by which rule of the job it is replaced. */
export type As = { label: string; ruleId?: string }

/** A question over the page; Escape closes it. */
export function Question({ title, label, submit, close, children }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // At once, so that what is typed next does not decide on findings.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const send = (event: Event) => {
    event.preventDefault()
    submit()
    dialog.current!.close()
  }
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="question">
      <form onSubmit={send}>
        <h2 id="question">{title}</h2>
        {children}
        <div class="row">
          <button type="submit" class="primary">
            {label}
          </button>
          <button type="button" onClick={() => dialog.current!.close()}>
            {t.value.cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}

type QuestionProps = {
  title: string
  label: string
  submit(): void
  close(): void
  children: ComponentChildren
}

/** Asks what something is, and where several rules could replace it, which one does. */
function AsFields({ as, set, labels, rules, own }: AsProps) {
  const words = t.value.review
  return (
    <>
      <Field label={t.value.found.label}>
        <input
          required
          maxLength={100}
          pattern="[\p{L}\p{N}_ \-]+"
          list="labels"
          value={as.label}
          onInput={event => set({ ...as, label: event.currentTarget.value })}
        />
      </Field>
      <datalist id="labels">
        {labels.map(label => (
          <option key={label}>{label}</option>
        ))}
      </datalist>
      {rules.length > 1 ? (
        <Field label={words.replacedBy}>
          <select
            value={as.ruleId ?? ''}
            onChange={event => set({ label: as.label, ruleId: event.currentTarget.value || undefined })}
          >
            <option value="">{own}</option>
            {rules.map(({ ruleId, name }) => (
              <option key={ruleId} value={ruleId}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      ) : null}
    </>
  )
}

type Known = { labels: string[]; rules: JobUnderReview['rules'] }
type AsProps = Known & { as: As; set(as: As): void; own: string }

/** Asks what a finding is instead, or what stands in a box that was drawn. */
export function AskLabel({ isBox, known, take, close }: AskLabelProps) {
  const words = t.value.review
  const [as, set] = useState<As>({ label: '' })
  const asked = isBox
    ? { title: words.boxTitle, label: t.value.add, own: words.firstRule }
    : { title: words.relabelTitle, label: words.keys.e, own: words.ownRule }
  return (
    <Question title={asked.title} label={asked.label} submit={() => take(as)} close={close}>
      {isBox ? <p class="muted">{words.boxNote}</p> : null}
      <AsFields as={as} set={set} {...known} own={asked.own} />
    </Question>
  )
}

type AskLabelProps = { isBox: boolean; known: Known; take(as: As): void; close(): void }

/** What is added, and where: at the place that is selected, or wherever the value stands. */
export type Added = As & { value: string; where: 'here' | 'asset' | 'job'; column?: string }

/** Asks what was missed. */
export function Add({ known, selected, columns, add, close }: AddProps) {
  const words = t.value.review
  const [as, setAs] = useState<As>({ label: '' })
  const [value, setValue] = useState(selected?.value ?? '')
  const [where, setWhere] = useState<Added['where']>(selected ? 'here' : 'asset')
  const [column, setColumn] = useState('')
  const isPlace = selected !== undefined && value === selected.value
  const ways = (['here', 'asset', 'job'] as const).filter(way => way !== 'here' || isPlace)
  const submit = () =>
    add({ ...as, value: value.trim(), where: ways.includes(where) ? where : 'asset', ...(column && { column }) })
  return (
    <Question title={words.addTitle} label={t.value.add} submit={submit} close={close}>
      <Field label={words.value} hint={words.valueHint}>
        <input required maxLength={500} value={value} onInput={event => setValue(event.currentTarget.value)} />
      </Field>
      <AsFields as={as} set={setAs} {...known} own={words.firstRule} />
      <Field label={words.reach}>
        <select
          value={ways.includes(where) ? where : 'asset'}
          onChange={event => setWhere(event.currentTarget.value as Added['where'])}
        >
          {ways.map(way => (
            <option key={way} value={way}>
              {words.scopes[way]}
            </option>
          ))}
        </select>
      </Field>
      {columns.length > 0 ? (
        <Field label={words.inColumn}>
          <input
            list="columns"
            maxLength={200}
            value={column}
            onInput={event => setColumn(event.currentTarget.value)}
          />
        </Field>
      ) : null}
      <datalist id="columns">
        {columns.map(name => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </Question>
  )
}

type AddProps = {
  known: Known
  selected: Selected | undefined
  columns: string[]
  add(added: Added): void
  close(): void
}
