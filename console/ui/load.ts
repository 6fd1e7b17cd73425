import { useEffect, useRef, useState } from 'preact/hooks'
import { CallError } from '../api.ts'

/** What a screen shows: nothing yet, what came, or why it did not come. */
export type Loaded<T> = { data?: T; error?: CallError; reload(): void }

/** Loads what a screen shows, again when one of `keys` changes or `reload` is called. Late answers to old questions are dropped. */
export function useLoad<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: CallError }>({})
  const asked = useRef(0)
  const reload = () => {
    const question = ++asked.current
    load().then(
      data => question === asked.current && setState({ data }),
      error => question === asked.current && setState(({ data }) => ({ data, error: asCallError(error) })),
    )
  }
  useEffect(() => {
    reload()
    return () => void asked.current++
  }, keys)
  return { ...state, reload }
}

/** Calls `again` every so many milliseconds while it is given. */
export function useEvery(milliseconds: number | undefined, again: () => void): void {
  const latest = useRef(again)
  latest.current = again
  useEffect(() => {
    if (milliseconds === undefined) return
    const timer = setInterval(() => latest.current(), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
}

/** A failure as the console shows it. */
export const asCallError = (error: unknown): CallError => (error instanceof CallError ? error : new CallError(0, []))
