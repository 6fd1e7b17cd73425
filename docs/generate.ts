import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { openApi } from '../shared/api/openapi.ts'
import { configurationPage } from './configuration-page.ts'
import { conformancePage } from './conformance-page.ts'
import { errorsPage } from './errors-page.ts'
import { formatsPage } from './formats-page.ts'
import { pythonClient } from './python-client.ts'
import { sourceSettingsPage } from './source-settings-page.ts'
import { storeRequestsPage } from './store-requests-page.ts'
import { roomsTable } from './structure.ts'
import { usingPage } from './using-page.ts'

/** The page on the architecture, written by hand but for the table of rooms. */
function architecturePage(): string {
  const page = readFileSync('docs/architecture.md', 'utf8')
  return page.replace(
    /(<!-- rooms -->\n)[\s\S]*(<!-- \/rooms -->)/,
    (_, start, end) => `${start}\n${roomsTable()}\n\n${end}`,
  )
}

/** The documents that are made from code, by their path: `npm run docs` writes them. A test holds that they are current. */
export const generated = (): Record<string, string> => ({
  'docs/openapi.json': `${JSON.stringify(openApi(), null, 2)}\n`,
  'docs/errors.md': errorsPage(),
  'docs/configuration.md': configurationPage(),
  'docs/formats.md': formatsPage(),
  'docs/source-settings.md': sourceSettingsPage(),
  'docs/using.md': usingPage(),
  'docs/conformance.md': conformancePage(),
  'docs/store-requests.md': storeRequestsPage(),
  'docs/architecture.md': architecturePage(),
  ...pythonClient(),
})

if (import.meta.main) {
  for (const [path, text] of Object.entries(generated())) await writeFile(path, text)
}
