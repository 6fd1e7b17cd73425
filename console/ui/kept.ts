import { effect } from '@preact/signals'
import { useState } from 'preact/hooks'
import { user } from '../api.ts'

// In memory only: the address and the history of the browser name no more than the screen.
const kept = new Map<string, unknown>()
effect(() => {
  if (!user.value) kept.clear()
})

/** As `useState`, for what was begun, or how a list is looked at: who comes back finds it as they left it, until they log out. */
export function useKept<T>(name: string, first: T): [value: T, set: (value: T) => void, forget: () => void] {
  const [value, setValue] = useState(kept.has(name) ? (kept.get(name) as T) : first)
  const set = (next: T) => {
    kept.set(name, next)
    setValue(next)
  }
  return [value, set, () => void kept.delete(name)]
}
