import { effect } from '@preact/signals'
import { useState } from 'preact/hooks'
import { user } from '../api.ts'

// In memory only: the address and the history of the browser name no more than the screen.
const kept = new Map<string, unknown>()
effect(() => {
  if (!user.value) kept.clear()
})

/** As `useState`, for how a list is looked at: who comes back to it finds it as they left it, until they log out. */
export function useKept<T extends string | number>(name: string, first: T): [T, (value: T) => void] {
  const [value, setValue] = useState((kept.get(name) as T | undefined) ?? first)
  const set = (next: T) => {
    kept.set(name, next)
    setValue(next)
  }
  return [value, set]
}
