import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Notification } from '../../shared/api/notifications.ts'
import { call, callFull, may } from '../api.ts'
import { dateOf, t } from '../i18n/index.ts'
import { useLoad } from '../ui/load.ts'
import { Empty, Pager } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'

const LIMIT = 20

/** How many notifications nobody has read yet, as far as is known. */
export const unread = signal(0)

/** Counts what is unread, after a job has ended for instance; the count stays as it was where that fails. */
export async function countUnread(): Promise<void> {
  const asked = { body: { filters: { read: false }, limit: 1 } }
  const found = await callFull('notifications', 'list', asked).catch(() => undefined)
  if (found) unread.value = found.total
}

/** Screens that show what notifications are about. */
const screens: Record<string, string> = {
  job: 'jobs',
  schedule: 'schedules',
  webhook: 'webhooks',
  reidentification: 'recoveries',
}

/** Where a notification leads, if anywhere: those who may review, to what waits for them. */
function screenOf({ kind, resource: { type } }: Notification): string | undefined {
  if (kind === 'review.waiting' && may('jobs:review')) return 'reviews'
  // Somebody else's request is shown to few.
  const isHidden = kind === 'reidentification.opened' && !may('tokens:approve') && !may('tokens:any')
  return isHidden ? undefined : screens[type]
}

/** Title and message of a notification in the language in use; the name of the record stands between the quotes of the service's. */
function wordsOf(kind: string, { title, message }: Pick<Notification, 'title' | 'message'>): [string, string] {
  const own = t.value.events[kind]
  return own ? [own[0], own[1](/“(.*)”/s.exec(message)?.[1] ?? '')] : [title, message]
}

/** The user's notifications, newest first. */
export function Notifications() {
  const words = t.value
  const [skip, setSkip] = useState(0)
  const loaded = useLoad(() => callFull('notifications', 'list', { body: { skip, limit: LIMIT } }), [skip])
  const { data, reload } = loaded
  const read = async (notification_id: string) => {
    await call('notifications', 'read', { notification_id })
    reload()
    await countUnread()
  }
  return (
    <section>
      <h1>{words.notification.title}</h1>
      <Pending of={loaded} what={words.notification.title} />
      {data?.body.length === 0 ? <Empty text={words.notification.empty} action={words.menu.new} to="#/new" /> : null}
      <ul class="cards">
        {data?.body.map(notification => (
          <li key={notification.id} class={notification.read ? 'muted' : undefined}>
            <Told of={notification} read={read} />
            <p class="row">
              <small class="muted">{dateOf(notification.createdAt)}</small>
              {notification.read ? null : (
                <button type="button" class="plain" onClick={() => read(notification.id)}>
                  {words.notification.read}
                </button>
              )}
            </p>
          </li>
        ))}
      </ul>
      <Pager skip={skip} limit={LIMIT} total={data?.total} go={setSkip} />
    </section>
  )
}

/** What a notification says; its title leads to what it is about, and whoever goes there has read it. */
function Told({ of, read }: { of: Notification; read(id: string): void }) {
  const { id, kind, resource, read: isRead } = of
  const [title, message] = wordsOf(kind, of)
  const screen = screenOf(of)
  return (
    <>
      <strong>
        {screen ? (
          <a href={`#/${screen}/${resource.id}`} onClick={() => !isRead && read(id)}>
            {title}
          </a>
        ) : (
          title
        )}
      </strong>
      <p>{message}</p>
    </>
  )
}
