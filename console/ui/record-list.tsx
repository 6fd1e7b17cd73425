import { useState } from 'preact/hooks'
import type { CallError } from '../api.ts'
import { t } from '../i18n/index.ts'
import { useKept } from './kept.ts'
import { asCallError, useLoad } from './load.ts'
import { Empty, Failure, Pager, sure } from './parts.tsx'
import { Pending } from './pending.tsx'

const LIMIT = 50

type RecordListProps<R extends { id: string; name: string }> = {
  /** The screen that shows a record and makes a new one. */
  screen: string
  words: { title: string; create: string; empty: string; removeSure(name: string): string }
  list(page: { skip: number; limit: number }): Promise<{ body: R[]; total: number }>
  remove(record: R): Promise<unknown>
  /** What is said of a record beside its name. */
  about(record: R): string | undefined
  /** Whether a record can't be deleted; any can by default. */
  isFixed?(record: R): boolean
}

/** The user's records of one kind: each can be opened and deleted, and a new one made. */
export function RecordList<R extends { id: string; name: string }>(props: RecordListProps<R>) {
  const { screen, words, list, remove, about, isFixed = () => false } = props
  const [skip, setSkip] = useKept(`${screen}.skip`, 0)
  const [failure, setFailure] = useState<CallError>()
  const create = `#/${screen}/create`
  const loaded = useLoad(() => list({ skip, limit: LIMIT }), [skip])
  const { data, reload } = loaded
  const ask = async (record: R) => {
    if (!sure(words.removeSure(record.name))) return
    setFailure(undefined)
    await remove(record).then(reload, reason => setFailure(asCallError(reason)))
  }
  return (
    <section>
      <h1>{words.title}</h1>
      {data?.total === 0 ? (
        <Empty text={words.empty} action={words.create} to={create} />
      ) : (
        <p>
          <a class="button primary" href={create}>
            {words.create}
          </a>
        </p>
      )}
      <Failure error={failure} />
      <Pending of={loaded} what={words.title} />
      <ul class="cards">
        {data?.body.map(record => (
          <li key={record.id} class="row">
            <a class="name" href={`#/${screen}/${record.id}`}>
              {record.name}
            </a>
            <span class="muted">{about(record)}</span>
            {isFixed(record) ? null : (
              <button
                type="button"
                class="plain"
                aria-label={`${t.value.remove}: ${record.name}`}
                onClick={() => ask(record)}
              >
                {t.value.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
    </section>
  )
}
