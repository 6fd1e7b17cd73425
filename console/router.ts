import { effect, signal } from '@preact/signals'
import { user } from './api.ts'
import { askToLeave, leaving } from './unsaved.ts'

/** The screen and the record that the address names: `#/jobs/<id>`. Nothing of a document ever stands there. */
const read = (): string[] => {
  const parts = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean)
  return parts.length > 0 ? parts : ['new']
}

/** Parts of the address of what is shown; where somebody is asked before they leave, the browser is ahead of it. */
export const place = signal(read())
/** Where it is in the history, as far as the browser tells. */
let entry = entryNow()

function entryNow(): number | undefined {
  return globalThis.navigation?.currentEntry?.index
}

const isShown = () => read().join('/') === place.value.join('/')

function arrive(): void {
  entry = entryNow()
  place.value = read()
  document.getElementById('main')?.focus()
  scrollTo(0, 0)
}

/** Has the browser name what is shown again. */
function stay(): void {
  const now = entryNow()
  if (entry === undefined || now === undefined) history.pushState(null, '', `#/${place.value.join('/')}`)
  else history.go(entry - now)
}

addEventListener('hashchange', () => {
  if (!isShown()) return askToLeave(arrive, stay)
  entry = entryNow()
  leaving.value = undefined
})

// Nobody is asked whose session has ended: what the form held is gone.
effect(() => {
  if (user.value !== null) return
  leaving.value = undefined
  if (!isShown()) arrive()
})

/** Goes to another screen. */
export const go = (...parts: string[]): void => {
  location.hash = `#/${parts.join('/')}`
}
