import { startLocalCloud } from './cloud.ts'
import { UserError } from './lock.ts'
import { readSettings } from './settings.ts'
import { onSignal } from './signals.ts'

try {
  const { reachesItself, ...settings } = readSettings(process.env)
  const cloud = await startLocalCloud({ ...settings, requestsFirst: true, report: console.error })
  console.log(`
  The anonymisation service runs on this machine only.

  Base URL       ${cloud.baseUrl}   (paths start with /api)
  Documentation  ${cloud.apiUrl}/docs
  Data           ${settings.directory}
  Log            ${cloud.logFile}`)
  if (reachesItself) {
    console.log(
      '  Sources        may be on this machine, as EGRESS_ALLOW says: any user of the service reaches its ports',
    )
  }
  if (cloud.administrator) {
    console.log(`
  Administrator  ${cloud.administrator.email}
  Password       ${cloud.administrator.password}   (shown this once)`)
  }
  console.log('\n  Ctrl-C stops it.\n')
  stopOnSignal(cloud.close)
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}

function stopOnSignal(close: () => Promise<void>) {
  onSignal(() => {
    console.error('Stopping ...')
    close().then(
      () => process.exit(0),
      error => {
        console.error(error)
        process.exit(1)
      },
    )
  })
}

/** What a person can do about it, or everything that is known. */
function explain(error: unknown): unknown {
  if (error instanceof UserError) return error.message
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return `Port ${(error as { port?: number }).port} is in use: stop what uses it, or set PORT to another one`
  }
  return error
}
