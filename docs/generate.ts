import { writeFile } from 'node:fs/promises'
import { openApi } from '../shared/api/openapi.ts'

/** Writes the documents that are made from code: `npm run docs`. A test holds that they are current. */
export const generated = (): Record<string, string> => ({
  'docs/openapi.json': `${JSON.stringify(openApi(), null, 2)}\n`,
})

if (import.meta.main) {
  for (const [path, text] of Object.entries(generated())) await writeFile(path, text)
}
