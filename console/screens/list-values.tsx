import { useState } from 'preact/hooks'
import type { Entry } from '../../shared/api/lists.ts'
import { type CallError, call, callFull } from '../api.ts'
import { dateOf, numberOf, t } from '../i18n/index.ts'
import { keepOpen } from '../idle.ts'
import { linesOf } from '../ui/lines.ts'
import { asCallError, useLoad } from '../ui/load.ts'
import { Failure, Field, Form, Pager, sure } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'

const LIMIT = 50
/** Values and characters that one call adds. */
const AT_ONCE = { values: 10_000, characters: 1_000_000 }

const matches = ['word', 'case', 'exact', 'inflected', 'fuzzy', 'pattern'] as const

/** The values on a list, in the order in which they were added; those who may, add and remove some. */
export function Values({ list, mayChange }: { list: string; mayChange: boolean }) {
  const words = t.value
  const [skip, setSkip] = useState(0)
  const [search, setSearch] = useState('')
  const loaded = useLoad(
    () => callFull('lists', 'entries', { list_id: list, body: { skip, limit: LIMIT, ...(search && { search }) } }),
    [list, skip, search],
  )
  const { data, reload } = loaded
  const look = (text: string) => {
    setSkip(0)
    setSearch(text)
  }
  return (
    <>
      <h2>{words.list.values}</h2>
      {mayChange ? <AddValues list={list} reload={reload} /> : null}
      {search || data?.total ? (
        <search class="row">
          <Field label={words.search}>
            {/* Each look is in the audit trail, so not one for each letter. */}
            <input type="search" value={search} onChange={event => look(event.currentTarget.value)} />
          </Field>
        </search>
      ) : null}
      <Pending of={loaded} what={words.list.values} />
      {data?.total === 0 ? <p class="muted">{search ? words.noneLikeThat : words.list.none}</p> : null}
      <ul class="cards">
        {data?.body.map(entry => (
          <li key={`${entry.match}\n${entry.value}`}>
            <Value list={list} entry={entry} reload={mayChange ? reload : undefined} />
          </li>
        ))}
      </ul>
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
    </>
  )
}

type ValueProps = { list: string; entry: Entry; reload: (() => void) | undefined }

function Value({ list, entry: { value, match, until, why }, reload }: ValueProps) {
  const words = t.value
  const [failure, setFailure] = useState<CallError>()
  const told = [words.list.matches[match], until && words.list.until(dateOf(until)), why]
  const remove = async () => {
    if (!sure(words.list.takeSure(value))) return
    setFailure(undefined)
    const body = { entries: [{ value, match }] }
    await call('lists', 'remove', { list_id: list, body }).then(reload, reason => setFailure(asCallError(reason)))
  }
  return (
    <>
      <div class="row">
        <strong class="name">{value}</strong>
        <span class="muted">{told.filter(Boolean).join(' · ')}</span>
        {reload ? (
          <button type="button" class="plain" aria-label={`${words.remove}: ${value}`} onClick={remove}>
            {words.remove}
          </button>
        ) : null}
      </div>
      <Failure error={failure} />
    </>
  )
}

type Draft = { text: string; match: Entry['match']; until: string; why: string }

const empty: Draft = { text: '', match: 'word', until: '', why: '' }

/** Values in as many parts as calls are needed, each with so many characters besides. */
function* partsOf(values: string[], besides: number): Generator<string[]> {
  let part: string[] = []
  let characters = 0
  for (const value of values) {
    if (part.length === AT_ONCE.values || characters + value.length + besides > AT_ONCE.characters) {
      yield part
      ;[part, characters] = [[], 0]
    }
    part.push(value)
    characters += value.length + besides
  }
  yield part
}

/** Adds values that are typed or pasted, one a line, or those of a file. */
function AddValues({ list, reload }: { list: string; reload(): void }) {
  const words = t.value.list
  const [draft, setDraft] = useState(empty)
  const [added, setAdded] = useState<number>()
  const change = (part: Partial<Draft>) => setDraft(now => ({ ...now, ...part }))
  const { text, match, until, why } = draft
  const values = [...new Set(linesOf(text))]
  const add = async () => {
    setAdded(undefined)
    const settings = { match, ...(until && { until: new Date(until).toISOString() }), ...(why && { why }) }
    await keepOpen(async () => {
      for (const part of partsOf(values, JSON.stringify(settings).length)) {
        const entries = part.map(value => ({ value, ...settings }))
        await call('lists', 'add', { list_id: list, body: { entries } })
      }
    })
    setAdded(values.length)
    // What was typed meanwhile stays.
    setDraft(now => (now.text === text ? { ...empty, match } : now))
    reload()
  }
  return (
    <Form
      submit={add}
      label={words.add(values.length, numberOf(values.length))}
      isReady={values.length > 0}
      isChanged={text !== ''}
    >
      <Field label={words.newValues} hint={words.newHint}>
        <textarea
          rows={4}
          spellcheck={false}
          value={text}
          onInput={event => change({ text: event.currentTarget.value })}
        />
      </Field>
      <FromFile take={text => change({ text })} />
      <Field label={words.match} hint={words.matchHints[match]}>
        <select value={match} onChange={event => change({ match: event.currentTarget.value as Entry['match'] })}>
          {matches.map(one => (
            <option key={one} value={one}>
              {words.matches[one]}
            </option>
          ))}
        </select>
      </Field>
      <Field label={words.validUntil}>
        <input
          class="short"
          type="datetime-local"
          value={until}
          onInput={event => change({ until: event.currentTarget.value })}
        />
      </Field>
      <Field label={words.why}>
        <input maxLength={500} value={why} onInput={event => change({ why: event.currentTarget.value })} />
      </Field>
      {added === undefined ? null : <p role="status">{words.added(added, numberOf(added))}</p>}
    </Form>
  )
}

/** Reads the values of a text file, one a line. */
const FromFile = ({ take }: { take(text: string): void }) => (
  <Field label={t.value.list.file}>
    <input
      type="file"
      accept=".txt,text/plain"
      onChange={async ({ currentTarget }) => {
        const text = await currentTarget.files?.[0]?.text()
        currentTarget.value = ''
        if (text !== undefined) take(text)
      }}
    />
  </Field>
)
