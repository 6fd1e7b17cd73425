import { resolve } from 'node:path'
import { settingNames } from '../shared/settings.ts'
import { startLocalCloud } from './cloud.ts'
import { Inconvenience } from './lock.ts'
import { onSignal } from './signals.ts'

const { PORT = '3000', LOCAL_DATA_DIR = '.local', LOCAL_ADMIN_EMAIL, LOCAL_ADMIN_PASSWORD } = process.env
const directory = resolve(LOCAL_DATA_DIR)

try {
  const cloud = await startLocalCloud({
    directory,
    port: readPort(PORT),
    administrator: { email: LOCAL_ADMIN_EMAIL || undefined, password: LOCAL_ADMIN_PASSWORD || undefined },
    environment: chosenSettings(),
    report: console.error,
  })
  console.log(`
  The anonymisation service runs on this machine only.

  Base URL       ${cloud.baseUrl}   (paths start with /api)
  Documentation  ${cloud.apiUrl}/docs
  Data           ${directory}
  Log            ${cloud.logFile}`)
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

/** The settings of the service that the environment gives; the others have their defaults. */
function chosenSettings(): Record<string, string> {
  const chosen = settingNames.map(name => [name, process.env[name]] as const)
  return Object.fromEntries(
    chosen.filter((entry): entry is [(typeof settingNames)[number], string] => entry[1] !== undefined),
  )
}

function readPort(text: string): number {
  const port = Number(text)
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Inconvenience(`PORT is ${JSON.stringify(text)}: it must be a number from 0 to 65535`)
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
  if (error instanceof Inconvenience) return error.message
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return `Port ${PORT} is in use: stop what uses it, or set PORT to another one`
  }
  return error
}
