import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestProject } from 'vitest/node'
import { canariesFile } from './folder.ts'
import { setup } from './run.ts'

/** A run whose tests leave these files behind. */
function runWith(files: Record<string, string>): { end: () => void; folder: string } {
  let folder = ''
  const end = setup({ provide: (_: string, value: string) => (folder = value) } as unknown as TestProject)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return { end, folder }
}

const noted = { [canariesFile()]: JSON.stringify(['correct horse battery']) }

test('a run ends well when no log holds what was noted, and leaves nothing behind', () => {
  const { end, folder } = runWith({ ...noted, 'a.log': 'jobs-get {"message":"request done"}\n' })
  end()
  expect(existsSync(folder)).toBe(false)
})

test('a run fails when a log of it holds what was noted in any file of tests', () => {
  const { end, folder } = runWith({
    ...noted,
    'a.log': 'fine\n',
    'b.log': 'auth-login {"p":"correct horse battery"}\n',
  })
  expect(end).toThrow(/1 lines of logs.*\nb\.log: auth-login/)
  expect(existsSync(folder)).toBe(false)
})
