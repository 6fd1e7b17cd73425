import { signal } from '@preact/signals'
import { routes } from 'console-routes'
import type { CallInput, CallReply } from '../shared/api/client.ts'
import type { Endpoint } from '../shared/api/endpoint.ts'
import type { Api } from '../shared/api/index.ts'
import type { PermissionName } from '../shared/api/permission-names.ts'

/** One problem that the service names. */
type Detail = { loc: string[]; msg: string; type: string }

/** A refusal of the service, or none of its answers at all. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  readonly detail: readonly Detail[]

  constructor(status: number, detail: readonly Detail[]) {
    super(detail.map(({ msg }) => msg).join(' '))
    this.status = status
    this.detail = detail
  }

  /** Whether the same call may succeed a little later. */
  get mayPass(): boolean {
    return this.status === 0 || this.status >= 500 || this.status === 408 || this.status === 429
  }

  has = (type: string): boolean => this.detail.some(problem => problem.type === type)
}

type Me = CallReply<Api['auth']['me']>
type Tokens = CallReply<Api['auth']['login']>

/** The user who is logged in; `undefined` until that is known, `null` for nobody. */
export const user = signal<Me | null | undefined>(undefined)
/** Whether the session ended by itself: nobody asked to be logged out. */
export const hasEnded = signal(false)
/** Why it is not known who that is. */
export const notResumed = signal<CallError | undefined>(undefined)
/** Whether the role of the user permits something. */
export const may = (permission: PermissionName): boolean => Boolean(user.value?.permissions?.includes(permission))
/** Whether the user must first replace a temporary password. */
export const mustChangePassword = signal(false)
/** Whether the role of the user needs a second factor that they have not set up yet. */
export const mustSetUpFactor = signal(false)

/** Tells this browser only that somebody was logged in, so that the first visit asks for no session. */
const wasLoggedIn = 'logged-in'
/** Where this browser was before it went to a provider, and that the provider must ask the person again. */
const [placeBefore, mustBeAsked] = ['place-before', 'must-be-asked'] as const
const base = new URL('../', document.baseURI)

// In memory only: what lasts longer is a cookie that no program of a page can read.
let token: string | undefined
let renewal: Promise<boolean> | undefined
// A session is that of all tabs, and ends in all of them: nobody goes on as somebody else.
const tabs = new BroadcastChannel('session')
tabs.onmessage = () => forget()

type Operation<R extends keyof Api, O extends keyof Api[R]> = Api[R][O] extends infer E extends Endpoint ? E : never

/** The body of a reply, and how many records there are where it is a page of a list. */
export type Full<E extends Endpoint> = { body: CallReply<E>; total: number }

/** Calls an endpoint by resource and operation, logged in or not. */
export const call = async <R extends keyof Api, O extends keyof Api[R] & string>(
  resource: R,
  operation: O,
  input?: CallInput<Operation<R, O>>,
): Promise<CallReply<Operation<R, O>>> => (await callFull(resource, operation, input)).body

/** As {@link call}, with the number of all records of a list. */
export async function callFull<R extends keyof Api, O extends keyof Api[R] & string>(
  resource: R,
  operation: O,
  input: CallInput<Operation<R, O>> = {} as CallInput<Operation<R, O>>,
): Promise<Full<Operation<R, O>>> {
  const response = await sendAny(routes[`${resource}.${operation}`]!, input as Sent)
  if (!response.ok) throw await refusal(response)
  const type = response.headers.get('content-type') ?? ''
  const body = (await (type.includes('json') ? response.json() : response.text())) as CallReply<Operation<R, O>>
  return { body, total: Number(response.headers.get('x-total-count') ?? 0) }
}

/** Sends a request to any route, with the token of the session, and answers what came back. */
export async function sendAny(route: string, input: Sent & Record<string, unknown>): Promise<Response> {
  const response = await send(route, input)
  return response.status === 401 && token && (await renew()) ? send(route, input) : response
}

type Sent = {
  body?: unknown
  query?: Record<string, unknown>
  files?: File[]
  signal?: AbortSignal
  /** Whether the request outlives the page. */
  keepalive?: boolean
}

