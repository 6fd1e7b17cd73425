import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { t } from '../i18n/index.ts'
import { useLoad } from '../ui/load.ts'
import { Field, NameField } from '../ui/parts.tsx'
import { NotLoaded } from '../ui/pending.tsx'
import { judge } from './decide.ts'
import { Question } from './dialogs.tsx'
import { fail, type OpenReview } from './open-review.ts'
import type { Finding } from './proposals.ts'

/** Asks which list a value is put on for the jobs to come, and decides on it here too. */
export function Remember({ review, finding, close }: { review: OpenReview; finding: Finding; close(): void }) {
  const words = t.value.review
  const lists = useLoad(() => call('lists', 'list', { body: { limit: 1000 } }), [])
  const [list, setList] = useState('')
  const [name, setName] = useState('')
  const [action, setAction] = useState<'accept' | 'reject'>('reject')
  const remember = async () => {
    try {
      const rememberIn = list || (await call('lists', 'create', { body: { name } })).id
      judge(review, [finding], { action, rememberIn }, 'asset')
    } catch (reason) {
      fail(review, reason)
    }
  }
  return (
    <Question title={words.rememberTitle(finding.value)} label={words.keys.l} submit={remember} close={close}>
      {lists.error ? <NotLoaded what={words.list} error={lists.error} reload={lists.reload} /> : null}
      <Field label={words.here}>
        <select value={action} onChange={event => setAction(event.currentTarget.value as 'accept' | 'reject')}>
          <option value="reject">{words.verdicts.reject}</option>
          <option value="accept">{words.verdicts.accept}</option>
        </select>
      </Field>
      <Field label={words.list} hint={t.value.list.hint}>
        <select value={list} onChange={event => setList(event.currentTarget.value)}>
          <option value="">{words.newList}</option>
          {lists.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {list ? null : <NameField name={name} set={setName} />}
    </Question>
  )
}
