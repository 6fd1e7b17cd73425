import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PermissionName } from '../../shared/api/permission-names.ts'
import { type CallError, logOut, may, mustChangePassword, mustSetUpFactor, notResumed, resume, user } from '../api.ts'
import { t } from '../i18n/index.ts'
import { Review } from '../review/review.tsx'
import { place } from '../router.ts'
import { Later, type Parts } from '../ui/later.tsx'
import { LeaveQuestion } from '../ui/leave.tsx'
import { Loading } from '../ui/parts.tsx'
import { NotLoaded } from '../ui/pending.tsx'
import { askToLeave } from '../unsaved.ts'
import { Account, ChangePassword } from './account.tsx'
import { Job } from './job.tsx'
import { Jobs } from './jobs.tsx'
import { LogIn } from './log-in.tsx'
import { NewJob, NotStarted } from './new-job.tsx'
import { Notifications, unread } from './notifications.tsx'
import { countWaiting, Reviews, waiting } from './reviews.tsx'
import { RuleEditor, Rules } from './rules.tsx'
import { SecondFactor } from './second-factor.tsx'
import { TryText } from './try-text.tsx'
import { WorkflowEditor, Workflows } from './workflows.tsx'

/** The screens in groups: what is to be done, by what, by whom, and what is one's own. */
const menu = [
  ['new', 'text', 'jobs', 'reviews'],
  ['workflows', 'rules', 'lists', 'sources', 'schedules', 'webhooks'],
  ['users', 'roles', 'accounts', 'recoveries', 'audit'],
  ['notifications', 'account', 'reference'],
] as const
type Screens = (typeof menu)[number][number]

/** What some of them need. */
const needed: Partial<Record<Screens, PermissionName>> = {
  reviews: 'jobs:review',
  lists: 'lists:read',
  sources: 'sources:read',
  schedules: 'schedules:read',
  webhooks: 'webhooks:read',
  users: 'users:manage',
  roles: 'roles:manage',
  accounts: 'service-accounts:manage',
  recoveries: 'tokens:read',
  audit: 'audit:read',
}

/** What waits behind some of them. */
const counts: Partial<Record<Screens, Signal<number>>> = { reviews: waiting, notifications: unread }

const Badge = ({ count }: { count: number | undefined }) => (count ? <span class="badge">{count}</span> : null)

/** The frame of all screens, or the log-in while nobody is logged in. */
export function App() {
  useTitle()
  if (user.value === undefined) return notResumed.value ? <NotResumed error={notResumed.value} /> : <Loading />
  if (user.value === null && place.value[0] !== 'reference') return <LogIn />
  return (
    <Frame>
      {mustChangePassword.value ? <ChangePassword /> : mustSetUpFactor.value ? <SecondFactor /> : <Screen />}
    </Frame>
  )
}

/** What a screen is called in the menu. */
const nameOf = (screen: string | undefined) => (t.value.menu as Record<string, string | undefined>)[screen ?? '']

/** Names the page by its screen alone, in the list of tabs and in the history. */
function useTitle(): void {
  const { product } = t.value
  const name = nameOf(user.value === null ? undefined : place.value[0])
  useEffect(() => {
    document.title = name ? `${name} – ${product}` : product
  }, [name, product])
}

/** What is shown while the service can't say who is logged in. */
const NotResumed = ({ error }: { error: CallError }) => (
  <main class="narrow">
    <h1>{t.value.product}</h1>
    <NotLoaded what={t.value.session} error={error} reload={resume} />
  </main>
)

/** Screens that are loaded when they are first shown. */
const loadedLater: Record<string, (parts: Parts, id: string | undefined) => ComponentChildren> = {
  lists: ({ Lists, ListEditor }, id) => (id ? <ListEditor key={id} id={id} /> : <Lists />),
  sources: ({ Sources, SourceEditor }, id) => (id ? <SourceEditor key={id} id={id} /> : <Sources />),
  schedules: ({ Schedules, ScheduleEditor }, id) => (id ? <ScheduleEditor key={id} id={id} /> : <Schedules />),
  webhooks: ({ Webhooks, WebhookEditor }, id) => (id ? <WebhookEditor key={id} id={id} /> : <Webhooks />),
  users: ({ Users }) => <Users />,
  roles: ({ Roles, RoleEditor }, id) => (id ? <RoleEditor key={id} id={id} /> : <Roles />),
  accounts: ({ Accounts, AccountEditor }, id) => (id ? <AccountEditor key={id} id={id} /> : <Accounts />),
  recoveries: ({ Recoveries, Recovery }, id) => (id ? <Recovery key={id} id={id} /> : <Recoveries />),
  reference: ({ Reference }, id) => <Reference id={id} />,
  audit: ({ Audit }) => <Audit />,
}

function Screen() {
  const [screen = '', id] = place.value
  switch (screen) {
    case 'jobs':
      return id ? <Job key={id} id={id} /> : <Jobs />
    case 'text':
      return <TryText />
    case 'rules':
      return id ? <RuleEditor key={id} id={id} /> : <Rules />
    case 'workflows':
      return id ? <WorkflowEditor key={id} id={id} /> : <Workflows />
    case 'reviews':
      return id ? <Review key={id} id={id} /> : <Reviews />
    case 'notifications':
      return <Notifications />
    case 'account':
      return <Account />
  }
  const show = Object.hasOwn(loadedLater, screen) ? loadedLater[screen] : undefined
  return show ? <Later screen={nameOf(screen)} show={parts => show(parts, id)} /> : <NewJob />
}

function Frame({ children }: { children: ComponentChildren }) {
  const words = t.value
  const [screen] = place.value
  useEffect(() => void (user.value && countWaiting()), [user.value])
  const [isOpen, setOpen] = useState(false)
  // Going to a screen closes what covers it.
  useEffect(() => setOpen(false), [place.value])
  const isShown = (name: Screens) => !needed[name] || may(needed[name])
  const groups = user.value ? menu.map(names => names.filter(isShown)).filter(names => names.length > 0) : []
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        {words.skip}
      </button>
      <header>
        <a class="product" href="#/new">
          {words.product}
        </a>
        <button type="button" class="opener" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.menu.title}
          <Badge count={waiting.value + unread.value} />
        </button>
        <nav aria-label={words.product} class={isOpen ? 'open' : undefined}>
          {groups.map(names => (
            <div key={names[0]}>
              {names.map(name => (
                <a key={name} href={`#/${name}`} aria-current={screen === name ? 'page' : undefined}>
                  {words.menu[name]}
                  <Badge count={counts[name]?.value} />
                </a>
              ))}
            </div>
          ))}
          {user.value ? (
            <div>
              <p class="muted">{user.value.name ?? user.value.email}</p>
              <button type="button" class="plain" onClick={() => askToLeave(logOut)}>
                {words.login.logout}
              </button>
            </div>
          ) : (
            <a href="#/new">{words.login.title}</a>
          )}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <NotStarted />
        {children}
      </main>
      <LeaveQuestion />
    </>
  )
}
