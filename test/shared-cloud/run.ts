import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { TestProject } from 'vitest/node'
import { v8Flags } from '../v8-flags.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    sharedCloud: string
  }
}

/** Gives the run one local cloud, in a process of its own, for all files of tests that need none to themselves. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { quietFolder } = project.getProvidedContext()
  const env = { ...process.env, LOCAL_LOG_DIR: quietFolder }
  const child = fork(new URL('./process.ts', import.meta.url), { env, execArgv: v8Flags })
  const [address] = (await once(child, 'message')) as [string]
  project.provide('sharedCloud', address)
  return async () => {
    if (child.exitCode !== null) throw new Error('The shared local cloud ended before the tests')
    const ended = once(child, 'exit')
    child.disconnect()
    const [code] = await ended
    if (code !== 0) throw new Error('Something went wrong inside of the shared local cloud, as printed above')
  }
}
