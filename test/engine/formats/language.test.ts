import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), 'language-'))
afterAll(() => rmSync(home, { recursive: true }))

let installed = false
beforeAll(async () => {
  // Not a dependency: what is installed beside English is deployed.
  const options = ['--prefix', home, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--silent']
  installed = await run('npm', ['install', ...options, '@tesseract.js-data/fra@1.0.0'], { timeout: 60_000 }).then(
    () => true,
    () => false,
  )
  if (!installed) console.log('skipped: the data of a second language cannot be fetched')
})

/** What became of a picture of French lines that was read in these languages. */
const outcome = async (languages: string): Promise<{ count: number; shown: string[] }> => {
  const child = join(import.meta.dirname, 'language-child.ts')
  const env = { ...process.env, NODE_PATH: join(home, 'node_modules') }
  const { stdout } = await run(process.execPath, [child, languages], { env })
  return JSON.parse(stdout.trim().split('\n').at(-1)!)
}

describe('a second language of pictures, by its package and its name', () => {
  test.for(['fra', 'eng+fra'])('%s reads French', async (languages, { skip }) => {
    skip(!installed)
    const { count, shown } = await outcome(languages)
    expect(count).toBe(1)
    const text = shown.join('\n')
    expect(text).toMatch(/ à Orléans/)
    expect(text).toMatch(/sœur a reçu la clé/)
    expect(text).not.toMatch(/Fran|Lef/)
  })

  test('English alone does not find the name', async ({ skip }) => {
    skip(!installed)
    expect((await outcome('eng')).count).toBe(0)
  })
})
