import { useEffect, useRef, useState } from 'preact/hooks'
import { CallError } from '../api.ts'

/** What a screen shows: nothing yet, what came, or why it did not come. */
export type Loaded<T> = { data?: T; error?: CallError; reload(): Promise<void> }

/** Loads what a screen shows, again when one of `keys` changes or `reload` is called. Late answers to old questions are dropped. */
export function useLoad<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: CallError }>({})
  const asked = useRef(0)
  const reload = () => {
    const question = ++asked.current
    return load().then(
      data => void (question === asked.current && setState({ data })),
      error => void (question === asked.current && setState(({ data }) => ({ data, error: asCallError(error) }))),
    )
  }
  useEffect(() => {
    reload()
    return () => void asked.current++
  }, keys)
  return { ...state, reload }
}

/** What belongs to one screen: a failure of any is said once, and all that failed are loaded again together. */
export function together(...all: Loaded<unknown>[]): Loaded<true> {
  const failed = all.filter(({ error }) => error)
  return {
    data: all.every(({ data }) => data !== undefined) || undefined,
    error: failed[0]?.error,
    reload: async () => void (await Promise.all(failed.map(one => one.reload()))),
  }
}

/** Runs what somebody asks for, and knows why the last of it failed and how it is done again. */
export function useAsk(): Omit<Loaded<never>, 'data'> & { ask(task: () => Promise<unknown>): Promise<void> } {
  const [error, setError] = useState<CallError>()
  const last = useRef<(() => Promise<unknown>) | undefined>(undefined)
  const run = (task: () => Promise<unknown>) =>
    task().then(
      () => void (last.current === task && setError(undefined)),
      reason => void (last.current === task && setError(asCallError(reason))),
    )
  const ask = (task: () => Promise<unknown>) => {
    last.current = task
    setError(undefined)
    return run(task)
  }
  return { error, reload: () => run(last.current!), ask }
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
