import { effect } from '@preact/signals'
import { endIdle, user } from './api.ts'

/** Without any activity in any tab for so long the session ends, milliseconds. */
const IDLE_MS = 15 * 60_000
/** How often other tabs are told of activity at most, and how often work counts as activity, milliseconds. */
const [TELL_MS, WORK_MS] = [5000, 60_000]

const tabs = new BroadcastChannel('activity')
let idle: ReturnType<typeof setTimeout> | undefined
let told = 0

function wait(): void {
  clearTimeout(idle)
  if (user.value) idle = setTimeout(endIdle, IDLE_MS)
}

function stayLoggedIn(): void {
  wait()
  if (!user.value || Date.now() - told < TELL_MS) return
  told = Date.now()
  tabs.postMessage('active')
}

/** Ends the session when nobody uses any tab. */
export function endWhenIdle(): void {
  for (const event of ['pointerdown', 'keydown', 'scroll']) addEventListener(event, stayLoggedIn, { passive: true })
  tabs.onmessage = wait
  effect(wait)
}

/** Does work that would be lost with the page or the session: both stay, as far as a page can see to that. */
export async function keepOpen<T>(work: () => Promise<T>): Promise<T> {
  const hold = (event: Event) => event.preventDefault()
  const timer = setInterval(stayLoggedIn, WORK_MS)
  addEventListener('beforeunload', hold)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    removeEventListener('beforeunload', hold)
  }
}