async function send(route: string, input: Sent & Record<string, unknown>): Promise<Response> {
  const [method = 'GET', path = '/'] = route.split(' ')
  const url = new URL(
    path.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name]))),
    base,
  )
  for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, String(value))
  const { signal, keepalive } = input
  const headers: Record<string, string> = { 'X-Console': '1', ...(token && { Authorization: `Bearer ${token}` }) }
  let body: BodyInit | undefined
  if (input.files) {
    const form = new FormData()
    for (const [name, value] of Object.entries(input.body ?? {})) form.set(name, String(value))
    for (const file of input.files) form.append('files', file, file.name)
    body = form
  } else if (input.body !== undefined) {
    headers['Content-Type'] = 'application/json'
    body = JSON.stringify(input.body)
  }
  try {
    return await fetch(url, { method, headers, body, signal, keepalive, credentials: 'same-origin' })
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new CallError(0, [])
  }
}

async function refusal(response: Response): Promise<CallError> {
  const body = (await response.json().catch(() => ({}))) as { detail?: Detail[] }
  const error = new CallError(response.status, body.detail ?? [])
  if (response.status === 401 && user.value) endSession()
  if (error.has('fresh_login_required')) sessionStorage.setItem(mustBeAsked, '1')
  return error
}

/**
 * Gets another access token for the cookie, if that is still good; calls that find theirs expired share one renewal. Throws a
 * {@link CallError} when the service can't say whether it is.
 */
function renew(): Promise<boolean> {
  // A page that is left meanwhile would lose the next cookie.
  renewal ??= send(routes['auth.refresh']!, { body: {}, keepalive: true })
    .then(async response => {
      if (response.status === 401) return false
      if (!response.ok) throw await refusal(response)
      takeTokens((await response.json()) as Tokens)
      return true
    })
    .finally(() => {
      renewal = undefined
    })
  return renewal
}

/** Where the log-in by a provider begins. */
export function signOnAddress(provider: string): string {
  const query = sessionStorage.getItem(mustBeAsked) ? '?fresh=true' : ''
  return new URL(`identity/providers/${provider}/start${query}`, base).href
}

/** Notes where to come back to. */
export function leaveForProvider(): void {
  const isOnItsWay = /^#\/(not-)?signed-on/.test(location.hash)
  if (!isOnItsWay) sessionStorage.setItem(placeBefore, location.hash)
}

/** Takes up a log-in by a provider, where the browser comes from one. */
function comeBack(): void {
  if (location.hash !== '#/signed-on') return
  localStorage.setItem(wasLoggedIn, '1')
  sessionStorage.removeItem(mustBeAsked)
  location.replace(sessionStorage.getItem(placeBefore) || '#/new')
  sessionStorage.removeItem(placeBefore)
}

/** Takes up the session of before, if there is one. */
export async function resume(): Promise<void> {
  comeBack()
  try {
    if (!localStorage.getItem(wasLoggedIn) || !(await renew())) return endSession()
    user.value = await whoIs({})
    notResumed.value = undefined
  } catch (error) {
    if (!(error instanceof CallError) || error.status === 401) return endSession()
    notResumed.value = error
  }
}

/** Logs in, with the code of a second factor where there is one; throws a {@link CallError}. */
export async function logIn(email: string, password: string, code?: string): Promise<void> {
  const tokens = await call('auth', 'login', { body: { email, password, ...(code && { code }) } })
  takeTokens(tokens)
  localStorage.setItem(wasLoggedIn, '1')
  hasEnded.value = false
  user.value = await whoIs({ email })
}

function takeTokens(tokens: Tokens): void {
  token = tokens.access_token
  mustChangePassword.value = Boolean(tokens.password_change_required)
  mustSetUpFactor.value = Boolean(tokens.second_factor_setup_required)
}

/** The user of the session; no more than what is known of one who must do something else first. */
const whoIs = async (known: Partial<Me>): Promise<Me> =>
  mustChangePassword.value || mustSetUpFactor.value ? (known as Me) : call('auth', 'me')

/** Logs out, here and at the service. */
export async function logOut(): Promise<void> {
  await endIdle()
  hasEnded.value = false
}

/** As {@link logOut}, of somebody who is not there. */
export async function endIdle(): Promise<void> {
  await call('auth', 'logout').catch(() => undefined)
  endSession()
}

/** Ends the session in this tab, and in the others if it was theirs too. */
function endSession(): void {
  if (user.value) tabs.postMessage('ended')
  localStorage.removeItem(wasLoggedIn)
  forget()
}

function forget(): void {
  token = undefined
  hasEnded.value ||= Boolean(user.value)
  user.value = null
}
