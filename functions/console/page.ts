import { build, program } from 'console-files'
import { browserConsole } from '../../shared/api/console.ts'
import { consolePage, consolePolicy } from '../../shared/http/console-page.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { settings } from '../../shared/settings.ts'

export const handler = handle(browserConsole.page)(async ({ header }) => {
  for (const [name, value] of Object.entries(consolePolicy())) header(name, value)
  return consolePage(build, program, settings().IDENTITY_PROVIDERS)
})
