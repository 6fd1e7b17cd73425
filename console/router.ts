import { signal } from '@preact/signals'

/** The screen and the record that the address names: `#/jobs/<id>`. Nothing of a document ever stands there. */
const read = (): string[] => {
  const parts = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean)
  return parts.length > 0 ? parts : ['new']
}

/** Parts of the current address. */
export const place = signal(read())

addEventListener('hashchange', () => {
  place.value = read()
  document.getElementById('main')?.focus()
  scrollTo(0, 0)
})

/** Goes to another screen. */
export const go = (...parts: string[]): void => {
  location.hash = `#/${parts.join('/')}`
}
