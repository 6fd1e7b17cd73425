/** How soon a second signal may be the first one again, milliseconds. */
const ECHO_MS = 1000

/** Names of the signals that ask a program to end, and the exit status that each stands for. */
const asking = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Calls `stop` at the first signal that asks to end, with its exit status; a second one ends the process at once. */
export function onSignal(stop: (status: number) => void): void {
  let since: number | undefined
  for (const [signal, status] of Object.entries(asking)) {
    process.on(signal, () => {
      // A terminal sends the first signal twice: to this process, and to the one that started it and passes it on.
      if (since !== undefined && Date.now() - since > ECHO_MS) process.exit(status)
      if (since !== undefined) return
      since = Date.now()
      stop(status)
    })
  }
}
