import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A way out of a form that would lose what it holds, and the way to stay. */
type Leaving = { leave(): void; stay(): void }

/** What somebody is asked about before they leave. */
export const leaving = signal<Leaving | undefined>(undefined)

/** Forms with changes that are not saved. */
const unsaved = new Set<object>()
const hold = (event: Event) => event.preventDefault()

function note(form: object, isChanged: boolean): void {
  if (isChanged) unsaved.add(form)
  else unsaved.delete(form)
  // Browsers keep no page for the way back that may ask.
  if (unsaved.size > 0) addEventListener('beforeunload', hold)
  else removeEventListener('beforeunload', hold)
}

/** Leaves at once if nothing is lost by that, or else asks first. */
export function askToLeave(leave: () => void, stay: () => void = () => undefined): void {
  leaving.value = unsaved.size > 0 ? { leave, stay } : undefined
  if (!leaving.value) leave()
}

/** Has somebody asked before they leave a form with changes; answers what says that these are saved or given up. */
export function useUnsaved(isChanged: boolean): () => void {
  const form = useRef({}).current
  useLayoutEffect(() => {
    note(form, isChanged)
    return () => note(form, false)
  }, [isChanged])
  return () => {
    note(form, false)
    // Whoever is being asked has nothing to lose any more.
    if (leaving.value) askToLeave(leaving.value.leave, leaving.value.stay)
  }
}
