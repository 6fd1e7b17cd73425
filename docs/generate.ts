import { writeFile } from 'node:fs/promises'
import { openApi } from '../shared/api/openapi.ts'
import { configurationPage } from './configuration-page.ts'
import { conformancePage } from './conformance-page.ts'
import { errorsPage } from './errors-page.ts'
import { formatsPage } from './formats-page.ts'
import { sourceSettingsPage } from './source-settings-page.ts'
import { usingPage } from './using-page.ts'

/** The documents that are made from code, by their path: `npm run docs` writes them. A test holds that they are current. */
export const generated = (): Record<string, string> => ({
  'docs/openapi.json': `${JSON.stringify(openApi(), null, 2)}\n`,
  'docs/errors.md': errorsPage(),
  'docs/configuration.md': configurationPage(),
  'docs/formats.md': formatsPage(),
  'docs/source-settings.md': sourceSettingsPage(),
  'docs/using.md': usingPage(),
  'docs/conformance.md': conformancePage(),
})

if (import.meta.main) {
  for (const [path, text] of Object.entries(generated())) await writeFile(path, text)
}
