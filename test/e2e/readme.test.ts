import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalCloud, startLocalCloud } from '../../local/cloud.ts'

const run = promisify(execFile)
let cloud: LocalCloud
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-'))
  cloud = await startLocalCloud({ directory: join(folder, 'cloud') })
})
afterAll(async () => {
  await cloud?.close()
  await rm(folder, { recursive: true, force: true })
})

const text = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The blocks of the README that are marked as the flow, as one script. */
const flow = async (): Promise<string> =>
  [...(await text('README.md')).matchAll(/<!-- flow -->\n```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n')

describe('README', () => {
  test('the flow by hand works word for word', async () => {
    const { stdout } = await run('bash', ['-c', `set -euo pipefail\n${await flow()}`], {
      cwd: folder,
      env: { ...process.env, PORT: new URL(cloud.baseUrl).port },
    })
    expect(stdout).toContain('IN_PROGRESS')
    expect(stdout).toContain('SUCCEEDED')
    expect(await readFile(join(folder, 'letter.anonymised.txt'), 'utf8')).toBe(
      'Dear Grace,\nplease write to [EMAIL 1] or [EMAIL 2].\n',
    )
  })

  test('the one command for own files works word for word', { timeout: 240_000 }, async () => {
    const [, command] = /^npm run anonymise -- (.+)$/m.exec(await text('README.md'))!
    await cp(new URL('../../examples', import.meta.url), join(folder, 'examples'), { recursive: true })
    const script = new URL('../../local/anonymise.ts', import.meta.url).pathname
    const { stdout } = await run('bash', ['-c', `"$NODE" "$SCRIPT" ${command} --url ${cloud.baseUrl}`], {
      cwd: folder,
      env: { ...process.env, NODE: process.execPath, SCRIPT: script },
    })
    expect(stdout).toContain('Customer number')
    const made = (name: string) => readFile(join(folder, 'examples.anonymised', name), 'utf8')
    const letter = await made('letter.txt')
    for (const gone of [
      'Miller',
      'Smith',
      'C-204817',
      'High Street',
      'Oxford',
      '7946',
      'NWBK',
      '12 March',
      'service@',
    ]) {
      expect(letter).not.toContain(gone)
    }
    for (const kept of ['Dear', 'EUR 149.90', '[CUSTOMER]', '[IBAN]', 'Yours sincerely']) {
      expect(letter).toContain(kept)
    }
    expect(await made('people.csv')).toBe(
      'customer,name,email,phone,visits\n[CUSTOMER],[PERSON],[EMAIL],[PHONE],12\n[CUSTOMER],[PERSON],[EMAIL],[PHONE],3\n',
    )
  })

  test('names only commands that exist', async () => {
    const { scripts } = JSON.parse(await text('package.json')) as { scripts: Record<string, string> }
    const named = [...(await text('README.md')).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!)
    expect(named.filter(name => !(name in scripts))).toEqual([])
  })
})
