import { useState } from 'preact/hooks'
import type { AuditEntry } from '../../shared/api/audit.ts'
import { call, callFull, may } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { together, useLoad } from '../ui/load.ts'
import { Field, Pager } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'

const LIMIT = 50
const outcomes = ['done', 'repeated', 'refused', 'failed'] as const

type Filters = { userId: string; outcome: string; recordId: string }

/** Who did what to which record, on one day. */
export function Audit() {
  const words = t.value
  const [skip, setSkip] = useState(0)
  // Days of the audit trail are those of UTC.
  const [day, setDay] = useState(() => new Date().toISOString().slice(0, 10))
  const [filters, setFilters] = useState<Filters>({ userId: '', outcome: '', recordId: '' })
  const people = useLoad(async () => (may('users:manage') ? call('users', 'list', { query: { limit: 1000 } }) : []), [])
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value))
  const entries = useLoad(
    () => callFull('audit', 'list', { body: { skip, limit: LIMIT, ...(day && { day }), filters: given } }),
    [skip, day, filters],
  )
  const { data } = entries
  const names = new Map((people.data ?? []).map(({ id, name }) => [id, name]))
  const look = (part: Partial<Filters>) => {
    setSkip(0)
    setFilters({ ...filters, ...part })
  }
  const lookAt = (day: string) => {
    setSkip(0)
    setDay(day)
  }
  return (
    <section>
      <h1>{words.menu.audit}</h1>
      <search class="row">
        <Field label={words.audit.day}>
          <input type="date" value={day} onChange={event => lookAt(event.currentTarget.value)} />
        </Field>
        <Field label={words.audit.outcome}>
          <select value={filters.outcome} onChange={event => look({ outcome: event.currentTarget.value })}>
            <option value="">{words.audit.all}</option>
            {outcomes.map(one => (
              <option key={one} value={one}>
                {words.audit.outcomes[one]}
              </option>
            ))}
          </select>
        </Field>
        {names.size > 0 ? (
          <Field label={words.audit.who}>
            <select value={filters.userId} onChange={event => look({ userId: event.currentTarget.value })}>
              <option value="">{words.audit.all}</option>
              {[...names].map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        ) : null}
        <Field label={words.audit.record}>
          {/* Without a value of ours, for entries that arrive while somebody types would put it back. */}
          <input onChange={event => look({ recordId: event.currentTarget.value.trim() })} />
        </Field>
      </search>
      <Pending of={together(entries, people)} what={words.menu.audit} />
      {data?.body.length === 0 ? <p class="muted">{words.audit.empty}</p> : null}
      {data && data.body.length > 0 ? <Entries entries={data.body} names={names} /> : null}
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
    </section>
  )
}

function Entries({ entries, names }: { entries: AuditEntry[]; names: Map<string, string> }) {
  const words = t.value.audit
  return (
    <section class="scroll" tabIndex={0} aria-label={t.value.menu.audit}>
      <table class="stacked list">
        <thead>
          <tr>
            {[words.at, words.who, words.what, words.record, words.from, words.outcome].map(title => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map(({ shard, seq, at, userId, operation, recordId, address, outcome, problem }) => (
            <tr key={`${shard}.${seq}`}>
              <td data-title={words.at} class="when">
                {dateOf(at)}
              </td>
              <td data-title={words.who}>
                {userId === null ? words.nobody : (names.get(userId) ?? <code>{userId}</code>)}
              </td>
              <td data-title={words.what}>
                <Operation name={operation} />
              </td>
              <td data-title={words.record}>{recordId ? <code>{recordId}</code> : null}</td>
              <td data-title={words.from}>{address}</td>
              <td data-title={words.outcome}>
                {words.outcomes[outcome]} {problem ? <code>{problem}</code> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** An operation, which breaks before its slashes. */
const Operation = ({ name }: { name: string }) => (
  <code class="operation">
    {name.split(/(?=\/)/).map((part, index) => (
      <span key={index}>
        <wbr />
        {part}
      </span>
    ))}
  </code>
)
