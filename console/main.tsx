import './console.css'
import { effect } from '@preact/signals'
import { render } from 'preact'
import { logOut, resume, user } from './api.ts'
import { language } from './i18n/index.ts'
import { App } from './screens/app.tsx'

/** Without any movement for so long the session ends, milliseconds. */
const IDLE_MS = 15 * 60_000

let idle: ReturnType<typeof setTimeout> | undefined
function stayLoggedIn() {
  clearTimeout(idle)
  if (user.value) idle = setTimeout(logOut, IDLE_MS)
}
for (const event of ['pointerdown', 'keydown', 'scroll']) addEventListener(event, stayLoggedIn, { passive: true })
effect(stayLoggedIn)
effect(() => {
  document.documentElement.lang = language.value
})
resume()
render(<App />, document.body)
