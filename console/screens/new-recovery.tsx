import type { NewReidentification } from '../../shared/api/reidentifications.ts'
import { may } from '../api.ts'
import { t } from '../i18n/index.ts'
import { useDraft } from '../ui/draft.ts'
import { linesOf } from '../ui/lines.ts'
import { Field, Form } from '../ui/parts.tsx'

type Draft = Record<'purpose' | 'reason' | 'legalBasis' | 'ticket' | 'tokens' | 'place' | 'record', string> & {
  emergency: boolean
}

const empty: Draft = {
  purpose: 'care',
  reason: '',
  legalBasis: '',
  ticket: '',
  tokens: '',
  place: 'jobId',
  record: '',
  emergency: false,
}

/** What a form asks for, as the service takes it. */
function requestOf({ purpose, reason, legalBasis, ticket, tokens, place, record, emergency }: Draft) {
  const listed = linesOf(tokens)
  return {
    purpose,
    reason,
    ...(legalBasis && { legalBasis }),
    ...(ticket && { ticket }),
    ...(listed.length > 0 && { tokens: listed }),
    ...(record && { [place]: record.trim() }),
    ...(emergency && { emergency }),
  } as NewReidentification
}

/** Asks for the values of tokens, or for files with their values restored. */
export function NewRecovery({ send }: { send(body: NewReidentification): Promise<void> }) {
  const words = t.value.recovery
  const { draft, change, isChanged } = useDraft(empty, requestOf)
  const line = (name: 'legalBasis' | 'ticket', label: string, most: number) => (
    <Field label={t.value.source.optional(label)}>
      <input maxLength={most} value={draft[name]} onInput={event => change({ [name]: event.currentTarget.value })} />
    </Field>
  )
  return (
    <section>
      <h1>{words.create}</h1>
      <p class="muted">{words.hint}</p>
      <Form submit={() => send(requestOf(draft))} label={words.ask} cancel="#/recoveries" isChanged={isChanged}>
        <Field label={words.purpose}>
          <select value={draft.purpose} onChange={event => change({ purpose: event.currentTarget.value })}>
            {Object.entries(words.purposes).map(([purpose, title]) => (
              <option key={purpose} value={purpose}>
                {title}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.reason} hint={words.reasonHint}>
          <input
            required
            maxLength={1000}
            value={draft.reason}
            onInput={event => change({ reason: event.currentTarget.value })}
          />
        </Field>
        {line('legalBasis', words.legalBasis, 200)}
        {line('ticket', words.ticket, 100)}
        <What draft={draft} change={change} />
        {may('tokens:emergency') ? (
          <label class="choice">
            <input
              type="checkbox"
              checked={draft.emergency}
              onChange={event => change({ emergency: event.currentTarget.checked })}
            />
            {words.emergencyHint}
          </label>
        ) : null}
      </Form>
    </section>
  )
}

/** Tokens, the job or file whose they are, or both. */
function What({ draft, change }: { draft: Draft; change(part: Partial<Draft>): void }) {
  const words = t.value.recovery
  return (
    <>
      <Field label={t.value.source.optional(words.tokens)} hint={words.tokensHint}>
        <textarea
          rows={4}
          class="code"
          spellcheck={false}
          autocomplete="off"
          value={draft.tokens}
          onInput={event => change({ tokens: event.currentTarget.value })}
        />
      </Field>
      <div class="entry">
        <Field label={words.place}>
          <select value={draft.place} onChange={event => change({ place: event.currentTarget.value })}>
            <option value="jobId">{words.job}</option>
            <option value="assetId">{words.asset}</option>
          </select>
        </Field>
        <Field label={t.value.source.optional('ID')}>
          <input
            maxLength={36}
            spellcheck={false}
            value={draft.record}
            onInput={event => change({ record: event.currentTarget.value })}
          />
        </Field>
      </div>
    </>
  )
}
